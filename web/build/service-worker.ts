import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';
import type { Shell } from '../worker/agreement.ts';
import { firstFonts } from './fonts.ts';

const root = join(import.meta.dirname, '..');
const source = join(root, 'worker/sw.ts');
/** Files outside the bundle that the page or a notification shows. */
const publicFiles = ['color-scheme.js', 'favicon.svg', 'icons/icon-192.png', 'icons/badge-96.png'];

type Load = () => Promise<unknown>;

interface RouteTable {
  routes: readonly { offline?: true; load: Load }[];
  loadStaffLayout: Load;
  moduleOf: (load: Load) => string;
}

/**
 * The route table, loaded at run time: with a static import, the bundler of the configuration would follow it into
 * every page.
 */
async function routeTable(): Promise<RouteTable> {
  return (await import(pathToFileURL(join(root, 'src/routes.ts')).href)) as RouteTable;
}

/**
 * What opens without a network: the app's entry and the offline pages of the route table, each with all its imports
 * and the parts it loads later, but no other page.
 */
async function offlineFiles(bundle: Rolldown.OutputBundle): Promise<string[]> {
  const { routes, loadStaffLayout, moduleOf } = await routeTable();
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
  const chunkOf = (module: string) => {
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === join(root, module));
    if (!chunk) throw new Error(`The build has no chunk for ${module}`);
    return chunk;
  };
  const offline = routes.filter((route) => route.offline).map(({ load }) => chunkOf(moduleOf(load)));
  const onlineOnly = new Set([
    chunkOf(moduleOf(loadStaffLayout)),
    ...routes.filter((route) => !route.offline).map(({ load }) => chunkOf(moduleOf(load))),
  ]);

  const files = new Set<string>();
  const seen = new Set<Rolldown.OutputChunk>();
  function add(chunk: Rolldown.OutputChunk | undefined) {
    if (!chunk || seen.has(chunk)) return;
    seen.add(chunk);
    for (const file of [chunk.fileName, ...(chunk.viteMetadata?.importedCss ?? [])]) files.add(file);
    for (const file of chunk.imports) add(chunks.find(({ fileName }) => fileName === file));
  }
  const start = [entryOf(bundle), ...offline];
  for (const chunk of start) add(chunk);
  for (const file of [...seen].flatMap(({ dynamicImports }) => dynamicImports)) {
    const part = chunks.find(({ fileName }) => fileName === file);
    if (part && !onlineOnly.has(part)) add(part);
  }
  return [...files];
}

function entryOf(bundle: Rolldown.OutputBundle): Rolldown.OutputChunk {
  const entry = Object.values(bundle).find((output) => output.type === 'chunk' && output.isEntry);
  if (entry?.type !== 'chunk') throw new Error('The build has no entry');
  return entry;
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
