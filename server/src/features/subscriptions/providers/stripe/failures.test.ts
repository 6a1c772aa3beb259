import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { begin, newCustomer, refusalOf, subscribe } from '../../../../../test/payments/payment-bench.ts';
import { startStripeBench, type StripeBench, stripePaymentsAt } from '../../../../../test/payments/stripe-bench.ts';
import { createLog } from '#platform/process/log.ts';
import type { PaymentProvider, ProviderSubscription } from '../provider.ts';
import { declineCode } from './api.ts';

let bench: StripeBench;
let lines: string;
let provider: PaymentProvider;
let paid: ProviderSubscription;
beforeEach(async () => {
  bench = await startStripeBench();
  paid = await subscribe(bench);
  lines = '';
  const sink = new PassThrough();
  sink.on('data', (chunk: Buffer) => (lines += chunk.toString()));
  provider = stripePaymentsAt(bench.double, { log: createLog('debug', sink), timeoutMs: 80 });
});
afterEach(() => bench.close());

const person = { accountId: 'account-1', email: 'ada@example.org', name: 'Ada Vale' };
const commands = Object.entries<() => Promise<unknown>>({
  ensureCustomer: () => provider.ensureCustomer(person, randomUUID()),
  createSubscription: () =>
    provider.createSubscription(
      { customerId: paid.customerId, plan: 'monthly', trialDays: 0, paymentMethodId: null },
      randomUUID(),
    ),
  openPayment: () => provider.openPayment(paid.id),
  getSubscription: () => provider.getSubscription(paid.id),
  'getIntent of a payment': () => provider.getIntent(paid.latestIntentId ?? ''),
  'getIntent of a setup': () => provider.getIntent('seti_1'),
  previewChange: () => provider.previewChange({ customerId: paid.customerId, subscriptionId: paid.id, plan: 'annual' }),
  changePlan: () => provider.changePlan({ subscriptionId: paid.id, plan: 'annual', prorate: true }, randomUUID()),
  setCancelAtPeriodEnd: () => provider.setCancelAtPeriodEnd(paid.id, true),
  cancelNow: () => provider.cancelNow(paid.id),
  payOpenInvoice: () => provider.payOpenInvoice(paid.id),
  createSetupIntent: () => provider.createSetupIntent(paid.customerId, randomUUID()),
  listPaymentMethods: () => provider.listPaymentMethods(paid.customerId),
  setDefaultPaymentMethod: () => provider.setDefaultPaymentMethod(paid.customerId, 'pm_1'),
  removePaymentMethod: () => provider.removePaymentMethod(paid.customerId, 'pm_1'),
  listInvoices: () => provider.listInvoices(paid.customerId, { limit: 3 }),
  deleteCustomer: () => provider.deleteCustomer(paid.customerId),
});

describe.each(commands)('%s', (name, command) => {
  it.each<[string, number, unknown]>([
    ['an empty answer', 200, {}],
    ['a 404 without an error', 404, { message: 'not found' }],
    ['a list that is not an array', 200, { object: 'list', data: null }],
    ['an object without its fields', 200, { id: 'x_1', object: 'subscription', status: 'active' }],
    ['another kind of object', 200, { id: 'prod_1', object: 'product', name: 'Premium' }],
  ])('does not mistake %s for success', async (_what, status, json) => {
    bench.double.answerWith({ status, json, times: Number.POSITIVE_INFINITY });
    expect(await refusalOf(command())).toBe('unavailable');
    expect(lines).toContain('"outcome":"unavailable"');
    expect(lines).toContain(`"call":"${name.split(' ')[0]}"`);
  });
});

// The first calls get real answers, only the tested call does not.
const later: [string, RegExp, () => Promise<unknown>][] = [
  ['a new customer', /^POST \/v1\/customers$/, () => provider.ensureCustomer(person, randomUUID())],
  ['the paid invoices', /^GET \/v1\/invoices/, () => provider.getSubscription(paid.id)],
  ['the payment of an invoice', /^GET \/v1\/payment_intents/, () => provider.getSubscription(paid.id)],
  ['the charges', /^GET \/v1\/charges/, () => provider.listInvoices(paid.customerId, { limit: 3 })],
  [
    'the preview',
    /create_preview/,
    () => provider.previewChange({ customerId: paid.customerId, subscriptionId: paid.id, plan: 'annual' }),
  ],
  [
    'the change',
    /^POST \/v1\/subscriptions/,
    () => provider.changePlan({ subscriptionId: paid.id, plan: 'annual', prorate: true }, randomUUID()),
  ],
  ['the cancellation', /^DELETE/, () => provider.cancelNow(paid.id)],
  ['the cards', /payment_methods$/, () => provider.listPaymentMethods(paid.customerId)],
];

describe.each(later)('an answer with %s', (_what, about, command) => {
  it('is rejected without its fields', async () => {
    bench.double.answerWith({ about, times: Number.POSITIVE_INFINITY });
    expect(await refusalOf(command())).toBe('unavailable');
  });
});

