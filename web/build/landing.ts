import { join } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';
import { fontPreload } from './preload.ts';

const root = join(import.meta.dirname, '..');

/** `landing.html` with its style sheet, pictures and the app's fonts. Built apart, or it would share chunks with the app. */
async function builtLanding(assetFileNames: string): Promise<Rolldown.OutputAsset[]> {
  const { output } = (await build({
    configFile: false,
    root,
    logLevel: 'warn',
    plugins: [fontPreload('auto')],
    build: {
      write: false,
      copyPublicDir: false,
      target: ['chrome125', 'edge125', 'firefox128', 'safari18'],
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      rolldownOptions: { input: join(root, 'landing.html'), output: { assetFileNames } },
    },
  })) as Rolldown.RolldownOutput;
  return output.filter((file) => file.type === 'asset');
}

/**
 * The landing page is a second document that needs nothing of the app's script; the server fills in addresses and prices. While developing,
 * `/app` shows it with those left out.
 */
export function landingPage(): Plugin {
  let isBuild = false;
  return {
    name: 'heartwood-landing-page',
    configResolved: ({ command }) => {
      isBuild = command === 'build';
    },
    configureServer: ({ middlewares }) => {
      middlewares.use((request, _response, next) => {
        if (request.url === '/app') request.url = '/landing.html';
        next();
      });
    },
    transformIndexHtml: (html) => (isBuild ? html : html.replaceAll(/%[A-Z_]+%/g, '…')),
    async generateBundle(_options, bundle) {
      for (const { fileName, source } of await builtLanding('assets/[hash:6][extname]'))
        if (bundle[fileName] === undefined) this.emitFile({ type: 'asset', fileName, source });
    },
  };
}
