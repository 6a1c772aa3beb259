import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keptPageMark, type Shell } from './agreement.ts';
import { keepShared, sharedCache, sharedMaxBytes, tooLargeHeader } from './shared-pictures.ts';
import { answerKept, answerPage, dropOthers, dropVisited, keepShell, type Means } from './shell.ts';

const origin = 'https://heartwood.test';
const shell: Shell = {
  version: 'v2',
  entry: '/assets/index-2.js',
  files: ['/assets/index-2.js', '/favicon.svg'],
  texts: { en: ['/assets/members-en.js'], de: ['/assets/members-de.js'] },
};
const addressOf = (input: RequestInfo | URL) => new URL(input instanceof Request ? input.url : input, origin).pathname;

let kept: Map<string, Map<string, Response>>;
let served: Map<string, Response>;
let asked: string[];

const means: Means = {
  caches: {
    open: async (name: string) => {
      const cache = kept.get(name) ?? new Map<string, Response>();
      kept.set(name, cache);
      return {
        put: async (input: RequestInfo | URL, response: Response) => void cache.set(addressOf(input), response),
      } as Cache;
    },
    match: async (input: RequestInfo | URL) =>
      [...kept.values()]
        .map((cache) => cache.get(addressOf(input)))
        .find(Boolean)
        ?.clone(),
    keys: async () => [...kept.keys()],
    delete: async (name: string) => kept.delete(name),
  },
  fetch: async (input) => {
    const path = addressOf(input);
    asked.push(path);
    const response = served.get(path);
    if (response === undefined) throw new TypeError('Failed to fetch');
    return response.clone();
  },
};
const install = (...tags: string[]) => keepShell(shell, means, tags);
const inCache = (name: string) => [...(kept.get(name)?.keys() ?? [])].sort();
const works: Promise<unknown>[] = [];
const answer = (path: string) =>
  answerKept(new Request(origin + path), shell, means, (work) => void works.push(work)).then((response) =>
    response.text(),
  );

beforeEach(() => {
  kept = new Map();
  asked = [];
  served = new Map([
    [
      '/',
      new Response('<script src="/assets/index-2.js">', {
        headers: { 'content-security-policy': "default-src 'none'" },
      }),
    ],
    ['/assets/index-2.js', new Response('two')],
    ['/favicon.svg', new Response('<svg>')],
    ['/assets/members-en.js', new Response('Hello')],
    ['/assets/members-de.js', new Response('Hallo')],
  ]);
});

describe('the end of a session', () => {
  const ask = (at: { ends: number }) =>
    answerKept(
      new Request(`${origin}/favicon.svg`),
      shell,
      means,
      (work) => void works.push(work),
      () => at.ends,
    );

  it('deletes opened pages, but nothing of the shell', async () => {
    await install();
    await (await means.caches.open('visited-v2')).put('/assets/likes.js', new Response('likes'));
    await dropVisited(means);
    expect([...kept.keys()]).toEqual(['shell-v2']);
  });

  it('stores no answer to a request from before it, however late it arrives', async () => {
    const at = { ends: 0 };
    const asking = ask(at);
    at.ends += 1;
    expect(await (await asking).text()).toBe('<svg>');
    await Promise.all(works.splice(0));
    expect(inCache('visited-v2')).toEqual([]);
    await ask(at);
    await Promise.all(works.splice(0));
    expect(inCache('visited-v2')).toEqual(['/favicon.svg']);
  });
});

describe('pictures shared from another app', () => {
  it('wait for the profile, and are deleted when the session ends', async () => {
    const body = new FormData();
    body.append('pictures', new File(['one'], 'one.jpg', { type: 'image/jpeg' }));
    body.append('pictures', new File(['two'], 'two.png', { type: 'image/png' }));
    body.append('pictures', 'not a file');
    body.append('pictures', new File(['<script>'], 'page.html', { type: 'text/html' }));
    await means.caches.open(sharedCache).then((cache) => cache.put(`${origin}/app/share/7`, new Response('earlier')));
    const answered = await keepShared(new Request(`${origin}/app/share`, { method: 'POST', body }), means);
    expect([answered.status, answered.headers.get('location')]).toEqual([303, '/app/profile?add=shared']);
    expect(inCache(sharedCache)).toEqual(['/app/share/0', '/app/share/1']);
    const kept = await means.caches.match(`${origin}/app/share/1`);
    expect([kept?.headers.get('content-type'), await kept?.text()]).toEqual(['image/png', 'two']);
    await dropVisited(means);
    expect(inCache(sharedCache)).toEqual([]);
  });
});

