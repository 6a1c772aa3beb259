import { act, renderHook, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import {
  cancelSubscription,
  createSetupIntent,
  createSubscription,
  listInvoices,
} from '#contract/subscriptions/subscriptions.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { keptCard, ownInvoice, ownSubscription, servePremium, startedPayment } from '../../../test/fixtures/premium.ts';
import { Surroundings } from '../../../test/render-app.tsx';
import { keys } from '../../api/keys.ts';
import { queryClient } from '../../api/query-client.ts';
import { clearSession, keepSession } from '../../api/session/stored-session.ts';
import {
  currentSubscriptionQuery,
  dropCardIntent,
  invoicesOf,
  invoicesQuery,
  paymentMethodsQuery,
  readCurrent,
  readInvoices,
  readPaymentMethods,
  readStored,
  readSubscriptions,
  startCard,
  subscriptionsQuery,
  useCancelSubscription,
  useCreateSubscription,
} from './queries.ts';

const ada = ownUser();
const bo = ownUser({ _id: 'bo', email: 'bo@heartwood.test' });
const signIn = (user = ada) => keepSession({ token: 'token-1', refreshToken: 'refresh-1', user });
const stored = () => JSON.parse(localStorage.getItem('subscription') ?? 'null') as Record<string, unknown> | null;

/** The contents of this tab's cache. */
const known = () => {
  const pages = queryClient.getQueryData(invoicesQuery.queryKey)?.pages;
  return {
    currentSubscription: queryClient.getQueryData(currentSubscriptionQuery.queryKey),
    paymentMethods: queryClient.getQueryData(paymentMethodsQuery.queryKey),
    invoices: pages && invoicesOf(pages),
    subscriptions: queryClient.getQueryData(subscriptionsQuery.queryKey),
  };
};
const nothing = {
  currentSubscription: undefined,
  paymentMethods: undefined,
  invoices: undefined,
  subscriptions: undefined,
};

async function readAll() {
  servePremium({
    current: ownSubscription(),
    all: [ownSubscription()],
    cards: [keptCard()],
    invoices: [ownInvoice()],
  });
  serve(createSetupIntent, () => ({ data: { clientSecret: 'secret-2', setupIntentId: 'intent-2' } }));
  await Promise.all([readCurrent(), readPaymentMethods(), readInvoices(), readSubscriptions(), startCard()]);
}

/** The stored data as a newly loaded page reads it. */
async function reloaded() {
  vi.resetModules();
  return (await import('./queries.ts')).readStored();
}

describe('the subscription data stored on the device', () => {
  it('consists of four parts in one entry', async () => {
    signIn();
    await readAll();
    expect(Object.keys(localStorage).sort()).toEqual(['refreshToken', 'subscription', 'token', 'user']);
    expect(stored()).toEqual({
      currentSubscription: ownSubscription(),
      paymentMethods: [keptCard()],
      invoices: [ownInvoice()],
      setupIntent: { clientSecret: 'secret-2', setupIntentId: 'intent-2' },
    });
    expect(known().subscriptions).toEqual([ownSubscription()]);
  });

  it('is shown at once after a reload', async () => {
    signIn();
    await readAll();
    expect(await reloaded()).toEqual(stored());
    queryClient.clear();
    const cache = queryClient.getQueryCache();
    expect(cache.build(queryClient, currentSubscriptionQuery as never).state.data).toEqual(ownSubscription());
    expect(cache.build(queryClient, subscriptionsQuery as never).state.data).toBeUndefined();
  });

  it('is ignored if the entry is broken or the session is over', async () => {
    signIn();
    localStorage.setItem('subscription', '{"currentSubscription":');
    expect((await reloaded()).paymentMethods).toEqual([]);
    clearSession('expired');
    localStorage.setItem('subscription', JSON.stringify({ currentSubscription: ownSubscription() }));
    expect((await reloaded()).currentSubscription).toBeNull();
    expect(stored()).toBeNull();
  });

  it.each(['signedOut', 'expired'] as const)('is removed after the session was %s', async (reason) => {
    signIn();
    await readAll();
    clearSession(reason);
    expect(localStorage).toHaveLength(0);
    expect(known()).toEqual(nothing);
  });

  it('is never shown to another account on the same device', async () => {
    signIn();
    await readAll();
    signIn(bo);
    expect(stored()).toBeNull();
    expect(known()).toEqual(nothing);
    expect(readStored()).toEqual({ currentSubscription: null, paymentMethods: [], invoices: [], setupIntent: null });
  });

  it('survives a renewal of the same session', async () => {
    signIn();
    await readAll();
    keepSession({ token: 'token-2', refreshToken: 'refresh-2' });
    expect(stored()?.['currentSubscription']).toEqual(ownSubscription());
  });

  it('does not include an answer for a user who has signed out', async () => {
    signIn();
    let answer = () => {};
    servePremium({ current: ownSubscription() });
    serve(listInvoices, () => {
      return new Promise((resolve) => {
        answer = () =>
          resolve({
            data: { invoices: [ownInvoice()], pagination: { page: 1, limit: 20, total: 1, pages: 1 } },
          });
      });
    });
    const reading = readInvoices();
    await waitFor(() => expect(received(listInvoices)).toHaveLength(1));
    signIn(bo);
    answer();
    await reading;
    expect(known()).toEqual(nothing);
    expect(stored()).toBeNull();
  });

  it('is not written after another user has signed in in another tab', async () => {
    signIn();
    servePremium({ current: ownSubscription() });
    localStorage.setItem('user', JSON.stringify(bo));
    await readCurrent();
    expect(stored()).toBeNull();
    expect(known()).toEqual(nothing);
  });
});

describe('the current subscription', () => {
  it('is null if the server has none', async () => {
    signIn();
    servePremium();
    expect(await readCurrent()).toBeNull();
    expect(queryClient.getQueryState(keys.currentSubscription)).toMatchObject({ status: 'success', error: null });
  });

  it('is null if a subscription was started but never paid', async () => {
    signIn();
    serve(createSubscription, () => ({ data: startedPayment() }));
    const { result } = renderHook(useCreateSubscription, { wrapper: Surroundings });
    await act(async () => {
      expect(await result.current.mutateAsync({ plan: 'monthly' })).toMatchObject({ clientSecret: 'secret-1' });
    });
    await waitFor(() => expect(result.current).toMatchObject({ isPending: false, error: null, isSuccess: true }));
    expect(known().currentSubscription).toBeUndefined();
    expect(localStorage.getItem('subscription')).toBeNull();
  });

  it('keeps the last answer if a refresh fails', async () => {
    signIn();
    await readAll();
    servePremium();
    failWith(listInvoices, new Refusal('FORBIDDEN', 'Not for you'));
    await readInvoices();
    expect(known().invoices).toEqual([ownInvoice()]);
    expect(queryClient.getQueryState(keys.invoices)?.error).toMatchObject({ message: 'Not for you' });
  });
});

describe('a subscription command', () => {
  it('has loading, error and success flags, and its answer becomes the current subscription', async () => {
    signIn();
    let answer = () => {};
    serve(cancelSubscription, () => {
      return new Promise((resolve) => {
        answer = () => resolve({ data: { subscription: ownSubscription({ cancelAtPeriodEnd: true }) } });
      });
    });
    const { result } = renderHook(useCancelSubscription, { wrapper: Surroundings });
    act(() => result.current.mutate());
    await waitFor(() => expect(result.current).toMatchObject({ isPending: true, error: null, isSuccess: false }));
    await waitFor(() => expect(received(cancelSubscription)).toHaveLength(1));
    answer();
    await waitFor(() => expect(result.current).toMatchObject({ isPending: false, error: null, isSuccess: true }));
    expect(result.current.data).toMatchObject({ cancelAtPeriodEnd: true });
    expect(known().currentSubscription).toMatchObject({ cancelAtPeriodEnd: true });
  });
});

describe('saving a card', () => {
  it('resumes a started setup until it is done or has expired', async () => {
    signIn();
    let started = 0;
    serve(createSetupIntent, () => {
      started += 1;
      return { data: { clientSecret: `secret-${started}`, setupIntentId: `intent-${started}` } };
    });
    await startCard();
    expect(await startCard()).toEqual({ clientSecret: 'secret-1', setupIntentId: 'intent-1' });
    dropCardIntent();
    expect(await startCard()).toEqual({ clientSecret: 'secret-2', setupIntentId: 'intent-2' });
  });
});
