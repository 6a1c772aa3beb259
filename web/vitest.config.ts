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
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}'],
    restoreMocks: true,
    unstubGlobals: true,
  },
});
