import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createNetServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium, type Page } from 'playwright-core';
import { createServer } from 'vite';
import { enableTotp, setUpTotp } from '#contract/auth/factors.ts';
import { login } from '#contract/auth/session.ts';
import { getCards } from '#contract/discovery.ts';
import { apiBasePath } from '#contract/constants.ts';
import { createSubscription } from '#contract/subscriptions/subscriptions.ts';
import { demoAccounts } from '../demo/accounts.ts';
import { demoProviders } from '../demo/providers.ts';
import { seedDemo } from '../demo/seed.ts';
import { callerOf } from '../e2e/support/server-calls.ts';
import { buildApp } from '../server/src/app.ts';
import { importPlaces } from '../server/src/features/profiles/place/import-places.ts';
import { readConfig } from '../server/src/platform/config/config.ts';
import { createPool } from '../server/src/platform/db/pool.ts';
import { startWorker } from '../server/src/platform/jobs/worker.ts';
import { systemClock } from '../server/src/platform/process/clock.ts';
import { createLog } from '../server/src/platform/process/log.ts';
import { confirm, enterCard } from '../server/test/doubles/stripe/payments.ts';
import { startStripeDouble } from '../server/test/doubles/stripe-double.ts';
import { codeAt } from '../server/test/factors.ts';
import startTestDatabase from '../server/test/global-setup.ts';
import { cloneDatabase } from '../server/test/harness.ts';
import { sessionIn } from '../server/test/session-in.ts';
import { coverServer, coverTab, type Coverage, type End } from './coverage.ts';

/*
 * node lab/flow-files.ts [--list]: through how many files of the product a flow runs, from the input to its effect.
 *
 * A file counts if one of its functions is called in between, on the server or in a browser; types, libraries, declarations and tests
 * don't. Each flow runs twice and the second run counts, so that loading is left out. On the way to another person's screen the
 * sender's browser counts until the command leaves it; a sign-in counts until the session is stored.
 * The target is for the files of the flow itself. Those that know no feature run for every request or screen; they are the second figure.
 */
const isShared = (path: string) => /^(server\/src\/platform|web\/src\/(api|ui))\/|^contract\/src\/text\.ts$/.test(path);

const [administrator, , ada, bo] = demoAccounts;
/** Until no request or redraw of the preparations is pending. */
const settleMs = 2500;
const effectWithinMs = 10_000;
/** Enough that a page leaves cards for the next one: otherwise each page makes a new deck. */
const members = 600;

const showsFiles = process.argv.includes('--list');
const say = (line: string) => process.stdout.write(`${line}\n`);
let missed = 0;

type Account = Pick<(typeof demoAccounts)[number], 'email' | 'password'>;

async function freePort(): Promise<number> {
  const server = createNetServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const stopDatabase = await startTestDatabase();
const database = await cloneDatabase();
const mediaDir = await mkdtemp(join(tmpdir(), 'heartwood-media-'));
const stripe = await startStripeDouble(new Date());
const webPort = await freePort();
const webUrl = `http://localhost:${webPort}`;
const environment = { RATE_LIMITS: 'off', SEED: 'none', MEDIA_DIR: mediaDir, PUBLIC_URL: webUrl };
const pool = createPool(database.url, { max: 12 });
await importPlaces(pool);
await seedDemo(pool, { members, now: systemClock.now() });
const log = createLog('error');
const config = readConfig({ ...environment, ...stripe.environment });
const app = await buildApp({ config, pool, clock: systemClock, log, providers: demoProviders });
const worker = await startWorker(pool, app.background.tasks, [], {
  concurrency: 1,
  log,
  restarts: { inc: () => undefined },
});
const apiUrl = await app.listen({ host: '127.0.0.1', port: 0 });
const call = callerOf(apiUrl);

Object.assign(process.env, { PORT: new URL(apiUrl).port, WEB_PORT: String(webPort) });
const vite = await createServer({
  configFile: join(import.meta.dirname, '../vite.config.ts'),
  logLevel: 'error',
  server: { hmr: false, watch: null },
});
await vite.listen();
const browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] || '/usr/bin/chromium' });
const server = await coverServer();

