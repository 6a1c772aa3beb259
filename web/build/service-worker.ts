import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';
import type { Shell } from '../worker/agreement.ts';
import { oldestBrowsers } from './oldest-browsers.ts';
import { texts } from './texts.ts';

const root = join(import.meta.dirname, '..');
const source = join(root, 'worker/sw.ts');
/** Files outside the bundle that pages or notifications use. */
const publicFiles = ['favicon.svg', 'icons/icon-192.png', 'icons/badge-96.png'];

/** The pages that open without a network. */
const offlinePages = [
  'member/public/PrivacyPage.tsx',
  'member/public/FaqsPage.tsx',
  'member/public/TermsPage.tsx',
  'member/sign-in/SignInPage.tsx',
  'admin/sign-in/LoginPage.tsx',
].map((file) => join(root, 'src', file));

/** A page with its own entry, or the frame around staff pages. */
const isPage = (module: string) => /(Page|AdminLayout)\.tsx$/.test(module);

const chunksOf = (bundle: Rolldown.OutputBundle) => Object.values(bundle).filter((output) => output.type === 'chunk');

/** The app's entry. */
function entryOf(bundle: Rolldown.OutputBundle): Rolldown.OutputChunk {
  const entry = chunksOf(bundle).find((chunk) => chunk.isEntry && chunk.moduleIds.includes(join(root, 'src/main.tsx')));
  if (entry === undefined) throw new Error('The build has no entry');
  return entry;
}

/** These chunks and all chunks they import. */
function withImports(bundle: Rolldown.OutputBundle, chunks: Rolldown.OutputChunk[]): Set<Rolldown.OutputChunk> {
  const seen = new Set(chunks);
  for (const { imports } of seen) {
    for (const file of imports) {
      const chunk = bundle[file];
      if (chunk?.type === 'chunk') seen.add(chunk);
    }
  }
  return seen;
}

/**
 * The files that are needed without a network: the app's entry and the offline pages with their imports and the parts they load later,
 * but not other pages.
 */
function offlineFiles(bundle: Rolldown.OutputBundle): string[] {
  const chunks = chunksOf(bundle);
  const pages = chunks.filter(({ facadeModuleId }) => facadeModuleId !== null && isPage(facadeModuleId));
  const offline = pages.filter(({ facadeModuleId }) => offlinePages.includes(facadeModuleId ?? ''));
  if (offline.length < offlinePages.length) throw new Error('The build lacks a page that opens without a network');
  const start = withImports(bundle, [entryOf(bundle), ...offline]);
  const parts = new Set([...start].flatMap(({ dynamicImports }) => dynamicImports));
  const later = chunks.filter(
    (chunk) => parts.has(chunk.fileName) && !pages.includes(chunk) && !chunk.facadeModuleId?.endsWith('.po'),
  );
  const all = withImports(bundle, [...start, ...later]);
  return [
    ...new Set([...all].flatMap(({ fileName, viteMetadata }) => [fileName, ...(viteMetadata?.importedCss ?? [])])),
  ];
}

/** The texts of the offline pages and the names of cities, by language. */
function offlineTexts(bundle: Rolldown.OutputBundle): Shell['texts'] {
  const texts: Partial<Record<string, string[]>> = {};
  for (const { facadeModuleId, fileName } of chunksOf(bundle)) {
    const [, language] = /([^/]+)\/(?:(?:common|sign-in|legal)\.po|cities\.json)$/.exec(facadeModuleId ?? '') ?? [];
    if (language !== undefined) (texts[language] ??= []).push(`/${fileName}`);
  }
  return texts;
}

/** The font files that every page needs, by their names in the bundle; fonts for other alphabets are loaded on demand. */
function firstFonts(bundle: Rolldown.OutputBundle): string[] {
  const assets = Object.values(bundle).filter((output) => output.type === 'asset');
  return assets
    .filter(({ fileName }) => /-latin-wght-normal-.+\.woff2$/.test(fileName))
    .map(({ fileName }) => fileName);
}

function shellOf(page: string, bundle: Rolldown.OutputBundle): Shell {
  const files = [...offlineFiles(bundle), ...firstFonts(bundle), ...publicFiles].map((file) => `/${file}`);
  const texts = offlineTexts(bundle);
  const version = createHash('sha256').update(page).update(files.join()).update(JSON.stringify(texts));
  for (const file of publicFiles) version.update(readFileSync(join(root, 'public', file)));
  return { version: version.digest('hex').slice(0, 12), entry: `/${entryOf(bundle).fileName}`, files, texts };
}

async function scriptWith(shell: Shell): Promise<string> {
  const built = (await build({
    configFile: false,
    root,
    plugins: [texts()],
    logLevel: 'warn',
    publicDir: false,
    define: { builtShell: JSON.stringify(shell) },
    build: {
      write: false,
      target: oldestBrowsers,
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
        const source = await scriptWith(shellOf(String(page.source), bundle));
        this.emitFile({ type: 'asset', fileName: 'sw.js', source });
      },
    },
  };
}
