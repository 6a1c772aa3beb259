import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { listOutbox } from '#contract/system.ts';
import { serviceForTests } from '../support/harness.ts';
import { people, type Credentials } from '../support/visitor.ts';
import type { EnginePage } from './engine.ts';
import { openFirefox } from './firefox.ts';
import { openOldWebKit, openWebKit } from './webkit.ts';

// Enough for each engine to swipe cards of its own.
const service = serviceForTests({ members: 200, host: 'localhost' });

const engines = { firefox: openFirefox, webkit: openWebKit, 'old webkit': openOldWebKit } as const;
type Engine = keyof typeof engines;
/** The engines that `scripts/engines.ts` found; all by default. */
const found = (process.env['ENGINES']?.split(',') ?? Object.keys(engines)) as Engine[];

const waiting = { timeout: 60_000, interval: 50 };
const note = '//*[@role="group"][contains(@aria-label, "oice message")]';
const password = 'four quiet walnut trees';

/** The network between a browser and the service, which can be cut. */
async function openNetwork(): Promise<{ url: string; cut(): Promise<void>; restore(): Promise<void> }> {
  const target = Number(new URL(service.url).port);
  const open = new Set<Socket>();
  const keep = (socket: Socket) => {
    open.add(socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket)));
    return socket;
  };
  const server = createServer((near) => {
    const far = keep(connect(target, '127.0.0.1'));
    keep(near).pipe(far).pipe(near);
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    cut: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
    },
    restore: () => listen(port),
  };
}

const button = (name: string) => `//button[@aria-label="${name}" or normalize-space()="${name}"]`;
const field = (label: string) => `//*[@id=//label[starts-with(normalize-space(), "${label}")]/@for]`;
const text = (words: string) => `//*[text()[contains(., "${words}")]]`;
/** The picture of the first card, or its name if the picture does not load. */
const face = '(//article[@data-place="0"]//*[self::img or self::h2])[1]';
const composer = '//textarea[starts-with(@aria-label, "Write to ")]';

/** The steps of people in a tab; each waits until it is possible. */
function stepsIn(page: EnginePage) {
  const see = async (xpath: string) => expect.poll(() => page.has(xpath), { ...waiting, message: xpath }).toBe(true);
  return {
    see,
    press: (xpath: string) => vi.waitFor(() => page.click(xpath), waiting),
    type: async (xpath: string, words: string) => {
      await see(xpath);
      await page.type(xpath, words);
    },
    arrive: (path: string) => expect.poll(() => page.evaluate('location.pathname'), waiting).toBe(path),
  };
}

/** Opens a page as a visitor who is new to the browser. */
async function visit(page: EnginePage, address: string): Promise<void> {
  await page.goto(new URL('/privacy', address).href);
  await page.evaluate('localStorage.clear()');
  await page.goto(address);
}

async function signIn(page: EnginePage, address: string, { email, password }: Credentials): Promise<void> {
  const { type, press } = stepsIn(page);
  await visit(page, address);
  await type(field('Email'), email);
  await type(field('Password'), password);
  await press('//main//button[@type="submit"]');
}

/** Opens Ada's newest conversation. */
async function openConversation(page: EnginePage, url: string): Promise<void> {
  const { see, press, arrive } = stepsIn(page);
  await signIn(page, `${url}/app/sign-in`, people.ada);
  await arrive('/app/discover');
  await page.goto(`${url}/app/messages`);
  await press('(//ul[@aria-label="Conversations"]//a)[1]');
  await see(composer);
}

