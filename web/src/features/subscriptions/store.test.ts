import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  cancelSubscription,
  createSetupIntent,
  createSubscription,
  listInvoices,
} from '#contract/subscriptions/subscriptions.ts';
import { Refusal, serve } from '../../../test/fake-server.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { keptCard, ownInvoice, ownSubscription, servePremium, startedPayment } from '../../../test/fixtures/premium.ts';
import { clearSession, keepSession } from '../../api/session/stored-session.ts';
import { beginCard, cancel, create, dropCardIntent, resetCommand } from './subscription-commands.ts';
import { readCurrent, readInvoices, readPaymentMethods, readSubscriptions } from './subscription-reads.ts';
import { useSubscription } from './subscription-store.ts';

const ada = ownUser();
const bo = ownUser({ _id: 'bo', email: 'bo@heartwood.test' });
const signIn = (user = ada) => keepSession({ token: 'token-1', refreshToken: 'refresh-1', user });
const stored = () => JSON.parse(localStorage.getItem('subscription') ?? 'null') as Record<string, unknown> | null;
const state = () => useSubscription.getState();

async function learnAll() {
  servePremium({
    current: ownSubscription(),
    all: [ownSubscription()],
    cards: [keptCard()],
    invoices: [ownInvoice()],
  });
  serve(createSetupIntent, () => ({ data: { clientSecret: 'secret-2', setupIntentId: 'intent-2' } }));
  await Promise.all([readCurrent(), readPaymentMethods(), readInvoices(), readSubscriptions(), beginCard()]);
}

afterEach(() => resetCommand('cancel'));

describe('what is kept on the device', () => {
  it('is exactly four parts, in one entry', async () => {
    signIn();
    await learnAll();
    expect(Object.keys(localStorage).sort()).toEqual(['refreshToken', 'subscription', 'token', 'user']);
    expect(stored()).toEqual({
      currentSubscription: ownSubscription(),
      paymentMethods: [keptCard()],
      invoices: [ownInvoice()],
      setupIntent: { clientSecret: 'secret-2', setupIntentId: 'intent-2' },
    });
    expect(state().userSubscriptions).toEqual([ownSubscription()]);
  });

  it('is there again at once after a reload', async () => {
    signIn();
    await learnAll();
    vi.resetModules();
    const reloaded = (await import('./subscription-store.ts')).useSubscription.getState();
    expect(reloaded).toMatchObject({ ...stored(), userSubscriptions: [] });
    expect(reloaded.currentRead).toMatchObject({ isKnown: true, loading: false });
    expect(reloaded.allRead.isKnown).toBe(false);
  });

  it('is nothing where the entry is broken, or the session is gone', async () => {
    signIn();
    localStorage.setItem('subscription', '{"currentSubscription":');
    vi.resetModules();
    expect((await import('./subscription-store.ts')).useSubscription.getState().paymentMethods).toEqual([]);
    clearSession('expired');
    localStorage.setItem('subscription', JSON.stringify({ currentSubscription: ownSubscription() }));
    vi.resetModules();
    expect((await import('./subscription-store.ts')).useSubscription.getState().currentSubscription).toBeNull();
    expect(stored()).toBeNull();
  });

  it.each(['signedOut', 'expired'] as const)('goes when the session is %s', async (reason) => {
    signIn();
    await learnAll();
    clearSession(reason);
    expect(localStorage).toHaveLength(0);
    expect(state()).toMatchObject({ currentSubscription: null, paymentMethods: [], invoices: [], setupIntent: null });
    expect(state().userSubscriptions).toEqual([]);
  });

  it('is never shown to another account on the same device', async () => {
    signIn();
    await learnAll();
    signIn(bo);
    expect(stored()).toBeNull();
    expect(state()).toMatchObject({ currentSubscription: null, paymentMethods: [], invoices: [], setupIntent: null });
    expect(state().currentRead.isKnown).toBe(false);
  });

  it('stays over a renewal of the same session', async () => {
    signIn();
    await learnAll();
    keepSession({ token: 'token-2', refreshToken: 'refresh-2' });
    expect(stored()?.['currentSubscription']).toEqual(ownSubscription());
  });

  it('is not written with an answer that was meant for somebody who has left', async () => {
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
    await vi.waitFor(() => expect(state().invoicesRead.loading).toBe(true));
    signIn(bo);
    answer();
    await reading;
    expect(state().invoices).toEqual([]);
    expect(stored()).toBeNull();
  });

  it('is not written once another tab has signed somebody else in', async () => {
    signIn();
    servePremium({ current: ownSubscription() });
    localStorage.setItem('user', JSON.stringify(bo));
    await readCurrent();
    expect(stored()).toBeNull();
    expect(state().currentSubscription).toBeNull();
  });
});

describe('the current subscription', () => {
  it('is none when the server knows of none', async () => {
    signIn();
    servePremium();
    expect(await readCurrent()).toBeNull();
    expect(state().currentRead).toEqual({ loading: false, error: null, isKnown: true });
  });

  it('is not what was begun and never paid', async () => {
    signIn();
    serve(createSubscription, () => ({ data: startedPayment() }));
    expect(await create({ plan: 'monthly' })).toMatchObject({ clientSecret: 'secret-1' });
    expect(state().currentSubscription).toBeNull();
    expect(state().create).toEqual({ loading: false, error: null, success: true });
    expect(localStorage.getItem('subscription')).toBeNull();
  });

  it('stays as it was while asking for it anew fails', async () => {
    signIn();
    await learnAll();
    servePremium();
    serve(listInvoices, () => {
      throw new Refusal('FORBIDDEN', 'Not for you');
    });
    await readInvoices();
    expect(state().invoices).toEqual([ownInvoice()]);
    expect(state().invoicesRead).toMatchObject({ isKnown: true, error: { message: 'Not for you' } });
  });
});

describe('a command', () => {
  it('tells that it is under way, and is not sent twice meanwhile', async () => {
    signIn();
    let sent = 0;
    let answer = () => {};
    serve(cancelSubscription, () => {
      sent += 1;
      return new Promise((resolve) => {
        answer = () => resolve({ data: { subscription: ownSubscription({ cancelAtPeriodEnd: true }) } });
      });
    });
    const first = cancel();
    expect(state().cancel).toEqual({ loading: true, error: null, success: false });
    expect(await cancel()).toBeNull();
    await vi.waitFor(() => expect(sent).toBe(1));
    answer();
    expect(await first).toMatchObject({ cancelAtPeriodEnd: true });
    expect(state().cancel).toEqual({ loading: false, error: null, success: true });
    expect(state().currentSubscription).toMatchObject({ cancelAtPeriodEnd: true });
  });
});

describe('keeping a card', () => {
  it('goes on with what was begun, until that is done or leads nowhere', async () => {
    signIn();
    let begun = 0;
    serve(createSetupIntent, () => {
      begun += 1;
      return { data: { clientSecret: `secret-${begun}`, setupIntentId: `intent-${begun}` } };
    });
    await beginCard();
    expect(await beginCard()).toEqual({ clientSecret: 'secret-1', setupIntentId: 'intent-1' });
    dropCardIntent();
    expect(await beginCard()).toEqual({ clientSecret: 'secret-2', setupIntentId: 'intent-2' });
  });
});