const tokenOf = async ({ email, password }: Account) =>
  sessionIn((await call(login, { body: { email, password } })).body);

interface Tab {
  page: Page;
  coverage: Coverage;
  close(): Promise<void>;
}

async function openTab(account?: Account, end?: End): Promise<Tab> {
  const session = account && (await tokenOf(account));
  const localStorage = session && [
    { name: 'token', value: session.token },
    { name: 'refreshToken', value: session.refreshToken },
    { name: 'user', value: JSON.stringify(session.user) },
  ];
  const context = await browser.newContext({
    baseURL: webUrl,
    serviceWorkers: 'block',
    reducedMotion: 'reduce',
    storageState: { cookies: [], origins: localStorage ? [{ origin: webUrl, localStorage }] : [] },
  });
  const page = await context.newPage();
  return { page, coverage: await coverTab(page, end), close: () => context.close() };
}

async function query<T extends object>(text: string, values: unknown[] = []): Promise<T[]> {
  return (await pool.query<T>(text, values)).rows;
}

async function idOf({ email }: Account): Promise<string> {
  const [row] = await query<{ id: string }>('select id from account where email = $1', [email]);
  return row?.id ?? '';
}

interface Flow {
  name: string;
  mostFiles: number;
  /** The browsers that take part, in order. */
  tabs?: Tab[];
  /** Prepares everything up to the input. */
  prepare(): Promise<void>;
  /** Gives the input and waits for the effect. */
  run(): Promise<void>;
}

async function measure({ name, mostFiles, tabs = [], prepare, run }: Flow): Promise<void> {
  const parts = [server, ...tabs.map(({ coverage }) => coverage)];
  let files: string[] = [];
  for (const isCounted of [false, true]) {
    await prepare();
    if (tabs.length > 0) await pause(settleMs);
    for (const part of parts) await part.reset();
    await run();
    if (isCounted) files = [...new Set((await Promise.all(parts.map((part) => part.files()))).flat())].sort();
  }
  await Promise.all(tabs.map((tab) => tab.close()));
  const own = files.filter((path) => !isShared(path));
  const isMissed = own.length > mostFiles;
  if (isMissed) missed += 1;
  say(
    `${name.padEnd(44)} ${own.length} (at most ${mostFiles}${isMissed ? ', MISSED' : ''}), ${files.length} with shared`,
  );
  if (showsFiles) for (const path of files) say(`  ${isShared(path) ? 'shared' : '      '} ${path}`);
}

async function measureLike(): Promise<void> {
  const [sender, receiver] = [await openTab(ada, 'command'), await openTab(bo)];
  const [adaId, boId] = [await idOf(ada), await idOf(bo)];
  const button = sender.page.getByRole('button', { name: 'Like Bo', exact: true });
  await measure({
    name: "a like, button to the other person's screen",
    mostFiles: 16,
    tabs: [sender, receiver],
    async prepare() {
      await query('delete from match where $1 in (low_id, high_id)', [boId]);
      await query('delete from decision where (viewer_id, target_id) in (($1, $2), ($2, $1))', [adaId, boId]);
      await query('delete from notification where account_id = $1', [boId]);
      await receiver.page.goto('/faqs');
      await receiver.page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
      await sender.page.goto(`/app/members/${boId}`);
      await button.waitFor();
    },
    async run() {
      await button.click();
      await receiver.page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor();
    },
  });
}