describe('a picture shared from another app', () => {
  it('opens the profile, and stores none of several if there is no room', async () => {
    const body = new FormData();
    for (const name of ['one.jpg', 'two.jpg']) body.append('pictures', new File(['one'], name, { type: 'image/jpeg' }));
    const open = async (name: string) => {
      const cache = await means.caches.open(name);
      const full = async () => Promise.reject(new DOMException('Full', 'QuotaExceededError'));
      return {
        put: async (key: string, file: Response) => (key.endsWith('1') ? full() : cache.put(key, file)),
      } as Cache;
    };
    const request = new Request(`${origin}/app/share`, { method: 'POST', body });
    const answered = await keepShared(request, { caches: { open, delete: (name) => means.caches.delete(name) } });
    expect([answered.status, inCache(sharedCache)]).toEqual([303, []]);
  });

  it.each([
    ['is kept with 60 MB', 60_000_000, ['image/jpeg', null]],
    ['leaves only its name when it is too large', sharedMaxBytes + 1, [null, 'me.jpg']],
  ])('%s', async (_, size, expected) => {
    const file = Object.defineProperty(new File(['one'], 'me.jpg', { type: 'image/jpeg' }), 'size', { value: size });
    const request = { formData: async () => ({ getAll: () => [file] }) as unknown as FormData } as Request;
    await keepShared(request, means);
    const kept = await means.caches.match(`${origin}/app/share/0`);
    expect([kept?.headers.get('content-type'), kept?.headers.get(tooLargeHeader)]).toEqual(expected);
  });
});

describe('storing the shell', () => {
  it('stores the page with its policy and mark, and each file', async () => {
    await install();
    expect(inCache('shell-v2')).toEqual(['/', '/assets/index-2.js', '/assets/members-en.js', '/favicon.svg']);
    const page = await means.caches.match('/');
    expect(page?.headers.get('content-security-policy')).toBe("default-src 'none'");
    expect(page?.headers.get('server-timing')).toBe(keptPageMark);
  });

  it.each([
    ['the page is of another version', () => served.set('/', new Response('<script src="/assets/index-3.js">'))],
    ['the page is an error', () => served.set('/', new Response('/assets/index-2.js', { status: 503 }))],
    ['a file is gone', () => served.set('/favicon.svg', new Response('', { status: 404 }))],
    ['there is no network', () => served.clear()],
  ])('fails as a whole when %s', async (_, break_) => {
    break_();
    await expect(install()).rejects.toThrow();
    expect(kept.get('shell-v2')?.has('/')).not.toBe(true);
  });

  it.each<[string, string[], string, string?]>([
    ['its language', ['de-AT', 'en'], 'de'],
    ['English if no language is known', ['xx'], 'en'],
    ['the page if no language is known', ['xx'], 'de', '<html dir="ltr" lang="de">'],
    ['its language, if the page is in another one', ['en'], 'en', '<html lang="de">'],
  ])('stores the texts of %s', async (_, tags, language, html = '') => {
    served.set('/', new Response(`${html}<script src="/assets/index-2.js">`));
    await install(...tags);
    expect(inCache('shell-v2').filter((path) => path.includes('members'))).toEqual([`/assets/members-${language}.js`]);
  });

  it('deletes the files of other versions only', async () => {
    for (const name of ['shell-v1', 'visited-v1', 'shell-v2', 'visited-v2']) await means.caches.open(name);
    kept.set('unsent-ada', new Map());
    await dropOthers(shell, means);
    expect([...kept.keys()]).toEqual(['shell-v2', 'visited-v2', 'unsent-ada']);
  });
});

describe('answering files', () => {
  it('answers files from the shell without a request', async () => {
    await install();
    asked = [];
    expect(await answer('/assets/index-2.js')).toBe('two');
    expect(asked).toEqual([]);
  });

  it('fetches files once, and caches them outside the shell', async () => {
    served.set('/assets/page-2.js', new Response('page'));
    expect(await answer('/assets/page-2.js')).toBe('page');
    await Promise.all(works);
    expect(inCache('visited-v2')).toEqual(['/assets/page-2.js']);
    expect(await answer('/assets/page-2.js')).toBe('page');
    expect(asked).toEqual(['/assets/page-2.js']);
  });

  it('passes on errors without storing them', async () => {
    served.set('/assets/gone.js', new Response('gone', { status: 404 }));
    expect(await answer('/assets/gone.js')).toBe('gone');
    await expect(answer('/assets/none.js')).rejects.toThrow();
    expect(inCache('visited-v2')).toEqual([]);
  });
});

describe('answering pages', () => {
  afterEach(() => {
    vi.useRealTimers();
  });
  const page = new Response('from the network');

  it("returns the network's answer, even an error", async () => {
    await install();
    expect(await answerPage(Promise.resolve(page), means)).toBe(page);
    const error = new Response('', { status: 502 });
    expect(await answerPage(Promise.resolve(error), means)).toBe(error);
  });

  it('returns the shell without a network', async () => {
    await install();
    const answered = await answerPage(Promise.reject(new TypeError()), means);
    expect(await answered.text()).toContain('/assets/index-2.js');
  });

  it('returns the shell when the network is too slow, and otherwise waits', async () => {
    let arrive: (response: Response) => void = () => undefined;
    const late = new Promise<Response>((resolve) => {
      arrive = resolve;
    });
    vi.useFakeTimers();
    const waited = answerPage(late, means, 5);
    await vi.advanceTimersByTimeAsync(5);
    await install();
    const shell = answerPage(late, means, 5);
    await vi.advanceTimersByTimeAsync(5);
    expect((await shell).headers.get('server-timing')).toBe(keptPageMark);
    arrive(page);
    expect(await waited).toBe(page);
  });

  it('fails like the network when nothing is stored', async () => {
    await expect(answerPage(Promise.reject(new TypeError('no network')), means)).rejects.toThrow('no network');
  });

  it('leaves no timer running', async () => {
    vi.useFakeTimers();
    await answerPage(Promise.resolve(page), means);
    expect(vi.getTimerCount()).toBe(0);
  });
});
