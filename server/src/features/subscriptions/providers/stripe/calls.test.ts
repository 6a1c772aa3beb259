import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { begin, newCustomer, refusalOf, subscribe } from '../../../../../test/payments/payment-bench.ts';
import { startStripeBench, type StripeBench, stripePaymentsAt } from '../../../../../test/payments/stripe-bench.ts';
import { known } from '../../../../../test/doubles/stripe/world.ts';
import { secondsAfter } from '#platform/process/clock.ts';

let bench: StripeBench;
beforeEach(async () => {
  bench = await startStripeBench();
});
afterEach(() => bench.close());

const standing = (id: string) => bench.provider.getSubscription(id);
const minutesAfter = (at: Date, minutes: number) => secondsAfter(at, minutes * 60);
const invoicesOf = async (customerId: string) => (await bench.provider.listInvoices(customerId, { limit: 10 })).data;
const asked = (call: RegExp) =>
  bench.double.requests.filter(({ method, path }) => call.test(`${method} ${path}`)).map(({ key }) => key);

describe('requests to Stripe', () => {
  it('carry the idempotency key of their command', async () => {
    const customerId = await newCustomer(bench);
    const wish = { customerId, plan: 'monthly', trialDays: 0, paymentMethodId: null } as const;
    const start = await bench.provider.createSubscription(wish, 'key:begin');
    await bench.pay(start, 'tok_visa');
    const change = { subscriptionId: start.subscription.id, plan: 'annual', prorate: true } as const;
    await bench.provider.changePlan(change, 'key:change');
    await bench.provider.createSetupIntent(customerId, 'key:card');
    await bench.provider.ensureCustomer({ accountId: 'a-1', email: 'a@example.org', name: null }, 'key:customer');
    expect(asked(/^POST \/v1\/subscriptions$/)).toEqual(['key:begin']);
    expect(asked(/^POST \/v1\/subscriptions\//)).toEqual(['key:change']);
    expect(asked(/^POST \/v1\/setup_intents$/)).toEqual(['key:card']);
    expect(asked(/^POST \/v1\/customers$/)).toContain('key:customer');
  });

  it('find an account’s customer after Stripe has forgotten the key', async () => {
    const person = { accountId: randomUUID(), email: 'ada@example.org', name: 'Ada Vale' };
    const id = await bench.provider.ensureCustomer(person, 'key');
    await bench.provider.ensureCustomer({ ...person, accountId: randomUUID() }, 'another key');
    await bench.moveTo(minutesAfter(await bench.provider.now(), 25 * 60));
    expect(await bench.provider.ensureCustomer(person, 'key')).toBe(id);
    expect(asked(/^POST \/v1\/customers$/)).toHaveLength(2);
  });

  it('find an account’s customer after an address change, and update the address', async () => {
    const person = { accountId: randomUUID(), email: 'ada@example.org', name: 'Ada Vale' };
    const id = await bench.provider.ensureCustomer(person, 'key');
    expect(await bench.provider.ensureCustomer({ ...person, email: 'new@example.org', name: null }, 'key')).toBe(id);
    expect(known(bench.double.world.customers, id)).toMatchObject({ email: 'new@example.org', name: null });
  });

  it('return the current state even for a used key', async () => {
    const customerId = await newCustomer(bench);
    const wish = { customerId, plan: 'monthly', trialDays: 0, paymentMethodId: null } as const;
    const start = await bench.provider.createSubscription(wish, 'key');
    await bench.pay(start, 'tok_visa');
    expect(await bench.provider.createSubscription(wish, 'key')).toMatchObject({
      subscription: { id: start.subscription.id, status: 'active' },
      requiresAction: false,
      clientSecret: null,
    });
  });

  it('are rejected again when the key of a declined change is repeated', async () => {
    const { id, customerId, plan } = await subscribe(bench, { card: 'tok_renewal_fails' });
    const change = { subscriptionId: id, plan: 'annual', prorate: true } as const;
    expect(await refusalOf(bench.provider.changePlan(change, 'key'))).toBe('card_declined');
    expect(await refusalOf(bench.provider.changePlan(change, 'key'))).toBe('card_declined');
    expect((await standing(id)).plan).toBe(plan);
    expect((await invoicesOf(customerId)).map(({ status }) => status)).toEqual(['void', 'paid']);
    expect(await bench.provider.openPayment(id)).toMatchObject({ requiresAction: false, clientSecret: null });
  });
});

describe('a price at Stripe', () => {
  it.each([
    ['another amount', { unitAmount: 1999 }],
    ['another currency', { currency: 'eur' }],
    ['another interval', { intervalCount: 2 }],
    ['an inactive status', { isActive: false }],
  ])('is rejected with %s', async (_what, change) => {
    Object.assign(known(bench.double.world.prices, 'price_month'), change);
    expect(await refusalOf(begin(bench))).toBe('unavailable');
    expect(bench.double.world.subscriptions.size).toBe(0);
  });

  it('is rejected if it does not exist', async () => {
    bench.double.world.prices.delete('price_month');
    expect(await refusalOf(begin(bench))).toBe('unavailable');
  });

  it('still maps to its plan after it was replaced', async () => {
    const before = await subscribe(bench);
    const { world } = bench.double;
    world.prices.set('price_new', { ...known(world.prices, 'price_month'), id: 'price_new', unitAmount: 1799 });
    const environment = {
      ...bench.double.environment,
      STRIPE_PRICE_MONTHLY: 'price_new',
      PREMIUM_PRICE_MONTHLY: '17.99',
    };
    const provider = stripePaymentsAt({ ...bench.double, environment });
    expect(await provider.getSubscription(before.id)).toEqual(before);
    const wish = { customerId: before.customerId, plan: 'monthly', trialDays: 0, paymentMethodId: null } as const;
    const { subscription } = await provider.createSubscription(wish, randomUUID());
    expect(subscription.price).toEqual({ amountMinor: 1799, currency: 'USD' });
  });
});
