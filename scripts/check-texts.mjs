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
    ['common', 'sign-in', 'members', 'account', 'questions', 'staff', 'legal'].map(async (part) => {
      const module = await import(pathToFileURL(fileOf(`../locales/en/${part}.po`)).href);
      return [part, new Set(Object.keys(Object.values(module)[0]))];
    }),
  ),
);
const all = new Set(Object.values(parts).flatMap((ids) => [...ids]));

/** Loaded on every member page, together with the members' texts. */
const moment = 'src/member/people/NewMatchMoment.tsx';
const isPage = (/** @type {string} */ name) => name === moment || /(Page|AdminLayout)\.tsx$/.test(name);

/** Everything that a page loads at once or later, except other pages. */
function chunksOf(/** @type {string} */ page) {
  const seen = new Set([page]);
  for (const name of seen)
    for (const next of [...(manifest[name]?.imports ?? []), ...(manifest[name]?.dynamicImports ?? [])])
      if (!isPage(next) && !next.endsWith('.po') && next !== 'index.html') seen.add(next);
  return seen;
}

const routes = readFileSync(join(import.meta.dirname, '../web/src/routes.tsx'), 'utf8');
const words = (/** @type {string} */ list) => [...list.matchAll(/'([^']+)'/g)].map(([, word = '']) => word);
const kinds = new Map(
  [...routes.matchAll(/const (\w+) = pagesWith\((.*)\);/g)].map(([, kind, list = '']) => [kind, words(list)]),
);
/** The parts that `routes.tsx` loads for each page. */
const partsOf = new Map([
  ['index.html', ['common']],
  [moment, ['common', 'members']],
  ...[...routes.matchAll(/(\w+)(?:\((.*)\))?\(\s*'[^']+',\s*\(\) => import\('\.\/(.+?)'\)/g)].map(
    ([, kind, list = '', page]) =>
      /** @type {const} */ ([`src/${page}`, ['common', ...(kinds.get(kind) ?? words(list))]]),
  ),
]);
const [, ofLayout = ''] = /AdminLayout\.tsx'\), \[(.*)\]/.exec(routes) ?? [];
partsOf.set('src/admin/AdminLayout.tsx', ['common']);
for (const [page, own] of partsOf)
  if (/^src\/admin\/(?!.+\/LoginPage)/.test(page)) partsOf.set(page, [...own, ...words(ofLayout)]);

const problems = new Set();
for (const page of ['index.html', ...Object.keys(manifest).filter(isPage)]) {
  const names = partsOf.get(page) ?? [];
  const loaded = names.map((part) => parts[part]);
  for (const chunk of chunksOf(page)) {
    const code = readFileSync(fileOf(chunk), 'utf8');
    const shown = [...code.matchAll(/id:[`"']([\w-]{6})[`"']/g)].map(([, id = '']) => id).filter((id) => all.has(id));
    // The ids of the names of interests are the names themselves.
    if (code.includes('`interest.')) shown.push('interest.hiking');
    for (const id of shown)
      if (!loaded.some((ids) => ids?.has(id)))
        problems.add(`${chunk} of ${page} shows the text ${id}, which is in none of ${names.join(', ')}.`);
  }
}
if (problems.size > 0) {
  console.error([...problems].join('\n'));
  process.exit(1);
}
