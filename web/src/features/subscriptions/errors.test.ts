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
import { renderHook } from '@testing-library/react';
import { CutOff, failWith, RawAnswer, received, Refusal } from '../../../test/fake-server.ts';
import { Surroundings } from '../../../test/render-app.tsx';
import { queryClient } from '../../api/query-client.ts';
import {
  currentSubscriptionQuery,
  invoicesQuery,
  paymentMethodsQuery,
  readSubscription,
  startCard,
  subscriptionsQuery,
  useCancelSubscription,
  useConfirmSubscription,
  useCreateSubscription,
  useReactivateSubscription,
  useUpdateSubscription,
} from './queries.ts';
import type { SubscriptionError } from './errors.ts';

type Failing = () => Promise<SubscriptionError | null>;

const thrown =
  (run: () => Promise<unknown>): Failing =>
  async () => {
    let error: unknown = null;
    await run().catch((failure: unknown) => {
      error = failure;
    });
    return error as SubscriptionError | null;
  };

/** The error of a command, which must be the same on the screen and as a thrown error. */
const failing = <B>(useCommand: () => { mutateAsync: (body: B) => Promise<unknown> }, body: B): Failing =>
  thrown(() => renderHook(useCommand, { wrapper: Surroundings }).result.current.mutateAsync(body));

const confirmation = { subscriptionId: 's', paymentIntentId: 'p' };

/** All calls about a subscription: the text from the specification, the endpoint, and how to read the error. */
const calls: [text: string, endpoint: EndpointSpec, run: Failing][] = [
  ['Failed to create subscription', createSubscription, failing(useCreateSubscription, { plan: 'monthly' })],
  [
    'Failed to get current subscription',
    currentSubscription,
    thrown(() => queryClient.fetchQuery(currentSubscriptionQuery)),
  ],
  ['Failed to update subscription', updateSubscription, failing(useUpdateSubscription, { plan: 'annual' })],
  ['Failed to cancel subscription', cancelSubscription, failing(useCancelSubscription, undefined)],
  ['Failed to reactivate subscription', reactivateSubscription, failing(useReactivateSubscription, undefined)],
  ['Failed to get payment methods', listPaymentMethods, thrown(() => queryClient.fetchQuery(paymentMethodsQuery))],
  ['Failed to create setup intent', createSetupIntent, thrown(startCard)],
  ['Failed to get invoices', listInvoices, thrown(() => queryClient.fetchInfiniteQuery(invoicesQuery))],
  ['Failed to confirm subscription', confirmSubscription, failing(useConfirmSubscription, confirmation)],
  ['Failed to get subscription', getSubscription, thrown(() => readSubscription('s'))],
  ['Failed to get subscriptions', listSubscriptions, thrown(() => queryClient.fetchQuery(subscriptionsQuery))],
];

async function after(endpoint: EndpointSpec, run: Failing, failure: Error) {
  failWith(endpoint, failure);
  const error = await run();
  return error && { ...pick(error), isAuthError: error.isAuthError };
}

const pick = ({ message, code, status, data }: SubscriptionError) => ({ message, code, status, data });

describe.each(calls)('the text "%s"', (text, endpoint, run) => {
  it('is shown if the answer has no message', async () => {
    expect(await after(endpoint, run, new RawAnswer(409, ''))).toMatchObject({ message: text, status: 409 });
    expect(await after(endpoint, run, new Refusal('CONFLICT', 'You already have premium'))).toEqual({
      message: 'You already have premium',
      code: 'CONFLICT',
      status: 409,
      data: {},
      isAuthError: false,
    });
  });

  it('is replaced by a server error with its status and message', async () => {
    expect(await after(endpoint, run, new RawAnswer(502, '<html>bad gateway</html>'))).toMatchObject({
      message: 'Server error: 502',
      code: 'SERVER_ERROR',
      status: 502,
    });
    expect(await after(endpoint, run, new Refusal('UNAVAILABLE', 'Please try again in a moment'))).toMatchObject({
      message: 'Please try again in a moment',
      code: 'UNAVAILABLE',
    });
  });

  it('is replaced by a network error if there is no readable answer', async () => {
    expect(await after(endpoint, run, new CutOff())).toMatchObject({
      message: 'No response from server. Please check your internet connection.',
      code: 'NETWORK_ERROR',
      status: null,
    });
    expect(await after(endpoint, run, new RawAnswer(200, 'null'))).toMatchObject({
      message: 'An unexpected error occurred',
      code: 'UNKNOWN_ERROR',
      status: null,
    });
  });

  it('belongs to an authentication error after 401 and 403', async () => {
    for (const status of [401, 403]) {
      expect(await after(endpoint, run, new RawAnswer(status, ''))).toMatchObject({
        message: text,
        isAuthError: true,
      });
    }
  });
});

describe('a premium request', () => {
  it('is tried three times with one key if it creates something, otherwise once', async () => {
    await after(createSubscription, calls[0]![2], new CutOff());
    const keys = received(createSubscription).map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    await after(updateSubscription, calls[2]![2], new CutOff());
    expect(received(updateSubscription)).toHaveLength(1);
  });
});
