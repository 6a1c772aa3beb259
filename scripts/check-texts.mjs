// Checks that the catalogues that a page of the built web app loads have every text that the page can show.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const outDir = join(import.meta.dirname, '../dist/web');
/** @type {Record<string, { file: string, imports?: string[], dynamicImports?: string[] }>} */
const manifest = JSON.parse(readFileSync(join(outDir, '.vite/manifest.json'), 'utf8'));
const fileOf = (/** @type {string} */ name) => join(outDir, manifest[name]?.file ?? '');

/** The ids of the texts of each part. */
const parts = Object.fromEntries(
  await Promise.all(
    ['members', 'account', 'questions', 'staff', 'legal'].map(async (part) => {
      const module = await import(pathToFileURL(fileOf(`../locales/en/${part}.po`)).href);
      return [part, new Set(Object.keys(Object.values(module)[0]))];
    }),
  ),
);
const all = new Set(Object.values(parts).flatMap((ids) => [...ids]));

const isPage = (/** @type {string} */ name) => /(Page|AdminLayout)\.tsx$/.test(name);

/** Everything that a page loads at once or later, except other pages. */
function chunksOf(/** @type {string} */ page) {
  const seen = new Set([page]);
  for (const name of seen)
    for (const next of [...(manifest[name]?.imports ?? []), ...(manifest[name]?.dynamicImports ?? [])])
      if (!isPage(next) && !next.endsWith('.po') && next !== 'index.html') seen.add(next);
  return seen;
}

/** The parts that `routes.tsx` loads for a page. */
function partsOf(/** @type {string} */ page) {
  if (/^src\/admin\/(?!.+\/LoginPage)/.test(page)) return ['members', 'account', 'questions', 'staff'];
  if (/\/(Faqs|Privacy|Safety|Terms)Page/.test(page)) return ['members', 'account', 'legal'];
  if (page.endsWith('/ProfilePage.tsx')) return ['members', 'account', 'questions'];
  return /^src\/member\/(public|sign-in|settings|premium|support)\/|\/(Verify|CheckIn|Login)/.test(page)
    ? ['members', 'account']
    : ['members'];
}

const problems = new Set();
for (const page of ['index.html', ...Object.keys(manifest).filter(isPage)]) {
  const loaded = partsOf(page).map((part) => parts[part]);
  for (const chunk of chunksOf(page))
    for (const [, id = ''] of readFileSync(fileOf(chunk), 'utf8').matchAll(/id:[`"']([\w-]{6})[`"']/g))
      if (all.has(id) && !loaded.some((ids) => ids?.has(id)))
        problems.add(`${chunk} of ${page} shows the text ${id}, which is in none of ${partsOf(page).join(', ')}.`);
}
if (problems.size > 0) {
  console.error([...problems].join('\n'));
  process.exit(1);
}
