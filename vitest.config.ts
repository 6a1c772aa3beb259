import { defineConfig } from 'vitest/config';

/** `server` holds the tests of server, contract and scripts, `e2e` the journeys in a browser, `web` stands beside the web app. */
export default defineConfig({
  test: {
    projects: [
      'web/vitest.config.ts',
      {
        test: {
          name: 'server',
          environment: 'node',
          include: ['{contract,server,scripts}/**/*.test.ts'],
          globalSetup: './server/test/global-setup.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['e2e/**/*.spec.ts'],
          globalSetup: './server/test/global-setup.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