it('a plan change with an unreadable payment is reported and not canceled', async () => {
  const start = await begin(bench);
  await bench.pay(start, 'tok_challenge');
  await bench.answerBank(start, 'approve');
  bench.double.answerWith({ about: /^GET \/v1\/payment_intents/, times: Number.POSITIVE_INFINITY });
  const { id } = start.subscription;
  const change = { subscriptionId: id, plan: 'annual', prorate: true } as const;
  expect(await refusalOf(provider.changePlan(change, randomUUID()))).toBe('unavailable');
  bench.double.answerWith({ times: 0 });
  const open = await provider.openPayment(id);
  expect(open).toMatchObject({ requiresAction: true, subscription: { status: 'active', plan: 'monthly' } });
  await bench.answerBank(open, 'approve');
  expect(await provider.getSubscription(id)).toMatchObject({ plan: 'annual' });
});

describe('a call to Stripe', () => {
  const ask = () => provider.getSubscription(paid.id);
  const error = (facts: object) => ({
    error: { message: 'ada@example.org used 4242 with sk_test_the_double', ...facts },
  });

  it.each<[number, object, string]>([
    [500, { type: 'api_error' }, 'unavailable'],
    [502, { type: 'api_error' }, 'unavailable'],
    [503, { type: 'api_error' }, 'unavailable'],
    [409, { type: 'idempotency_error', code: 'idempotency_key_in_use' }, 'unavailable'],
    [429, { type: 'invalid_request_error', code: 'rate_limit' }, 'rate_limited'],
    [429, { type: 'invalid_request_error', code: 'lock_timeout' }, 'rate_limited'],
    [401, { type: 'invalid_request_error' }, 'unavailable'],
    [403, { type: 'invalid_request_error' }, 'unavailable'],
    [400, { type: 'invalid_request_error', code: 'parameter_unknown', param: 'plan' }, 'invalid'],
    [404, { type: 'invalid_request_error', code: 'resource_missing', param: 'id' }, 'invalid'],
    [400, { type: 'idempotency_error' }, 'invalid'],
    [402, { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds' }, 'insufficient_funds'],
    [402, { type: 'card_error', code: 'card_declined', decline_code: 'do_not_honor' }, 'card_declined'],
  ])('maps an answer of %i with %j to %s', async (status, facts, code) => {
    bench.double.answerWith({ status, json: error(facts), times: 2 });
    expect(await refusalOf(ask())).toBe(code);
    expect(lines).not.toMatch(/example|4242|sk_test/);
  });

  it('is retried exactly once', async () => {
    bench.double.requests.length = 0;
    bench.double.answerWith({ status: 503, json: error({}), times: 1 });
    expect(await ask()).toEqual(paid);
    bench.double.requests.length = 0;
    bench.double.answerWith({ status: 503, json: error({}), times: 9 });
    expect(await refusalOf(ask())).toBe('unavailable');
    expect(bench.double.requests).toHaveLength(2);
  });

  it('is unavailable and logged when Stripe takes too long', async () => {
    bench.double.hang(2);
    expect(await refusalOf(ask())).toBe('unavailable');
    expect(lines).toContain('"type":"StripeConnectionError","code":"ETIMEDOUT"');
  });

  it('is retried when Stripe is slow once', async () => {
    bench.double.hang(1);
    expect(await ask()).toEqual(paid);
  });

  it('is unavailable when Stripe does not answer with JSON', async () => {
    bench.double.answerWith({ status: 200, json: undefined, times: 2 });
    expect(await refusalOf(ask())).toBe('unavailable');
  });

  it('is unavailable when Stripe rejects our key, which is not logged', async () => {
    const environment = { ...bench.double.environment, STRIPE_SECRET_KEY: 'sk_test_a_wrong_one' };
    provider = stripePaymentsAt({ ...bench.double, environment });
    expect(await refusalOf(provider.getSubscription(paid.id))).toBe('unavailable');
    expect(lines).not.toContain('wrong_one');
  });

  it('is repeated with the same key when its answer was lost', async () => {
    const customerId = await newCustomer(bench);
    bench.double.loseAnswers(/^POST/, 1);
    const wish = { customerId, plan: 'annual', trialDays: 0, paymentMethodId: null } as const;
    await provider.createSubscription(wish, 'a key');
    expect(bench.double.requests.filter(({ key }) => key === 'a key')).toHaveLength(2);
    expect(
      [...bench.double.world.subscriptions.values()].filter((each) => each.customerId === customerId),
    ).toHaveLength(1);
  });
});

it.each<[string | undefined, string | undefined, string]>([
  ['card_declined', 'generic_decline', 'card_declined'],
  ['card_declined', 'insufficient_funds', 'insufficient_funds'],
  ['card_declined', 'lost_card', 'card_declined'],
  ['card_declined', 'authentication_required', 'authentication_failed'],
  ['authentication_required', undefined, 'authentication_failed'],
  ['payment_intent_authentication_failure', undefined, 'authentication_failed'],
  ['setup_intent_authentication_failure', undefined, 'authentication_failed'],
  ['invoice_payment_intent_requires_action', undefined, 'authentication_failed'],
  ['expired_card', undefined, 'expired_card'],
  ['expired_card', 'expired_card', 'expired_card'],
  ['card_decline_rate_limit_exceeded', undefined, 'rate_limited'],
  ['incorrect_cvc', 'incorrect_cvc', 'card_declined'],
  ['processing_error', undefined, 'card_declined'],
  [undefined, undefined, 'card_declined'],
])('maps a card declined with %s, %s to %s', (code, reason, expected) => {
  expect(declineCode({ code, decline_code: reason })).toBe(expected);
});
