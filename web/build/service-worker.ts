import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';
import type { Shell } from '../worker/agreement.ts';
import { chunkOf, entryOf, filesOf, firstFonts, routeTable, withImports } from './preload.ts';

const root = join(import.meta.dirname, '..');
const source = join(root, 'worker/sw.ts');
/** Files outside the bundle that the page or a notification shows. */
const publicFiles = ['favicon.svg', 'icons/icon-192.png', 'icons/badge-96.png'];

/**
 * What opens without a network: the app's entry and the offline pages of the route table, each with all its imports
 * and the parts it loads later, but no other page.
 */
async function offlineFiles(bundle: Rolldown.OutputBundle): Promise<Set<string>> {
  const { routes, loadStaffLayout, moduleOf } = await routeTable();
  const pageOf = (load: () => Promise<unknown>) => chunkOf(bundle, moduleOf(load));
  const offline = routes.filter((route) => route.offline).map(({ load }) => pageOf(load));
  const onlineOnly = new Set([
    pageOf(loadStaffLayout),
    ...routes.filter((route) => !route.offline).map(({ load }) => pageOf(load)),
  ]);
  const start = withImports(bundle, [entryOf(bundle), ...offline]);
  const parts = [...start].flatMap(({ dynamicImports }) => dynamicImports).map((file) => bundle[file]);
  const later = parts.filter((part) => part?.type === 'chunk').filter((part) => !onlineOnly.has(part));
  return filesOf(withImports(bundle, [...start, ...later]));
}

async function shellOf(page: string, bundle: Rolldown.OutputBundle): Promise<Shell> {
  const files = [...(await offlineFiles(bundle)), ...firstFonts(bundle), ...publicFiles].map((file) => `/${file}`);
  const version = createHash('sha256').update(page).update(files.join());
  for (const file of publicFiles) version.update(readFileSync(join(root, 'public', file)));
  return { version: version.digest('hex').slice(0, 12), entry: `/${entryOf(bundle).fileName}`, files };
}

async function scriptWith(shell: Shell): Promise<string> {
  const built = (await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    define: { builtShell: JSON.stringify(shell) },
    build: {
      write: false,
      target: ['chrome125', 'edge125', 'firefox128', 'safari18'],
      rolldownOptions: { input: source, output: { format: 'iife' } },
    },
  })) as Rolldown.RolldownOutput;
  return built.output[0].code;
}

/** Builds the service worker (`worker/sw.ts` with the names of this build's files) to `/sw.js`, in one file. */
export function serviceWorker(): Plugin {
  return {
    name: 'heartwood-service-worker',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const page = bundle['index.html'];
        if (page?.type !== 'asset') throw new Error('The build has no page for the service worker');
        const source = await scriptWith(await shellOf(String(page.source), bundle));
        this.emitFile({ type: 'asset', fileName: 'sw.js', source });
      },
    },
  };
}
