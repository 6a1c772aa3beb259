import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { texts } from './build/texts.ts';

/**
 * The web app's tests: components and the API layer in happy-dom, against a fake server that is checked against the
 * contract.
 */
export default defineConfig({
  plugins: [texts(), react()],
  root: import.meta.dirname,
  test: {
    name: 'web',
    environment: 'happy-dom',
    // The files of a worker share one window: a link that a test follows must not change its address for all others.
    environmentOptions: {
      happyDOM: { settings: { navigation: { disableMainFrameNavigation: true, disableFallbackToSetURL: true } } },
    },
    globals: true,
    css: false,
    setupFiles: ['./test/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}', 'worker/**/*.test.ts'],
    // A test waits up to a minute for a state; see test/setup.ts.
    testTimeout: 120_000,
    restoreMocks: true,
    unstubGlobals: true,
    // Loading the same modules for each file would take most of the time; test/setup.ts clears what a file leaves
    // behind.
    isolate: false,
    // Modules stay cached within a process, which tests of loading must not share.
    server: { deps: { inline: ['@stripe/stripe-js'] } },
  },
});
