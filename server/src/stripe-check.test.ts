import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startStripeDouble, type StripeDouble } from '../test/doubles/stripe-double.ts';
import { known } from '../test/doubles/stripe/world.ts';
import { checkStripe } from './features/subscriptions/providers/stripe/checkup.ts';
import { stripeEventTypes } from './features/subscriptions/providers/stripe/stripe.ts';

const publicUrl = 'https://hearts.example';

let double: StripeDouble;
beforeEach(async () => {
  double = await startStripeDouble();
  const url = `${publicUrl}/api/v1/webhooks/payments`;
  double.world.endpoints.push(
    { id: 'we_other', url: `${publicUrl}/elsewhere`, events: ['*'], isEnabled: true },
    { id: 'we_ours', url, events: [...stripeEventTypes], isEnabled: true },
  );
});
afterEach(() => double.close());

interface Ran {
  code: number | null;
  said: string;
  complained: string;
}

const environmentWith = (changes: Record<string, string>) => ({
  ...process.env,
  PUBLIC_URL: publicUrl,
  ...double.environment,
  ...changes,
});

/** The output of the command by line, and how it ended. */
function linesOf({ code, said, complained }: Ran, key = 'sk_test_the_double') {
  expect(said + complained).not.toContain(key);
  expect(said + complained).not.toContain('whsec');
  return { code, lines: said.trim().split('\n'), complained: complained.trim() };
}

/** Runs the command in this process: starting another takes a second. */
async function check(args: string[] = [], changes: Record<string, string> = {}) {
  let [said, complained] = ['', ''];
  const output = {
    stdout: { write: (words: string) => (said += words) },
    stderr: { write: (words: string) => (complained += words) },
  };
  const code = await checkStripe(args, output, environmentWith(changes));
  return linesOf({ code, said, complained }, changes['STRIPE_SECRET_KEY']);
}

/** Runs the command as `npm run stripe:check` does. */
async function checkAsProcess(args: string[] = []) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'stripe-check.ts'), ...args], {
    env: environmentWith({}),
  });
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return linesOf({ code: child.exitCode, said, complained });
}

const endpoint = () => {
  const [, ours] = double.world.endpoints;
  if (ours === undefined) throw new Error('there is no endpoint');
  return ours;
};

it.each([
  ['in a process of its own', checkAsProcess],
  ['in this process', check],
])('accepts an account with prices and webhook, %s', async (_, run) => {
  expect(await run()).toEqual({
    code: 0,
    lines: [
      'good  The key is a test key.',
      'good  The key works.',
      'good  The monthly price price_month matches the price of the plan here.',
      'good  The quarterly price price_quarter matches the price of the plan here.',
      'good  The annual price price_year matches the price of the plan here.',
      `good  The webhook endpoint for ${endpoint().url} receives every event it needs.`,
    ],
    complained: '',
  });
  expect(double.requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'GET', 'GET']);
});

it('makes a test purchase and leaves nothing behind', async () => {
  const { code, lines } = await check(['--buy']);
  expect(lines.slice(6)).toEqual([
    'good  A customer was created.',
    'good  A subscription was started, and grants nothing until it is paid.',
    'good  It was paid with a test card, and lasts until the end of its period.',
    'good  Its card was stored, and another one can be added.',
    'good  The annual plan would have cost $104.89 more. It was canceled.',
    'good  The customer was deleted.',
  ]);
  expect(code).toBe(0);
  expect([...double.world.subscriptions.values()].map(({ status }) => status)).toEqual(['canceled']);
  expect([...double.world.customers.values()].map(({ isDeleted }) => isDeleted)).toEqual([true]);
});

it('reports which purchase step failed and why, and cleans up', async () => {
  double.answerWith({ status: 500, json: { error: { type: 'api_error' } }, about: /confirm/, times: 9 });
  const { code, lines } = await check(['--buy']);
  expect(lines.at(-1)).toMatch(/^BAD {3}Step 2 of buying failed: type StripeAPIError, status 500/);
  expect(code).toBe(1);
  expect([...double.world.customers.values()].map(({ isDeleted }) => isDeleted)).toEqual([true]);
});

