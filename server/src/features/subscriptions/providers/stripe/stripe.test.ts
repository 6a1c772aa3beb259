import { describe, expect, it } from 'vitest';
import { describePaymentProvider } from '../../../../../test/payments/payment-provider-suite.ts';
import { startStripeBench } from '../../../../../test/payments/stripe-bench.ts';
import { production } from '../../../../../test/production.ts';
import { stripeEnvironment } from '../../../../../test/doubles/stripe-double.ts';
import { sign } from '../../../../../test/doubles/stripe/events.ts';
import { readConfig } from '#platform/config/config.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { BadSignature } from '../provider.ts';
import { readEvent, stripeEventTypes } from './stripe.ts';

describePaymentProvider('Stripe', startStripeBench, { canBeDown: true });

describe('the Stripe configuration', () => {
  const { PAYMENTS_PROVIDER: _, STRIPE_API_BASE: base, ...whole } = stripeEnvironment('http://127.0.0.1:9');

  it('makes Stripe the provider when it is complete, with every webhook secret', () => {
    const environment = { ...whole, STRIPE_WEBHOOK_SECRET: 'whsec_new, whsec_old' };
    expect(readConfig(environment).payments).toMatchObject({
      provider: 'stripe',
      apiBase: null,
      webhookSecrets: ['whsec_new', 'whsec_old'],
    });
  });

  it.each(Object.keys(whole))('stops the start when %s is missing, and names it', (name) => {
    expect(() => readConfig({ ...whole, [name]: '' })).toThrow(name);
  });

  it('accepts another Stripe address only in tests', () => {
    const environment = { ...whole, STRIPE_API_BASE: base };
    expect(readConfig(environment).payments).toMatchObject({ apiBase: base });
    expect(() => readConfig({ ...production, ...environment })).toThrow('STRIPE_API_BASE');
  });
});

const now = new Date('2026-11-20T12:00:00Z');
const created = now.getTime() / 1000;
const secrets = ['whsec_new', 'whsec_old'];

function deliver(body: unknown, { secret = 'whsec_new', at = now } = {}) {
  const raw = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return readEvent(secrets, raw, sign(raw, secret, at.getTime() / 1000), now);
}

const event = (type: string, object: object, previous_attributes?: object) => ({
  id: 'evt_1',
  object: 'event',
  type,
  created,
  data: { object, ...(previous_attributes && { previous_attributes }) },
});

const parent = { type: 'subscription_details', subscription_details: { subscription: 'sub_1' } };
const objects: Record<string, [object, object?]> = {
  'customer.subscription': [{ id: 'sub_1', object: 'subscription', customer: 'cus_1' }],
  invoice: [{ id: 'in_1', object: 'invoice', customer: 'cus_1', parent }],
  setup_intent: [{ id: 'seti_1', object: 'setup_intent', customer: 'cus_1' }],
  'payment_method.attached': [{ id: 'pm_1', object: 'payment_method', customer: 'cus_1' }],
  'payment_method.detached': [{ id: 'pm_1', object: 'payment_method', customer: null }, { customer: 'cus_1' }],
  'payment_method.automatically_updated': [{ id: 'pm_1', object: 'payment_method', customer: 'cus_1' }],
  'charge.refunded': [{ id: 'ch_1', object: 'charge', customer: 'cus_1', payment_intent: 'pi_1' }],
  'charge.dispute.': [{ id: 'du_1', object: 'dispute', charge: 'ch_1', payment_intent: 'pi_1' }],
};

describe('a Stripe event', () => {
  it.each(stripeEventTypes)('of type %s names its subscription and customer if Stripe includes them', (type) => {
    const [, [object, before] = [{}]] = Object.entries(objects).find(([start]) => type.startsWith(start)) ?? [];
    expect(deliver(event(type, object, before))).toEqual({
      id: 'evt_1',
      type,
      createdAt: now,
      objectId: (object as { id?: string }).id,
      subscriptionId: /^(customer\.subscription|invoice)\./.test(type) ? 'sub_1' : null,
      // A dispute names only a charge.
      customerId: type.startsWith('charge.dispute.') ? null : 'cus_1',
      chargeId: type.startsWith('charge.dispute.') ? 'ch_1' : null,
    });
  });

  it.each<[string, object, string | null, string | null]>([
    [
      'an invoice without a subscription',
      { id: 'in_1', object: 'invoice', customer: 'cus_1', parent: null },
      null,
      'cus_1',
    ],
    ['an older shape of an invoice', { id: 'in_1', object: 'invoice', subscription: 'sub_9' }, 'sub_9', null],
    ['a customer', { id: 'cus_7', object: 'customer' }, null, 'cus_7'],
    ['a whole customer', { id: 'pm_1', object: 'payment_method', customer: { id: 'cus_2' } }, null, 'cus_2'],
    ['an unknown object', { object: 'balance' }, null, null],
  ])('about %s is read as far as possible', (_what, object, subscriptionId, customerId) => {
    expect(deliver(event('some.type', object))).toMatchObject({ subscriptionId, customerId });
  });
});

describe('a webhook delivery', () => {
  const good = event('invoice.paid', { id: 'in_1', object: 'invoice', customer: 'cus_1', parent });

  it.each(secrets)('is accepted with a signature by %s while both secrets are configured', (secret) => {
    expect(deliver(good, { secret }).id).toBe('evt_1');
  });

  it('is accepted for five minutes by the given clock', () => {
    expect(deliver(good, { at: secondsAfter(now, -300) }).id).toBe('evt_1');
    expect(() => deliver(good, { at: secondsAfter(now, -301) })).toThrow(BadSignature);
  });

  it.each<[string, unknown, string?]>([
    ['signed with another secret', good, 'whsec_other'],
    ['missing an id', { ...good, id: undefined }],
    ['missing a type', { ...good, type: '' }],
    ['missing a time', { ...good, created: 'now' }],
    ['without data', { ...good, data: undefined }],
    ['of another kind', { ...good, object: 'v2.core.event' }],
    ['not JSON', 'id=evt_1'],
    ['empty', 'null'],
  ])('is rejected if it is %s', (_what, body, secret) => {
    expect(() => deliver(body, secret === undefined ? {} : { secret })).toThrow(BadSignature);
  });

  it('is rejected without any configured secret', () => {
    const raw = Buffer.from(JSON.stringify(good));
    expect(() => readEvent([], raw, sign(raw, 'whsec_new', created), now)).toThrow(BadSignature);
    expect(() => readEvent([''], raw, sign(raw, '', created), now)).toThrow(BadSignature);
  });
});
