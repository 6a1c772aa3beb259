import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { whenIdle } from './preload.ts';

describe('work for an idle moment', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it.each([
    ['with idle callbacks', true],
    ['without them', false],
  ])('is done once, but not when it was canceled, in a browser %s', (_browser, hasIdleCallbacks) => {
    if (hasIdleCallbacks) {
      vi.stubGlobal('requestIdleCallback', (work: () => void) => setTimeout(work, 50));
      vi.stubGlobal('cancelIdleCallback', (request: number) => clearTimeout(request));
    }
    const done: string[] = [];
    whenIdle(() => done.push('wanted'));
    whenIdle(() => done.push('unwanted'))();

    vi.runAllTimers();

    expect(done).toEqual(['wanted']);
  });
});
