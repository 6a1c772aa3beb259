// Checks the built web app's size: the gzipped JS and CSS of a cold visit to each page, and that no member page loads admin code.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const outDir = join(import.meta.dirname, '../dist/web');
/** @type {Record<string, { file: string, css?: string[], imports?: string[], dynamicImports?: string[], isDynamicEntry?: boolean }>} */
const manifest = JSON.parse(readFileSync(join(outDir, '.vite/manifest.json'), 'utf8'));

/** A cold visit's budget in KB (1,000 bytes) gzipped. */
const budgets = { members: 221.4, staff: 293.2 };
const lazyChunkBudget = 96;

/** @type {string[]} */
const problems = [];

/** Every chunk that is loaded together with these, through static imports. */
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

const entry = closure(['index.html']);
/** The files of the pages; staff pages also need their frame. */
const pages = Object.keys(manifest).filter((name) => /^src\/(admin|member)\/.+Page\.tsx$/.test(name));
for (const name of pages) {
  const isAdmin = name.startsWith('src/admin/');
  const isStaff = isAdmin && !name.includes('/sign-in/');
  const budget = isStaff ? budgets.staff : budgets.members;
  const cold = closure(['index.html', name, ...(isStaff ? ['src/admin/AdminLayout.tsx'] : [])]);
  const size = gzippedKb(files(cold));
  const isOver = size > budget;
  console.log(`${isOver ? 'OVER' : ' ok '} ${name.slice(4).padEnd(44)} ${size.toFixed(1).padStart(6)} of ${budget} KB`);
  if (isOver) problems.push(`${name} takes ${size.toFixed(1)} KB of ${budget}.`);
  const adminCode = [...cold].filter((part) => part.startsWith('src/admin/'));
  if (!isAdmin && adminCode.length > 0) problems.push(`${name} downloads admin code: ${adminCode.join(', ')}.`);
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
