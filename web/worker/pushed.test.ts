import { describe, expect, it, vi } from 'vitest';
import {
  pushNotificationOf,
  openAt,
  ownPath,
  renewSubscription,
  type Screen,
  showPushNotification,
  type Tab,
} from './pushed.ts';

const origin = 'https://heartwood.test';
const pushed = (payload: unknown, ...tags: string[]) => pushNotificationOf(JSON.stringify(payload), origin, tags);

describe('a notification', () => {
  it.each([
    ['message', 'You have a new message', '/app/messages/m1'],
    ['match', 'You have a new match', '/app/matches'],
    ['like', 'Someone likes you', '/app/likes'],
    ['report', 'An update from our support team', '/app/support/r1'],
  ])('of the kind %s reads “%s”', (kind, body, url) => {
    const { title, options } = pushed({ kind, url });
    expect([title, options.body, options.tag, options.data.path]).toEqual(['Heartwood', body, `${kind} ${url}`, url]);
  });

  it.each([
    [1, 'en', '1 new person fits'],
    [3, 'en', '3 new people fit'],
    [3, 'de', '3 neue Leute passen zu dir'],
  ])('of %s new people reads in %s “%s”', (people, language, body) => {
    expect(pushed({ kind: 'fit', url: '/app/discover', language, people }).options.body).toBe(body);
  });

  it.each([
    ['the payload', 'de', ['en-GB'], 'de', 'Du hast eine neue Nachricht'],
    ['the device, without one', undefined, ['de-AT', 'en'], 'de', 'Du hast eine neue Nachricht'],
    ['the device, for an unknown one', '__proto__', ['de-AT'], 'de', 'Du hast eine neue Nachricht'],
    ['English, for unknown ones', ['de'], ['xx'], 'en', 'You have a new message'],
    ['English, for one that begins like ours', undefined, ['plt-MG', 'den'], 'en', 'You have a new message'],
  ])('is in the language of %s', (_, language, tags, lang, body) => {
    const { options } = pushed({ kind: 'message', url: '/app/messages/m1', language }, ...tags);
    expect([options.lang, options.body]).toEqual([lang, body]);
  });

  it('replaces the one of the same conversation, with a sound', () => {
    const tagOf = (url: string) => pushed({ kind: 'message', url }).options.tag;
    expect(tagOf('/app/messages/m1')).toBe(tagOf(`${origin}/app/messages/m1`));
    expect(tagOf('/app/messages/m1')).not.toBe(tagOf('/app/messages/m2'));
    expect(pushed({ kind: 'match', url: '/app/matches' }).options.renotify).toBe(true);
  });

  it('shows nothing else from the payload', () => {
    const { title, options } = pushed({
      kind: 'message',
      url: '/app/messages/m1',
      title: 'Bo',
      body: 'Meet me at six',
      icon: 'https://evil.example/pixel.png',
      tag: 'x',
    });
    expect(JSON.stringify({ title, options })).not.toMatch(/Bo|six|evil|"x"/);
  });

  it.each([
    ['no text', ''],
    ['no JSON', '{'],
    ['null', 'null'],
    ['a list', '[1]'],
    ['a word', '"message"'],
    ['an unknown kind', '{"kind":"payment","url":"/app/premium"}'],
    ['a kind that is a property of every object', '{"kind":"constructor","url":"/app/premium"}'],
    ['a kind that is not a string', '{"kind":["message"]}'],
  ])('only announces something new for %s', (_, text) => {
    const { title, options } = pushNotificationOf(text, origin, []);
    expect([title, options.body, options.tag]).toEqual(['Heartwood', 'You have a new notification', 'news']);
    expect(options.data.path).toBe('/app/discover');
  });
});

describe('showing a notification', () => {
  const show = async (payload: object, { seen, setAppBadge }: Pick<Screen, 'seen' | 'setAppBadge'>) => {
    const shown: { tag: string; silent?: boolean }[] = [];
    const registration: Screen['registration'] = {
      showNotification: async (_title, options) => void shown.push(options as { tag: string }),
      getNotifications: async (filter) =>
        shown
          .filter(({ tag }) => tag === filter?.tag)
          .map((one) => ({ ...one, close: () => shown.splice(shown.indexOf(one), 1) }) as unknown as Notification),
    };
    await showPushNotification(pushed({ kind: 'message', url: '/app/messages/m1', ...payload }), {
      registration,
      seen,
      setAppBadge,
    });
    return shown;
  };

  it.each([[[]], [['/app/messages/m2', '/app/likes']]])(
    'remains and makes a sound while %j is visible',
    async (seen) => {
      expect(await show({}, { seen })).toMatchObject([{ tag: 'message /app/messages/m1', renotify: true }]);
    },
  );

  it('is closed at once while its page is visible', async () => {
    expect(await show({}, { seen: ['/app/messages/m1'] })).toEqual([]);
  });

  it.each([
    [{ unread: 3 }, [[3]]],
    [{ unread: 0, kind: 'match', url: '/app/matches' }, [[0]]],
    [{}, []],
    [{ unread: 'many' }, []],
  ])('with %j is counted on the app icon', async (payload, counts) => {
    const setAppBadge = vi.fn(async () => Promise.reject(new DOMException('no icon')));
    expect(await show(payload, { seen: [], setAppBadge })).toHaveLength(1);
    expect(setAppBadge.mock.calls).toEqual(counts);
  });
});

