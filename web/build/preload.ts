import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin, Rolldown } from 'vite';

const root = join(import.meta.dirname, '..');

type Load = () => Promise<unknown>;

interface RouteTable {
  routes: readonly { path: string; who: string; offline?: true; load: Load }[];
  loadStaffLayout: Load;
  moduleOf: (load: Load) => string;
}

/**
 * The route table, loaded at run time: with a static import, the bundler of the configuration would follow it into
 * every page.
 */
export async function routeTable(): Promise<RouteTable> {
  return (await import(pathToFileURL(join(root, 'src/routes.ts')).href)) as RouteTable;
}

/** The app's entry. */
export function entryOf(bundle: Rolldown.OutputBundle): Rolldown.OutputChunk {
  const entry = Object.values(bundle).find((output) => output.type === 'chunk' && output.isEntry);
  if (entry?.type !== 'chunk') throw new Error('The build has no entry');
  return entry;
}

/** The chunk of a module, named from `web/` on. */
export function chunkOf(bundle: Rolldown.OutputBundle, module: string): Rolldown.OutputChunk {
  const chunk = Object.values(bundle).find(
    (output) => output.type === 'chunk' && output.moduleIds.includes(join(root, module)),
  );
  if (chunk?.type !== 'chunk') throw new Error(`The build has no chunk for ${module}`);
  return chunk;
}

/** These chunks and all that they import. */
export function withImports(bundle: Rolldown.OutputBundle, chunks: Rolldown.OutputChunk[]): Set<Rolldown.OutputChunk> {
  const seen = new Set(chunks);
  for (const { imports } of seen) {
    for (const file of imports) {
      const chunk = bundle[file];
      if (chunk?.type === 'chunk') seen.add(chunk);
    }
  }
  return seen;
}

/** The files of these chunks: scripts and style sheets. */
export function filesOf(chunks: Iterable<Rolldown.OutputChunk>): Set<string> {
  return new Set([...chunks].flatMap(({ fileName, viteMetadata }) => [fileName, ...(viteMetadata?.importedCss ?? [])]));
}

/** What the entry needs, in separate chunks (`vite.config.ts`). */
const firstPieces = ['react', 'kit'];

/** Scripts come after style sheets, the first cards and their picture: until those have arrived there is little to run them for. */
const linkTo = (file: string) =>
  file.endsWith('.css')
    ? `<link rel="stylesheet" crossorigin href="/${file}">`
    : `<link rel="modulepreload" crossorigin fetchpriority="low" href="/${file}">`;

/**
 * Moves the app's style sheets to the end of the body: there they hold back neither the splash before them nor its paint, and scripts
 * still wait for them.
 */
function stylesLast(html: string): string {
  const sheets = /\s*<link rel="stylesheet" crossorigin href="[^"]+">/g;
  const found = html.match(sheets) ?? [];
  return html.replaceAll(sheets, '').replace('</body>', `${found.join('').trim()}\n  </body>`);
}

/**
 * Has Chromium compile the scripts of every visit as a whole, off the main thread while they arrive; elsewhere it is a comment.
 * Otherwise V8 compiles a thousand functions one by one on the main thread.
 */
export function compiledAhead(): Plugin {
  return {
    name: 'heartwood-compiled-ahead',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      // Vite puts code of its own before the entry's.
      order: 'post',
      handler(_options, bundle) {
        for (const chunk of Object.values(bundle)) {
          const isFirst = chunk.type === 'chunk' && (chunk.isEntry || firstPieces.includes(chunk.name));
          if (isFirst) chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`;
        }
      },
    },
  };
}

/**
 * Writes `page-links.json`: for each path of the route table, the links that let the browser fetch the page's own files with
 * the first ones. The server adds them to the document. Otherwise these files would be asked for once the entry has run.
 */
export function pageLinks(): Plugin {
  return {
    name: 'heartwood-page-links',
    apply: 'build',
    enforce: 'post',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) => {
        // Scripts of their own, in the order in which they need each other: each is one task for a slow phone.
        const scripts = firstPieces.map((piece) => {
          const chunk = Object.values(bundle).find((output) => output.type === 'chunk' && output.name === piece);
          if (chunk === undefined) throw new Error(`The build has no piece ${piece}`);
          return `<script type="module" crossorigin src="/${chunk.fileName}"></script>\n    `;
        });
        const whole = html.replace('<script type="module"', `${scripts.join('')}$&`);
        return stylesLast(
          whole.replaceAll(/(<script type="module"|<link rel="modulepreload") crossorigin/g, '$& fetchpriority="low"'),
        );
      },
    },
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const { routes, loadStaffLayout, moduleOf } = await routeTable();
        const first = filesOf(withImports(bundle, [entryOf(bundle)]));
        const links = routes.map(({ path, who, load }) => {
          const loads = who === 'staff' ? [loadStaffLayout, load] : [load];
          const own = loads.map((each) => chunkOf(bundle, moduleOf(each)));
          const files = [...filesOf(withImports(bundle, own))].filter((file) => !first.has(file));
          const isSheet = (file: string) => file.endsWith('.css');
          const sheets = files.filter(isSheet).map(linkTo).join('');
          return {
            path,
            links: files
              .filter((file) => !isSheet(file))
              .map(linkTo)
              .join(''),
            sheets,
          };
        });
        this.emitFile({ type: 'asset', fileName: 'page-links.json', source: JSON.stringify(links) });
      },
    },
  };
}

/**
 * The font files that every page needs, by their names in the bundle; other alphabets are fetched when they appear.
 */
export function firstFonts(bundle: Rolldown.OutputBundle): string[] {
  return Object.values(bundle).flatMap((output) =>
    output.type === 'asset' && output.names.some((name) => /-latin-wght-normal\.woff2$/.test(name))
      ? [output.fileName]
      : [],
  );
}

/** Lets the page fetch its fonts at once rather than with the first styled text; `low` for a page that needs scripts first. */
export function fontPreload(fetchpriority: 'low' | 'auto'): Plugin {
  return {
    name: 'heartwood-font-preload',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        firstFonts(bundle).map((file) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', fetchpriority, href: `/${file}` },
          injectTo: 'head',
        })),
    },
  };
}
