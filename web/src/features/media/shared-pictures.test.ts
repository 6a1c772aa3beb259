import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { visitedPrefix } from '../../../worker/agreement.ts';
import { sharedCache, sharedSearch, tooLargeHeader } from '../../../worker/shared-pictures.ts';
import { takeSharedPictures } from './shared-pictures.ts';

const kept = new Map<string, Response>();
const add = vi.fn<(files: File[]) => void>();
const refuse = vi.fn<(file: File, reason: string) => void>();

beforeEach(() => {
  kept.clear();
  kept.set('/app/share/0', new Response('one', { headers: { 'content-type': 'image/jpeg' } }));
  vi.stubGlobal('caches', {
    open: async () => ({ keys: async () => [...kept.keys()], match: async (path: string) => kept.get(path)?.clone() }),
    keys: async () => [sharedCache],
    delete: async () => kept.clear(),
  });
  add.mockReset();
  refuse.mockReset();
});
afterEach(() => {
  vi.unstubAllGlobals();
  history.replaceState(null, '', '/');
});

describe('pictures shared from another app', () => {
  it('are added once and removed from the address', async () => {
    history.replaceState(null, '', `/app/profile${sharedSearch}`);
    await takeSharedPictures({ add, refuse });
    await takeSharedPictures({ add, refuse });
    expect(add.mock.calls.map(([files]) => files.map(({ type, size }) => [type, size]))).toEqual([[['image/jpeg', 3]]]);
    expect([location.pathname, location.search, kept.size]).toEqual(['/app/profile', '', 0]);
  });

  it('are refused by name if they were too large to be stored', async () => {
    const tooLarge = { [tooLargeHeader]: encodeURIComponent('größe.jpg') };
    kept.set('/app/share/1', new Response(null, { headers: tooLarge }));
    history.replaceState(null, '', `/app/profile${sharedSearch}`);
    await takeSharedPictures({ add, refuse });
    expect(add.mock.calls.map(([files]) => files.length)).toEqual([1]);
    expect(refuse.mock.calls.map(([{ name }, reason]) => [name, reason])).toEqual([
      [
        'größe.jpg',
        'Shared pictures can be up to 100 MB, and this one is larger. Make it smaller, or take a screenshot of it.',
      ],
    ]);
  });

  it('are reported as lost if the browser had no room for them', async () => {
    kept.clear();
    history.replaceState(null, '', `/app/profile${sharedSearch}`);
    await takeSharedPictures({ add, refuse });
    expect(add).not.toHaveBeenCalled();
    expect(refuse.mock.calls.map(([{ name }, reason]) => [name, reason])).toEqual([
      ['Shared pictures', 'Your browser had no room for them. Please choose them here.'],
    ]);
  });

  it('stay stored on any other visit to the profile', async () => {
    history.replaceState(null, '', '/app/profile');
    await takeSharedPictures({ add, refuse });
    expect([add.mock.calls.length, kept.size]).toEqual([0, 1]);
  });

  it('are deleted with the cached pages when the session ends', () => {
    expect(sharedCache.startsWith(visitedPrefix)).toBe(true);
  });
});