describe('a subscription that its push service has ended', () => {
  const subscription = (name: string) =>
    ({
      options: { userVisibleOnly: true, applicationServerKey: null },
      toJSON: () => ({
        endpoint: `https://push.example/${name}`,
        keys: { p256dh: `${name} key`, auth: `${name} secret` },
      }),
    }) as unknown as PushSubscription;
  const next = {
    endpoint: 'https://push.example/next',
    keys: { p256dh: 'next key', auth: 'next secret' },
    former: { endpoint: 'https://push.example/former', auth: 'former secret' },
  };
  const subscribe = vi.fn(async () => subscription('next'));

  it.each([
    ['replaced by the browser', { newSubscription: subscription('next') }, 0],
    ['subscribed again by the worker', {}, 1],
  ])('is %s', async (_, change, times) => {
    subscribe.mockClear();
    const fetch = vi.fn<typeof globalThis.fetch>(async () => new Response());
    vi.stubGlobal('fetch', fetch);
    await renewSubscription({ oldSubscription: subscription('former'), ...change }, { subscribe });
    const [[address, { method, headers, body } = {}] = []] = fetch.mock.calls;
    expect([address, method, headers]).toEqual([
      '/api/v1/push-subscriptions',
      'PUT',
      { 'content-type': 'application/json' },
    ]);
    expect(JSON.parse(body as string)).toEqual(next);
    expect(subscribe).toHaveBeenCalledTimes(times);
  });

  it('waits for the app if the browser has lost it', async () => {
    const fetch = vi.fn();
    vi.stubGlobal('fetch', fetch);
    await renewSubscription({ oldSubscription: null }, { subscribe });
    expect(fetch).not.toHaveBeenCalled();
  });
});

describe('the link of a notification', () => {
  it.each([
    ['/app/messages/m1', '/app/messages/m1'],
    [`${origin}/app/likes?tab=sent`, '/app/likes?tab=sent'],
  ])('%s is an address of the app', (address, path) => {
    expect(ownPath(address, origin)).toBe(path);
  });

  it.each([
    'https://evil.example/app/messages',
    '//evil.example/app/messages',
    '/app/../api/v1/auth/logout',
    '/app/%2e%2e/dashboard',
    '/api/v1/auth/profile',
    '/users',
    '/apparel',
    'javascript:alert(1)',
    `https://x@evil.example/app/`,
    '',
    'http://[',
    7,
    null,
    undefined,
  ])('%s is not', (address) => {
    expect(ownPath(address, origin)).toBeNull();
    expect(pushed({ kind: 'message', url: address }).options.data.path).toBe('/app/discover');
  });
});

describe('clicking a notification', () => {
  function tabAt(path: string, focused = false): Tab {
    return { url: origin + path, focused, focus: vi.fn(async () => undefined), navigate: vi.fn(async () => undefined) };
  }
  const openWindow = vi.fn(async () => undefined);
  const open = (tabs: Tab[]) => {
    openWindow.mockClear();
    return openAt('/app/matches', origin, tabs, openWindow);
  };

  it('opens a tab if there is none', async () => {
    await open([]);
    expect(openWindow).toHaveBeenCalledWith('/app/matches');
  });

  it('focuses a tab that shows the address', async () => {
    const [other, there] = [tabAt('/faqs', true), tabAt('/app/matches')];
    await open([other, there]);
    expect(there.focus).toHaveBeenCalled();
    expect(there.navigate).not.toHaveBeenCalled();
    expect(other.navigate).not.toHaveBeenCalled();
    expect(openWindow).not.toHaveBeenCalled();
  });

  it('navigates the front tab, or any', async () => {
    const [one, front] = [tabAt('/faqs'), tabAt('/app/likes', true)];
    await open([one, front]);
    expect(front.navigate).toHaveBeenCalledWith('/app/matches');
    expect(one.navigate).not.toHaveBeenCalled();
    await open([one]);
    expect(one.navigate).toHaveBeenCalledWith('/app/matches');
  });

  it('opens a new tab if none can be navigated', async () => {
    const stuck = { ...tabAt('/faqs'), navigate: async () => Promise.reject(new TypeError()) };
    await open([stuck]);
    expect(openWindow).toHaveBeenCalledWith('/app/matches');
  });
});