describe.each(found.filter((name) => name !== 'old webkit'))('in %s', (name) => {
  let page: EnginePage;
  let network: Awaited<ReturnType<typeof openNetwork>>;
  beforeAll(async () => {
    network = await openNetwork();
    page = await engines[name]();
  });
  afterAll(async () => {
    await page.close();
    await network.cut();
  });

  it('a visitor joins', async () => {
    const { press, type, arrive } = stepsIn(page);
    const email = `${name}@example.test`;
    await visit(page, `${network.url}/app/join`);
    const go = () => press('//main//button[@type="submit"]');
    await type('//input[@name="email"]', email);
    await go();
    await type('//input[@name="firstName"]', 'Wilma');
    await go();
    for (const [part, digits] of Object.entries({ month: '04', day: '12', year: '1991' }))
      await type(`//input[@name="${part}"]`, digits);
    await go();
    await type('//input[@name="password"]', password);
    await go();
    await arrive('/app/verify-email');
    const code = await vi.waitFor(async () => {
      const { mails } = (await service.call(listOutbox, { query: { to: email } })).body.data;
      return mails[0]?.code ?? expect.unreachable('no mail yet');
    }, waiting);
    await type('//input[@name="code"]', code);
    await arrive('/app/welcome');
  });

  it('a member sends a message from a field that grows', async () => {
    const { see, press, type } = stepsIn(page);
    await openConversation(page, network.url);
    const height = () =>
      page.evaluate<number>(`document.querySelector('textarea[aria-label^="Write to "]').offsetHeight`);
    const low = await height();
    await type(composer, 'This message is much longer than one line on any phone, so that its field grows.');
    await expect.poll(height, waiting).toBeGreaterThan(low * 1.3);
    await press(button('Send'));
    await see(`//li${text('This message is much longer')}`);
    await expect.poll(height, waiting).toBe(low);
  });

  it('a member records a voice message and sends it', async () => {
    const { see, press } = stepsIn(page);
    await openConversation(page, network.url);
    await see(button('Record a voice message'));
    // A press of the pointer records only while it is held.
    await page.evaluate(`document.querySelector('button[aria-label="Record a voice message"]').click()`);
    await see('//*[@role="timer"][starts-with(normalize-space(), "0:03")]');
    await press(button('Stop recording'));
    // The pointer misses a button that moves while the recording is being laid out above it.
    await vi.waitFor(async () => {
      if (!(await page.has(`//li${note}`))) await page.click(button('Send'));
      await expect.poll(() => page.has(`//li${note}`), { ...waiting, timeout: 10_000 }).toBe(true);
    }, waiting);
  });

  it('the app starts without a network', async () => {
    const { see } = stepsIn(page);
    await visit(page, `${network.url}/faqs`);
    await page.evaluate(`navigator.serviceWorker.register('/sw.js').then(() => undefined)`);
    await expect.poll(() => page.evaluate('navigator.serviceWorker.controller?.state'), waiting).toBe('activated');
    await network.cut();
    try {
      for (const [path, title] of [
        ['/faqs', 'Frequently Asked Questions'],
        ['/privacy', 'Privacy Policy'],
      ] as const) {
        await page.goto(network.url + path);
        await see(`//h1[normalize-space()="${title}"]`);
      }
    } finally {
      await network.restore();
    }
  });

  it('a member swipes cards with the mouse on a wide screen', async () => {
    const { see, arrive } = stepsIn(page);
    const decisions = async () => {
      const { rows } = await service.pool.query<{ kind: string }>(
        `select d.kind from decision d join account a on a.id = d.viewer_id where a.email = $1 and d.decided_at > $2`,
        [people.bo.email, startedAt],
      );
      return rows.map(({ kind }) => kind).toSorted();
    };
    const startedAt = new Date();
    await page.resize(1280, 800);
    await signIn(page, `${network.url}/app/sign-in`, people.bo);
    await arrive('/app/discover');
    await see(face);
    expect(await page.evaluate('innerWidth')).toBeGreaterThan(1200);
    const name = () => page.evaluate<string>(`document.querySelector('[data-place="0"] h2').textContent`);
    for (const [px, kinds] of [
      [-200, ['pass']],
      [200, ['like', 'pass']],
    ] as const) {
      const before = await name();
      // The pointer misses a card that is still being laid out for the wide window.
      await vi.waitFor(async () => {
        await page.drag(face, px);
        await expect.poll(name, { ...waiting, timeout: 10_000 }).not.toBe(before);
      }, waiting);
      await expect.poll(decisions, waiting).toEqual(kinds);
    }
    await page.resize(390, 844);
  });

  it('staff look up a user', async () => {
    const { see, arrive, type } = stepsIn(page);
    await signIn(page, `${network.url}/login`, people.administrator);
    await arrive('/dashboard');
    await page.goto(`${network.url}/users`);
    await type(field('Search'), people.bo.email);
    await see(button('View Bo Hansen'));
  });
});

describe.each(found.filter((name) => name === 'old webkit'))('in %s', (name) => {
  let page: EnginePage;
  beforeAll(async () => {
    page = await engines[name]();
  });
  afterAll(() => page.close());

  it.each([
    ['en', 'Heartwood needs a newer browser.'],
    ['tr', 'Heartwood için daha yeni bir tarayıcı gerekir.'],
  ])(
    'a visitor with an old browser reads in their language (%s) that they need a newer one',
    async (language, sentence) => {
      const { see } = stepsIn(page);
      await page.goto(`${service.url}/app/sign-in?lang=${language}`);
      await see(text(sentence));
      const colours = '(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.body))';
      expect(await page.evaluate(colours)).toEqual(['rgb(36, 26, 22)', 'rgb(252, 248, 243)']);
    },
  );
});
