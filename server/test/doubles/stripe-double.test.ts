import Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStripeClient } from '../../src/features/subscriptions/providers/stripe/api.ts';
import { startStripeDouble, type StripeDouble } from './stripe-double.ts';
import { monthsLater, nextEnd } from './stripe/subscriptions.ts';

let double: StripeDouble;
let stripe: Stripe;
beforeEach(async () => {
  double = await startStripeDouble();
  stripe = createStripeClient({ secretKey: 'sk_test_the_double', apiBase: double.url });
});
afterEach(() => double.close().catch(() => undefined));

describe('the Stripe double', () => {
  it.each<[string, () => Promise<unknown>, RegExp]>([
    ['a path', () => stripe.products.list(), /GET \/v1\/products/],
    ['a parameter', () => stripe.customers.create({ phone: '1' }), /POST \/v1\/customers with phone/],
    ['a nested parameter', () => stripe.customers.create({ address: { city: 'Oslo' } }), /with address\.city/],
    ['an expansion', () => stripe.subscriptions.retrieve('sub_1', { expand: ['schedule'] }), /schedule/],
    [
      'an expansion that is too deep',
      () => stripe.invoices.list({ expand: ['data.payments.data.payment.payment_intent'] }),
      /deeper than 4/,
    ],
    ['a value', () => stripe.invoices.list({ status: 'uncollectible' }), /status=uncollectible/],
  ])('rejects an unknown %s and reports it when closed', async (what, call, words) => {
    if (what === 'an expansion') {
      const customer = await stripe.customers.create({});
      const items = [{ price: double.priceIds.monthly }];
      const made = { customer: customer.id, items, payment_behavior: 'default_incomplete' };
      const { id } = await stripe.subscriptions.create(made);
      await expect(stripe.subscriptions.retrieve(id, { expand: ['schedule'] })).rejects.toThrow();
    } else await expect(call()).rejects.toThrow('does not support');
    await expect(double.close()).rejects.toThrow(words);
  });

  it('expands a field only on request', async () => {
    const customer = await stripe.customers.create({});
    const wish = { customer: customer.id, items: [{ price: double.priceIds.annual }] };
    const made = await stripe.subscriptions.create({ ...wish, payment_behavior: 'default_incomplete' });
    const plain = await stripe.subscriptions.retrieve(made.id, { expand: ['latest_invoice'] });
    const whole = await stripe.subscriptions.retrieve(made.id, { expand: ['latest_invoice.payments'] });
    expect(typeof made.latest_invoice).toBe('string');
    expect(plain.latest_invoice).not.toHaveProperty('payments');
    expect(plain.latest_invoice).not.toHaveProperty('confirmation_secret');
    expect(whole.latest_invoice).toHaveProperty('payments.data.0.payment.payment_intent');
    await double.close();
  });

  it('repeats the answer for a used idempotency key, and refuses another request with it', async () => {
    const options = { idempotencyKey: 'one' };
    const first = await stripe.customers.create({ email: 'a@example.org' }, options);
    const second = await stripe.customers.create({ email: 'a@example.org' }, options);
    expect(second).toEqual(first);
    // The client uses fetch and exposes its response headers.
    expect((second.lastResponse.headers as unknown as Headers).get('idempotent-replayed')).toBe('true');
    const other = stripe.customers.create({ email: 'b@example.org' }, options);
    await expect(other).rejects.toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
    double.world.clock.advance(24 * 3600);
    expect((await stripe.customers.create({ email: 'b@example.org' }, options)).id).not.toBe(first.id);
  });

  it('rejects a wrong API key', async () => {
    const other = createStripeClient({ secretKey: 'sk_test_other', apiBase: double.url });
    await expect(other.customers.list()).rejects.toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
  });
});

describe('calendar months', () => {
  const at = (day: string) => Date.parse(`${day}T10:20:30Z`) / 1000;

  it.each([
    ['2026-10-31', 1, '2026-11-30'],
    ['2026-10-31', 4, '2027-02-28'],
    ['2027-10-31', 4, '2028-02-29'],
    ['2026-10-31', 12, '2027-10-31'],
    ['2028-02-29', 12, '2029-02-28'],
    ['2026-12-15', 1, '2027-01-15'],
  ])('after %s: %i of them end on %s', (start, months, end) => {
    expect(monthsLater(at(start), months)).toBe(at(end));
  });

  it('are counted from the anchor date, not from the end of the previous month', () => {
    expect(nextEnd(at('2026-10-31'), 1, at('2027-02-28'))).toBe(at('2027-03-31'));
    expect(nextEnd(at('2026-10-31'), 3, at('2026-10-31'))).toBe(at('2027-01-31'));
  });
});
