import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { clientContract } from './web/build/client-contract.ts';
import { landingPage } from './web/build/landing.ts';
import { fontPreload, pageLinks } from './web/build/preload.ts';
import { serviceWorker } from './web/build/service-worker.ts';

const apiOrigin = `http://127.0.0.1:${process.env['PORT'] ?? '3000'}`;

/** The web app: sources in `web`, result in `dist/web`; `npm run dev` hands API calls to the server on `PORT`. */
export default defineConfig({
  root: 'web',
  plugins: [react(), clientContract(), fontPreload(), landingPage(), pageLinks(), serviceWorker()],
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: true,
    /**
     * Every browser of the target fetches ahead by itself. The document links to its page's scripts (`page-links.json`), and parts are
     * fetched before they are needed; a link for each of their scripts would cost more than it saves.
     */
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, files, { hostType }) => (hostType === 'html' ? files : []),
    },
    /** For older targets, the CSS step turns `light-dark()` into variables that stay undefined. */
    target: ['chrome125', 'edge125', 'firefox128', 'safari18'],
    rolldownOptions: {
      /** Unused schemas are composed of parts of others; reading a property is no reason to keep them. */
      treeshake: { propertyReadSideEffects: false },
      output: {
        /** What every visit needs comes in two pieces, which compress better than the many it would be otherwise. */
        codeSplitting: {
          groups: [
            {
              name: 'react',
              test: /web\/src\/react\.ts$|node_modules\/(react|react-dom|scheduler)\/|rolldown\/runtime/,
              priority: 1,
            },
            { name: 'base', tags: ['$initial'] },
            { name: 'base', test: /web\/src\/ui\/\w+\/(Notice|Page)\.tsx$/ },
            { name: 'shared', test: /(web|contract)\/src\/|node_modules/, minShareCount: 28 },
          ],
        },
        /**
         * Named only by their hash: names appear in every chunk that imports them, and twice in what each visit
         * downloads.
         */
        chunkFileNames: 'assets/[hash:7].js',
        assetFileNames: 'assets/[hash:6][extname]',
      },
    },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  server: {
    port: Number(process.env['WEB_PORT'] ?? '5173'),
    strictPort: true,
    proxy: {
      ...Object.fromEntries(
        ['/api', '/healthz', '/readyz', '/realtime'].map((path) => [path, { target: apiOrigin, ws: true }]),
      ),
      // The component catalogue is the only page of this server; the rest below /dev belongs to the API.
      '/dev': {
        target: apiOrigin,
        bypass: ({ url }) => (url === '/dev/ui' ? '/catalogue/index.html' : undefined),
      },
    },
  },
});
