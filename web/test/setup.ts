import '@testing-library/jest-dom/vitest';
import { cleanup, configure, getConfig } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentType } from 'react';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import type * as Preloading from '../src/ui/loading/preload.ts';
import { queryClient } from '../src/api/query-client.ts';
import { clearSession } from '../src/api/session/stored-session.ts';
import { presentBrand, showBrand } from '../src/brand.ts';
import { deviceStorage, tabStorage } from '../src/browser-storage.ts';
import { offsets } from '../src/ui/data/table/rows.ts';
import { speak } from '../src/ui/text/catalogues.ts';
import { language } from '../src/ui/text/text.ts';
import { resetFakeServer } from './fake-server.ts';
import { undoReplacements, watchShared } from './replaced.ts';
import { forgetSettledWork } from './settled.ts';
import { resetTestSocket } from './test-socket.ts';

// The retry helper tries again without a pause; its own test restores the real one.
vi.mock('#contract/constants.ts', async (original) => ({ ...(await original<object>()), retryBaseDelayMs: 1 }));

/** The components that are being lazy-loaded. */
const loading = vi.hoisted(() => new Set<Promise<unknown>>());
vi.mock('../src/ui/loading/preload.ts', async (original) => {
  const preloading = await original<typeof Preloading>();
  const { keepSettledWork } = await import('./settled.ts');
  return {
    ...preloading,
    whenSettled: keepSettledWork,
    preloadable: <P extends object>(load: () => Promise<ComponentType<P>>) =>
      preloading.preloadable(async () => {
        const part = load();
        loading.add(part);
        return await part.finally(() => loading.delete(part));
      }),
  };
});

// No real socket is opened; tests act as the server on this one.
vi.mock('../src/api/realtime/realtime-socket.ts', async () => ({
  openSocket: (await import('./test-socket.ts')).openTestSocket,
}));

const { asyncWrapper } = getConfig();
configure({
  // Long, since all cores may be busy with other tests.
  asyncUtilTimeout: 60_000,
  // An opened dialog may be the first use of a lazy-loaded component.
  asyncWrapper: (act) =>
    asyncWrapper(async () => {
      const result: unknown = await act();
      if (loading.size > 0) await vi.dynamicImportSettled();
      return result;
    }),
});

class SilentResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

/** React's complaints about invalid HTML, such as a block inside a paragraph, fail the test. */
const invalidHtml: string[] = [];
const logError = console.error;
console.error = (...words: unknown[]) => {
  const [text] = words;
  if (typeof text === 'string' && /cannot be a (descendant|child) of/.test(text)) invalidHtml.push(words.join(' '));
  logError(...words);
};

// It replaces `focus` and `blur` once for the whole window.
userEvent.setup();
const leftReplaced = watchShared();
const usualBrand = presentBrand();

beforeEach(() => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: false,
    media: query,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    dispatchEvent: () => false,
  }));
  vi.stubGlobal('ResizeObserver', SilentResizeObserver);
  vi.stubGlobal('scrollTo', () => undefined);
});

afterEach(async () => {
  vi.useRealTimers();
  cleanup();
  showBrand(usualBrand);
  if (language !== 'en') await speak('en');
  await resetFakeServer();
  resetTestSocket();
  queryClient.clear();
  forgetSettledWork();
  offsets.clear();
  clearSession('expired');
  // A test may have broken the storage.
  undoReplacements();
  for (const storage of [deviceStorage, tabStorage]) for (const key of storage.keys()) storage.remove(key);
  document.title = '';
  expect(leftReplaced()).toEqual([]);
  expect(invalidHtml.splice(0)).toEqual([]);
});