async function measureReport(): Promise<void> {
  const [sender, staff] = [await openTab(ada, 'command'), await openTab(administrator)];
  let description = '';
  await measure({
    name: "a report, form to the administrator's list",
    mostFiles: 24,
    tabs: [sender, staff],
    async prepare() {
      description += 'The page stays empty. ';
      await staff.page.goto('/reports');
      await sender.page.goto('/app/support/new');
      await sender.page.getByLabel('What is it about?').selectOption('Bug Report');
      await sender.page.getByLabel('What happened?').fill(description);
    },
    async run() {
      await sender.page.getByRole('button', { name: 'Send report' }).click();
      await staff.page.getByText(description.trim(), { exact: true }).first().waitFor();
    },
  });
}

async function measureSignIn(): Promise<void> {
  const { token } = await tokenOf(bo);
  const { secret } = (await call(setUpTotp, { token, body: { password: bo.password } })).body.data;
  // Each code is accepted once, so every step of the flow uses the next one.
  let step = -1;
  const code = () => codeAt(secret, new Date(), step++);
  await call(enableTotp, { token, body: { code: code() } });
  const tab = await openTab(undefined, 'session');
  const { page } = tab;
  await measure({
    name: 'a sign-in with a second factor',
    mostFiles: 18,
    tabs: [tab],
    async prepare() {
      // What the next page asks for is not part of signing in.
      await page.route(/\/api\/v1\/(?!auth\/)/, () => undefined);
      await page.goto('/app/sign-in');
      if (step > 0) {
        await page.evaluate('localStorage.clear()');
        await page.goto('/app/sign-in');
      }
      await page.getByLabel('Email').fill(bo.email);
      await page.getByRole('textbox', { name: 'Password' }).fill(bo.password);
    },
    async run() {
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByLabel('Code from your app').fill(code());
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.waitForURL('**/app/discover');
    },
  });
}

async function measureDiscovery(): Promise<void> {
  const { token } = await tokenOf(ada);
  const run = async () => void (await call(getCards, { token })).body;
  await measure({ name: 'a discovery page, deck built', mostFiles: 12, prepare: run, run });
  const prepare = async () => void (await query('delete from deck'));
  await measure({ name: 'a discovery page, deck rebuilt', mostFiles: 18, prepare, run });
}

async function measureWebhook(): Promise<void> {
  const { token } = await tokenOf(ada);
  const { clientSecret } = (await call(createSubscription, { token, body: { plan: 'monthly' } })).body.data;
  const intent = [...stripe.world.intents.values()].find(({ secret }) => secret === clientSecret);
  if (intent === undefined) throw new Error('nothing is to be paid');
  confirm(stripe.world, intent, enterCard(stripe.world, 'tok_visa'), 'entered');
  const paid = stripe.world.deliveries.at(-1);
  if (paid === undefined) throw new Error('nothing was delivered');
  await measure({
    name: 'a payment webhook, to the paid period',
    mostFiles: 13,
    async prepare() {
      await query('delete from provider_event');
      await query("update subscription set status = 'incomplete', paid_through = null, ever_paid = false");
      await query('update account set is_vip = false where email = $1', [ada.email]);
    },
    async run() {
      const headers = { 'content-type': 'application/json', 'stripe-signature': paid.signature };
      await fetch(`${apiUrl}${apiBasePath}/webhooks/payments`, { method: 'POST', headers, body: paid.raw });
      await until('select from account where email = $1 and is_vip', [ada.email]);
    },
  });
}

/** Waits until the query has a row. */
async function until(text: string, values: unknown[]): Promise<void> {
  const started = performance.now();
  while ((await query(text, values)).length === 0) {
    if (performance.now() - started > effectWithinMs) throw new Error(`no effect within ${effectWithinMs} ms`);
    await pause(20);
  }
}

try {
  await measureLike();
  await measureReport();
  await measureSignIn();
  await measureDiscovery();
  await measureWebhook();
} finally {
  await browser.close();
  await vite.close();
  await app.close();
  await worker.stop();
  await pool.end();
  await stripe.close();
  await rm(mediaDir, { recursive: true, force: true });
  await stopDatabase?.();
}
process.exit(missed === 0 ? 0 : 1);
