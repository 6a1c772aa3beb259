// Checks the built web app's size: the gzipped JS and CSS of a cold visit to each route, and that no member page loads admin code.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const outDir = join(import.meta.dirname, '../dist/web');
/** @type {Record<string, { file: string, css?: string[], imports?: string[], dynamicImports?: string[], isDynamicEntry?: boolean }>} */
const manifest = JSON.parse(readFileSync(join(outDir, '.vite/manifest.json'), 'utf8'));

/** @type {{ routes: { path: string, who: string, load: () => unknown }[], loadStaffLayout: () => unknown, moduleOf: (load: () => unknown) => string }} */
const { routes, loadStaffLayout, moduleOf } = await import(
  pathToFileURL(join(import.meta.dirname, '../web/src/routes.ts')).href
);

/** A cold visit's budget in KB (1,000 bytes) gzipped. */
const budgets = { members: 190, staff: 250 };
const lazyChunkBudget = 93;

/** @type {string[]} */
const problems = [];

/** Every chunk that is loaded with these: the closure over static imports. */
function closure(/** @type {string[]} */ names) {
  /** @type {Set<string>} */
  const seen = new Set();
  const queue = [...names];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (seen.has(name)) continue;
    const chunk = manifest[name];
    if (!chunk) {
      problems.push(`The build has no chunk for ${name}.`);
      continue;
    }
    seen.add(name);
    queue.push(...(chunk.imports ?? []));
  }
  return seen;
}

function files(/** @type {Iterable<string>} */ names) {
  const chunks = [...names].map((name) => manifest[name]).filter((chunk) => chunk !== undefined);
  return new Set(chunks.flatMap((chunk) => [chunk.file, ...(chunk.css ?? [])]));
}

function gzippedKb(/** @type {Iterable<string>} */ names) {
  let bytes = 0;
  for (const name of names) bytes += gzipSync(readFileSync(join(outDir, name)), { level: 9 }).length;
  return bytes / 1000;
}

const page = readFileSync(join(outDir, 'index.html'), 'utf8');
/** The script that the page loads outside the manifest; it sets the colour scheme. */
const ownScripts = [...page.matchAll(/<script\s+src="\/([^"]+)"/g)].map(([, file]) => String(file));
const entry = closure(['index.html']);
for (const { path, who, load } of routes) {
  const isStaff = who === 'staff';
  const chunks = isStaff ? [moduleOf(loadStaffLayout), moduleOf(load)] : [moduleOf(load)];
  const budget = isStaff ? budgets.staff : budgets.members;
  const cold = closure(['index.html', ...chunks]);
  const size = gzippedKb([...ownScripts, ...files(cold)]);
  const isOver = size > budget;
  console.log(`${isOver ? 'OVER' : ' ok '} ${path.padEnd(25)} ${size.toFixed(1).padStart(6)} of ${budget} KB`);
  if (isOver) problems.push(`${path} takes ${size.toFixed(1)} KB of ${budget}.`);
  const adminCode = [...cold].filter((name) => name.startsWith('src/admin/'));
  if (!who.startsWith('staff') && adminCode.length > 0) {
    problems.push(`${path} downloads admin code: ${adminCode.join(', ')}.`);
  }
}

for (const [name, chunk] of Object.entries(manifest)) {
  if (!chunk.isDynamicEntry) continue;
  const own = [...closure([name])].filter((part) => !entry.has(part));
  const size = gzippedKb(files(own));
  if (size > lazyChunkBudget)
    problems.push(`The lazy chunk ${name} brings ${size.toFixed(1)} KB of ${lazyChunkBudget}.`);
}

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
