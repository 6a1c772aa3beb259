import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { oldestBrowsers } from './web/build/oldest-browsers.ts';
import { serviceWorker } from './web/build/service-worker.ts';
import { texts } from './web/build/texts.ts';
import { withoutSummaries } from './web/build/without-summaries.ts';

const apiOrigin = `http://127.0.0.1:${process.env['PORT'] ?? '3000'}`;
const web = join(import.meta.dirname, 'web');

/** The web app: sources in `web`, result in `dist/web`; `npm run dev` forwards API calls to the server on `PORT`. */
export default defineConfig({
  root: web,
  plugins: [withoutSummaries(), texts(), react(), serviceWorker()],
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: true,
    modulePreload: { polyfill: false },
    target: oldestBrowsers,
    rolldownOptions: {
      input: { index: join(web, 'index.html'), landing: join(web, 'landing.html') },
      /** Unused schemas are composed of parts of others; reading a property is no reason to keep them. */
      treeshake: {
        propertyReadSideEffects: false,
        moduleSideEffects: [{ test: /\/contract\/src\//, sideEffects: false }],
      },
      output: {
        /** What every page needs comes in two files, and lists and commands in one: small ones compress worse, 12 KB in all. */
        codeSplitting: {
          groups: [
            { name: 'vendor', test: /node_modules/, tags: ['$initial'] },
            { name: 'queries', test: /node_modules\/@tanstack\/(react-query|query-core)\// },
            { name: 'base', test: /\/src\/(?!main)/, tags: ['$initial'] },
          ],
        },
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
        ['/api', '/brand', '/healthz', '/readyz', '/realtime', '/.well-known'].map((path) => [
          path,
          { target: apiOrigin, ws: true },
        ]),
      ),
      // The component catalogue is the only page of this server; the rest below /dev belongs to the API.
      '/dev': {
        target: apiOrigin,
        bypass: ({ url }) => (url === '/dev/ui' ? '/catalogue/index.html' : undefined),
      },
    },
  },
});
