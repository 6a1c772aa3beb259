import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

/** The web app's tests: components and the API layer in happy-dom, against a fake server held to the contract. */
export default defineConfig({
  plugins: [react()],
  root: import.meta.dirname,
  test: {
    name: 'web',
    environment: 'happy-dom',
    globals: true,
    css: false,
    setupFiles: ['./test/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}', 'worker/**/*.test.ts'],
    restoreMocks: true,
    unstubGlobals: true,
    // Loading the same modules for each file would take most of the time; what one leaves behind, test/setup.ts clears.
    isolate: false,
    // It remembers what it has loaded, which a test of loading has to forget.
    server: { deps: { inline: ['@stripe/stripe-js'] } },
  },
});
