import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { visitedPrefix } from '../../../worker/agreement.ts';
import { sharedCache, sharedSearch } from '../../../worker/shared-pictures.ts';
import { takeSharedPictures } from './shared-pictures.ts';

const kept = new Map<string, Response>();
const add = vi.fn<(files: File[]) => void>();

beforeEach(() => {
  kept.set('/app/share/0', new Response('one', { headers: { 'content-type': 'image/jpeg' } }));
  vi.stubGlobal('caches', {
    open: async () => ({ keys: async () => [...kept.keys()], match: async (path: string) => kept.get(path)?.clone() }),
    delete: async () => kept.clear(),
  });
  add.mockReset();
});
afterEach(() => {
  vi.unstubAllGlobals();
  history.replaceState(null, '', '/');
});

describe('pictures shared from another app', () => {
  it('are added once, and the address forgets them', async () => {
    history.replaceState(null, '', `/app/profile${sharedSearch}`);
    await takeSharedPictures(add);
    await takeSharedPictures(add);
    expect(add.mock.calls.map(([files]) => files.map(({ type, size }) => [type, size]))).toEqual([[['image/jpeg', 3]]]);
    expect([location.pathname, location.search, kept.size]).toEqual(['/app/profile', '', 0]);
  });

  it('stay where they are on any other visit of the profile', async () => {
    history.replaceState(null, '', '/app/profile');
    await takeSharedPictures(add);
    expect([add.mock.calls.length, kept.size]).toEqual([0, 1]);
  });

  it('are deleted with the opened pages when the session ends', () => {
    expect(sharedCache.startsWith(visitedPrefix)).toBe(true);
  });
});
