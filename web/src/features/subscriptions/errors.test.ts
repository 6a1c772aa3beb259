import { describe, expect, it } from 'vitest';
import type { EndpointSpec } from '#contract/endpoint.ts';
import {
  cancelSubscription,
  confirmSubscription,
  createSetupIntent,
  createSubscription,
  currentSubscription,
  getSubscription,
  listInvoices,
  listPaymentMethods,
  listSubscriptions,
  reactivateSubscription,
  updateSubscription,
} from '#contract/subscriptions/subscriptions.ts';
import { CutOff, RawAnswer, received, Refusal, serve } from '../../../test/fake-server.ts';
import { beginCard, cancel, confirm, create, reactivate, update } from './subscription-commands.ts';
import type { SubscriptionError } from './errors.ts';
import {
  readCurrent,
  readInvoices,
  readPaymentMethods,
  readSubscription,
  readSubscriptions,
} from './subscription-reads.ts';
import { type SubscriptionState, useSubscription } from './subscription-store.ts';

type Told = () => Promise<SubscriptionError | null>;

const inStore =
  (run: () => Promise<unknown>, part: keyof SubscriptionState): Told =>
  async () => {
    await run();
    return (useSubscription.getState()[part] as { error: SubscriptionError | null }).error;
  };

const thrown =
  (run: () => Promise<unknown>): Told =>
  async () => {
    let error: unknown = null;
    await run().catch((failure: unknown) => {
      error = failure;
    });
    return error as SubscriptionError | null;
  };

const confirmation = { subscriptionId: 's', paymentIntentId: 'p' };

/** Every call about a subscription, the specification's text for it, and what is told when it fails. */
const calls: [text: string, endpoint: EndpointSpec, told: Told][] = [
  ['Failed to create subscription', createSubscription, inStore(() => create({ plan: 'monthly' }), 'create')],
  ['Failed to get current subscription', currentSubscription, inStore(readCurrent, 'currentRead')],
  ['Failed to update subscription', updateSubscription, inStore(() => update({ plan: 'annual' }), 'update')],
  ['Failed to cancel subscription', cancelSubscription, inStore(cancel, 'cancel')],
  ['Failed to reactivate subscription', reactivateSubscription, inStore(reactivate, 'reactivate')],
  ['Failed to get payment methods', listPaymentMethods, inStore(readPaymentMethods, 'paymentMethodsRead')],
  ['Failed to create setup intent', createSetupIntent, thrown(beginCard)],
  ['Failed to get invoices', listInvoices, inStore(readInvoices, 'invoicesRead')],
  ['Failed to confirm subscription', confirmSubscription, inStore(() => confirm(confirmation), 'confirm')],
  ['Failed to get subscription', getSubscription, thrown(() => readSubscription('s'))],
  ['Failed to get subscriptions', listSubscriptions, inStore(readSubscriptions, 'allRead')],
];

async function after(endpoint: EndpointSpec, told: Told, failure: Error) {
  serve(endpoint, () => {
    throw failure;
  });
  const error = await told();
  return error && { ...pick(error), isAuthError: error.isAuthError };
}

const pick = ({ message, code, status, data }: SubscriptionError) => ({ message, code, status, data });

describe.each(calls)('%s', (text, endpoint, told) => {
  it("is told when an answer says nothing, after the server's own words", async () => {
    expect(await after(endpoint, told, new RawAnswer(409, ''))).toMatchObject({ message: text, status: 409 });
    expect(await after(endpoint, told, new Refusal('CONFLICT', 'You have premium already'))).toEqual({
      message: 'You have premium already',
      code: 'CONFLICT',
      status: 409,
      data: {},
      isAuthError: false,
    });
  });

  it('gives way to a server error with its status, and to its words where it has some', async () => {
    expect(await after(endpoint, told, new RawAnswer(502, '<html>bad gateway</html>'))).toMatchObject({
      message: 'Server error: 502',
      code: 'SERVER_ERROR',
      status: 502,
    });
    expect(await after(endpoint, told, new Refusal('UNAVAILABLE', 'Please try again in a moment'))).toMatchObject({
      message: 'Please try again in a moment',
      code: 'UNAVAILABLE',
    });
  });

  it('gives way to words for no answer, and for one that nobody understands', async () => {
    expect(await after(endpoint, told, new CutOff())).toMatchObject({
      message: 'No response from server. Please check your internet connection.',
      code: 'NETWORK_ERROR',
      status: null,
    });
    expect(await after(endpoint, told, new RawAnswer(200, 'null'))).toMatchObject({
      message: 'An unexpected error occurred',
      code: 'UNKNOWN_ERROR',
      status: null,
    });
  });

  it('is about who asks when that is refused', async () => {
    for (const status of [401, 403]) {
      expect(await after(endpoint, told, new RawAnswer(status, ''))).toMatchObject({
        message: text,
        isAuthError: true,
      });
    }
  });
});

describe('what is sent', () => {
  it('tries a beginning three times under one key, and a change once', async () => {
    await after(createSubscription, calls[0]![2], new CutOff());
    const keys = received(createSubscription).map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    await after(updateSubscription, calls[2]![2], new CutOff());
    expect(received(updateSubscription)).toHaveLength(1);
  });
});
