import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { clientContract } from './web/build/client-contract.ts';
import { earlyScript } from './web/build/early.ts';
import { landingPage } from './web/build/landing.ts';
import { compiledAhead, fontPreload, pageLinks } from './web/build/preload.ts';
import { serviceWorker } from './web/build/service-worker.ts';

const apiOrigin = `http://127.0.0.1:${process.env['PORT'] ?? '3000'}`;

/**
 * What pages have in common, in files of some size: on a phone's network, asking for a small file takes longer than fetching it. Each
 * piece holds what the same pages need, and imports only pieces that those pages need too.
 */
const pieces = {
  shared:
    /\/(mutationObserver|useMutation(State)?|Icon(Check|Clock|Keyboard|PhotoOff|Sparkles))\.|src\/ui\/(text\/(format|person)\.|form\/BusyButton|layout\/(Page|layout)|feedback\/Notice|loading\/use-stable)|src\/ui\/data\/(Avatar|Time|Picture\.m)/,
  people:
    /src\/(ui\/data\/PersonHero|features\/(likes\/(Decision|decisions|likes\.m)|discovery\/deck\/(CardText|cards\.))|connections\/likes\.ts$)|IconMessageHeart/,
  facts: /src\/(ui\/text\/detail-words|member\/layout\/NarrowPage|discovery\/discovery\.ts$)/,
  pictures: /src\/ui\/data\/Picture\.tsx|node_modules\/thumbhash/,
  inputs:
    /\/(use-id|random-id|use-uncontrolled|use-resolved-styles-api)\.|core\/esm\/components\/(CloseButton|Input|InputBase|TextInput)\//,
  form: /src\/ui\/form\/(use-form|Field|drafts)/,
  joining:
    /components\/PasswordInput|form\/PasswordField|features\/auth\/(session\/session-commands|sign-in(\/(identities|IdentityButtons)|\.))|sign-in\/(AuthCard|TermsField)/,
  matching: /contract\/src\/discovery\/matching\.|insights\/insights\.m/,
  realtime: /api\/realtime\/(realtime|realtime-cache|message-history)\.|contract\/src\/realtime\.ts$/,
  live: /member\/layout\/LiveUpdates|features\/messages\/outbox\.|api\/push\/push\./,
  messages: /features\/messages\/queries\.|contract\/src\/messages\.ts$/,
  kept: /api\/session\/(kept|left-behind)\.|worker\/agreement/,
  notices:
    /features\/notifications\/(Arrival|Bell|queries|notifications\.m)|IconBell\.|contract\/src\/notifications\.ts$/,
  lists: /\/(useInfiniteQuery|infiniteQueryObserver|infiniteQueryOptions)\./,
  installation: /features\/installation\/(installing|InstallOffer|installation\.m)/,
  account: /contract\/src\/auth\/(auth|factors|passkey|identities)\.ts$/,
};

/** The web app: sources in `web`, result in `dist/web`; `npm run dev` hands API calls to the server on `PORT`. */
export default defineConfig({
  root: 'web',
  plugins: [
    react(),
    clientContract(),
    fontPreload('low'),
    landingPage(),
    compiledAhead(),
    earlyScript(),
    pageLinks(),
    serviceWorker(),
  ],
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
        /** What every visit needs comes in three pieces, each of which a phone evaluates in one task. */
        codeSplitting: {
          groups: [
            {
              name: 'react',
              test: /web\/src\/react\.ts$|node_modules\/(react|react-dom|scheduler)\/|rolldown\/runtime/,
              priority: 1,
            },
            { name: 'kit', test: /node_modules\/(@mantine|clsx)\/.*\.m?js$/, tags: ['$initial'], priority: 1 },
            { name: 'base', tags: ['$initial'] },
            {
              name: 'schemas',
              test: /node_modules\/zod\/|contract\/src\/(text|profiles\/(profile-details|user))\./,
              priority: 1,
              includeDependenciesRecursively: false,
            },
            { name: 'words', test: /contract\/src\/profiles\/interests\./, priority: 1 },
            ...Object.entries(pieces).map(([name, test]) => ({ name, test, includeDependenciesRecursively: false })),
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
        ['/api', '/healthz', '/readyz', '/realtime', '/.well-known'].map((path) => [
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