it.each<[string, () => void, RegExp]>([
  ['does not exist', () => double.world.prices.delete('price_month'), /monthly price price_month does not exist\.$/],
  [
    'is not active',
    () => (known(double.world.prices, 'price_year').isActive = false),
    /annual price price_year is not active\.$/,
  ],
  [
    'has another amount',
    () => (known(double.world.prices, 'price_month').unitAmount = 1999),
    /takes \$19\.99, but here it is \$14\.99\.$/,
  ],
  [
    'is in another currency',
    () => (known(double.world.prices, 'price_month').currency = 'eur'),
    /takes €14\.99, but here it is \$14\.99/,
  ],
  [
    'is charged too often',
    () => (known(double.world.prices, 'price_quarter').intervalCount = 1),
    /quarterly price price_quarter is charged every 1 months\.$/,
  ],
])('rejects a price that %s', async (_what, change, words) => {
  change();
  const { code, lines } = await check();
  expect(lines.filter((line) => line.startsWith('BAD'))).toEqual([expect.stringMatching(words)]);
  expect(code).toBe(1);
});

it.each<[string, () => void, RegExp]>([
  ['missing', () => (endpoint().url = 'https://other.example/'), /^BAD {3}No webhook endpoint is registered for https/],
  ['switched off', () => (endpoint().isEnabled = false), /is switched off\.$/],
  [
    'missing events',
    () => (endpoint().events = stripeEventTypes.filter((type) => !/refunded|paid$/.test(type))),
    /does not receive: invoice\.paid, charge\.refunded\.$/,
  ],
])('rejects a webhook endpoint that is %s', async (_what, change, words) => {
  change();
  const { code, lines } = await check();
  expect(lines.at(-1)).toMatch(words);
  expect(code).toBe(1);
});

it('accepts an endpoint that receives all events', async () => {
  endpoint().events = ['*'];
  expect((await check()).code).toBe(0);
});

it('reports a wrong key', async () => {
  const { code, lines } = await check([], { STRIPE_SECRET_KEY: 'sk_test_another' });
  expect(lines[1]).toBe('BAD   The key could not be checked: Stripe does not know the key.');
  expect(code).toBe(1);
});

it.each<[string, string[], Record<string, string>, RegExp]>([
  ['a live key', [], { STRIPE_SECRET_KEY: 'sk_live_the_double' }, /^STRIPE_SECRET_KEY is not a test key/],
  ['a key of an unknown kind', [], { STRIPE_SECRET_KEY: 'rk_the_double' }, /^STRIPE_SECRET_KEY is not a test key/],
  ['to buy with a live key', ['--live', '--buy'], { STRIPE_SECRET_KEY: 'sk_live_x1' }, /^Nothing is bought/],
  ['an incomplete configuration', [], { STRIPE_PRICE_ANNUAL: '' }, /STRIPE_PRICE_ANNUAL is not set/],
  ['the sandbox', [], { PAYMENTS_PROVIDER: 'sandbox' }, /^Payments do not go through Stripe here/],
  ['an unknown option', ['--sell'], {}, /^Use: npm run stripe:check/],
])('refuses %s with a message, without calling Stripe', async (_what, args, changes, words) => {
  const { code, complained } = await check(args, changes);
  expect(complained).toMatch(words);
  expect(complained.split('\n')).toHaveLength(1);
  expect(code).toBe(1);
  expect(double.requests).toEqual([]);
});

it('exits with 1 after a failed check and after a refusal, when run as a separate process', async () => {
  endpoint().isEnabled = false;
  const [failed, refused] = await Promise.all([checkAsProcess(), checkAsProcess(['--sell'])]);
  expect(failed).toEqual({ code: 1, lines: expect.arrayContaining([expect.stringMatching(/^BAD/)]), complained: '' });
  expect(refused).toEqual({ code: 1, lines: [''], complained: expect.stringMatching(/^Use: npm run stripe:check/) });
});

it('checks a live account on request', async () => {
  const { lines } = await check(['--live'], { STRIPE_SECRET_KEY: 'sk_live_the_double' });
  expect(lines[0]).toBe('good  The key is a live one: nothing is bought.');
  expect(double.requests.length).toBeGreaterThan(0);
});
