import { defineConfig } from 'vitest/config';

/**
 * `server` contains the tests of server, contract, scripts and evaluation, `e2e` the journeys in a browser; `web` is
 * in the web app's folder.
 */
export default defineConfig({
  test: {
    projects: [
      'web/vitest.config.ts',
      {
        test: {
          name: 'server',
          environment: 'node',
          include: ['{contract,server,demo,launcher,scripts,deploy,lab/eval,lab/mutations}/**/*.test.ts'],
          globalSetup: './server/test/global-setup.ts',
          setupFiles: './server/test/setup.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // On a busy machine, what usually takes milliseconds may take seconds.
          expect: { poll: { timeout: 15_000, interval: 20 } },
          // Each file has its own database and app; loading the same modules for each would take a third of the time.
          isolate: false,
        },
      },
      {
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['e2e/**/*.spec.ts'],
          globalSetup: './server/test/global-setup.ts',
          // A journey waits for many states, each of which has 30 seconds.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          // The files of a worker share one browser.
          isolate: false,
        },
      },
    ],
  },
});
