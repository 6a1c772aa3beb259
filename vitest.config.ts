import { defineConfig } from 'vitest/config';

/** Browser journeys through the main features. */
const journeys = [
  'joining',
  'sign-in',
  'second-factors',
  'discovery',
  'messages',
  'notifications',
  'premium',
  'reports',
  'users',
  'people',
  'dashboard',
  'landing',
].map((name) => `e2e/${name}.spec.ts`);

/** Tests on a server. Slow tests that seldom fail are in the project `rest`. */
const long = [
  '{demo,lab,launcher,scripts,deploy}/**/*.test.ts',
  'server/test/{fuzz,proofs}/**/*.test.ts',
  'server/test/guards/{canaries,leaving}/**/*.test.ts',
  'server/test/guards/{hostile-input,mass-assignment,at-once,failing-rows,logs,errors}.test.ts',
  'server/src/{own-database,places-import}.test.ts',
  'server/**/*{attack,storm}.test.ts',
  'server/src/platform/{db/replicas,jobs/watchdog}.test.ts',
  'server/src/features/discovery/deck/property.test.ts',
];

const onServer = {
  environment: 'node',
  globalSetup: './server/test/global-setup.ts',
  setupFiles: './server/test/setup.ts',
  // On a busy machine, work that usually takes milliseconds may take seconds.
  testTimeout: 240_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 60_000, interval: 20 } },
  // Each file has its own database and app; loading the same modules for each would take a third of the time.
  isolate: false,
} as const;

const inBrowser = {
  environment: 'node',
  globalSetup: './server/test/global-setup.ts',
  // A journey waits for many states, each of which has a minute.
  testTimeout: 400_000,
  hookTimeout: 400_000,
  expect: { poll: { timeout: 60_000, interval: 40 } },
  // The files of a worker share one browser.
  isolate: false,
} as const;

/**
 * `npm test` runs `web` (in the web app's folder), `server` (server and contract) and `e2e`; `npm run test:all` runs `rest`,
 * `e2e-rest`, `engines` and `postgresql`.
 */
export default defineConfig({
  test: {
    projects: [
      'web/vitest.config.ts',
      { test: { name: 'server', ...onServer, include: ['{contract,server}/**/*.test.ts'], exclude: long } },
      { test: { name: 'rest', ...onServer, include: long } },
      { test: { name: 'e2e', ...inBrowser, include: journeys } },
      { test: { name: 'e2e-rest', ...inBrowser, include: ['e2e/*.spec.ts'], exclude: journeys } },
      { test: { name: 'postgresql', ...onServer, include: ['launcher/**/*.spec.ts'] } },
      { test: { name: 'engines', ...inBrowser, include: ['e2e/engines/*.spec.ts'] } },
    ],
  },
});
