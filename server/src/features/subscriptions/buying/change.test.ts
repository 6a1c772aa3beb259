import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { usualSettings } from '#contract/service/settings.ts';
import type { Plan } from '#contract/subscriptions/plan.ts';
import * as calls from '#contract/subscriptions/subscriptions.ts';
import { makeMember, type TestMember } from '../../../../test/factories.ts';
import { startApp, type TestApp } from '../../../../test/harness.ts';
import { showBrand } from '#platform/service/brand.ts';
import { entitle } from '../subscriptions.ts';
import { buyPremium, cardOf, confirmPremium, isVip, passUntil, payWith } from '../../../../test/premium.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const current = (by: TestMember) => app.call(calls.currentSubscription, { token: by.token });
const update = (by: TestMember, plan: Plan) => app.call(calls.updateSubscription, { token: by.token, body: { plan } });
const preview = (by: TestMember, plan: Plan) => app.call(calls.previewChange, { token: by.token, query: { plan } });
const cancel = (by: TestMember) => app.call(calls.cancelSubscription, { token: by.token, body: {} });
const reactivate = (by: TestMember) => app.call(calls.reactivateSubscription, { token: by.token, body: {} });
const invoicesOf = async (by: TestMember) =>
  (await app.call(calls.listInvoices, { token: by.token })).body.data.invoices;

describe('the numbers of invoices', () => {
  afterEach(() => showBrand(usualSettings.brand));

  test.each([
    ['Kindred', /^KIN-/],
    ['Ö & Co', /^OCO-/],
    ['قلب', /^NO-/],
    ['99 Rosen', /^99R-/],
  ])('begin with letters of %s once the service has that name, and those issued before stay', async (name, prefix) => {
    const member = await makeMember(app);
    await buyPremium(app, member);
    const [before] = await invoicesOf(member);
    showBrand({ ...usualSettings.brand, name });
    app.clock.advance(60);
    await update(member, 'annual');
    const numbers = (await invoicesOf(member)).map(({ number }) => number);
    expect(numbers).toEqual([expect.stringMatching(prefix), expect.stringMatching(/^HW-\d{4}-\d{6}$/)]);
    expect(numbers[1]).toBe(before?.number);
    expect(new Set(numbers.map((number) => number?.slice(-6))).size).toBe(2);
  });
});

describe('changing the plan', () => {
  test('charges the shown amount immediately for a longer plan', async () => {
    const member = await makeMember(app);
    await buyPremium(app, member);
    const shown = (await preview(member, 'annual')).body.data;
    expect(shown).toMatchObject({ plan: 'annual', isImmediate: true });
    // None of the month is used yet.
    expect(shown.amountDueNow).toEqual({ amountMinor: 11988 - 1499, currency: 'USD' });
    const { data } = (await update(member, 'annual')).body;
    expect([data.requiresAction, data.subscription.plan, data.subscription.status]).toEqual([
      false,
      'annual',
      'active',
    ]);
    expect((await invoicesOf(member))[0]).toMatchObject({ total: shown.amountDueNow, status: 'paid', plan: 'annual' });
    expect(await isVip(app, member)).toBe(true);
  });

  test('waits for the end of the paid period for a shorter plan, and can be undone', async () => {
    const member = await makeMember(app);
    await buyPremium(app, member, { plan: 'quarterly' });
    expect((await preview(member, 'monthly')).body.data).toMatchObject({
      amountDueNow: { amountMinor: 0 },
      isImmediate: false,
      effectiveAt: (await current(member)).body.subscription.currentPeriodEnd,
    });
    const waiting = (await update(member, 'monthly')).body.data.subscription;
    expect([waiting.plan, waiting.pendingPlan]).toEqual(['quarterly', 'monthly']);
    expect((await update(member, 'quarterly')).body.data.subscription.pendingPlan).toBeNull();
    expect(await invoicesOf(member)).toHaveLength(1);
  });

  test('returns an error for the current plan, and without premium', async () => {
    const [member, free] = [await makeMember(app), await makeMember(app)];
    await buyPremium(app, member);
    expect((await update(member, 'monthly')).status).toBe(409);
    expect((await preview(member, 'monthly')).status).toBe(409);
    expect([(await update(free, 'annual')).status, (await preview(free, 'annual')).status]).toEqual([404, 404]);
  });

  test('makes one change and one charge for many parallel requests', async () => {
    const member = await makeMember(app);
    await buyPremium(app, member);
    const answers = await Promise.all(Array.from({ length: 10 }, () => update(member, 'annual')));
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([]);
    expect((await invoicesOf(member)).map(({ plan }) => plan)).toEqual(['annual', 'monthly']);
  });

  test('takes effect once the bank has approved it, if the bank asks', async () => {
    const member = await makeMember(app);
    await buyPremium(app, member, { card: 'tok_visa' });
    const { data: card } = (await app.call(calls.createSetupIntent, { token: member.token })).body;
    await payWith(app, { ...card, paymentIntentId: null }, 'tok_challenge');
    await answerBank(card.setupIntentId, card.clientSecret);
    await app.drain();
    const { data } = (await update(member, 'annual')).body;
    expect([data.requiresAction, data.subscription.plan]).toEqual([true, 'monthly']);
    await answerBank(data.paymentIntentId ?? '', data.clientSecret ?? '');
    expect((await confirmPremium(app, member, data)).body.data.subscription.plan).toBe('annual');
  });
});

async function answerBank(id: string, clientSecret: string): Promise<void> {
  const { answerSandboxIntent } = await import('#contract/subscriptions/payments-sandbox.ts');
  await app.call(answerSandboxIntent, { params: { id }, body: { clientSecret, challenge: 'approve' } });
}

describe('unusual plan changes', () => {
  test('two different parallel changes make one charge', async () => {
    const member = await makeMember(app);
    await buyPremium(app, member);
    const answers = await Promise.all([update(member, 'quarterly'), update(member, 'annual')]);
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([]);
    const changes = (await invoicesOf(member)).filter(({ plan }) => plan !== 'monthly');
    expect(changes).toHaveLength(1);
  });

  test('a longer plan replaces a waiting change, even if the bank asks first', async () => {
    const member = await makeMember(app);
    await buyPremium(app, member, { plan: 'quarterly' });
    await update(member, 'monthly');
    const { data: card } = (await app.call(calls.createSetupIntent, { token: member.token })).body;
    await payWith(app, { ...card, paymentIntentId: null }, 'tok_challenge');
    await answerBank(card.setupIntentId, card.clientSecret);
    await app.drain();
    const { data } = (await update(member, 'annual')).body;
    await answerBank(data.paymentIntentId ?? '', data.clientSecret ?? '');
    await confirmPremium(app, member, data);
    expect((await current(member)).body.subscription).toMatchObject({ plan: 'annual', pendingPlan: null });
  });

  test('a waiting change stays when a cancellation is undone', async () => {
    const member = await makeMember(app);
    await buyPremium(app, member, { plan: 'quarterly' });
    await update(member, 'monthly');
    expect((await cancel(member)).body.data.subscription.pendingPlan).toBeNull();
    expect((await reactivate(member)).body.data.subscription.pendingPlan).toBe('monthly');
  });

  test('premium cannot be resumed without a usable card', async () => {
    const member = await makeMember(app);
    await buyPremium(app, member);
    await cancel(member);
    const params = { id: await cardOf(app, member) };
    expect((await app.call(calls.removePaymentMethod, { token: member.token, params })).status).toBe(200);
    expect((await reactivate(member)).error).toMatchObject({ code: 'CONFLICT', message: /card/ });
  });
});

describe('cancelling premium', () => {
  test('keeps the paid period, is idempotent, and can be undone before the end', async () => {
    const member = await makeMember(app);
    await buyPremium(app, member);
    for (let times = 0; times < 2; times += 1)
      expect((await cancel(member)).body.data.subscription).toMatchObject({
        status: 'active',
        cancelAtPeriodEnd: true,
        canceledAt: app.clock.now().toISOString(),
      });
    expect(await isVip(app, member)).toBe(true);
    expect((await update(member, 'annual')).status).toBe(409);
    expect((await reactivate(member)).body.data.subscription).toMatchObject({
      cancelAtPeriodEnd: false,
      canceledAt: null,
    });
    expect((await reactivate(member)).status).toBe(200);
  });

  test('ends an unpaid subscription immediately, and returns an error without a subscription', async () => {
    const [member, free] = [await makeMember(app), await makeMember(app)];
    await app.call(calls.createSubscription, { token: member.token, body: { plan: 'monthly' } });
    expect(['canceled', 'incomplete_expired']).toContain((await cancel(member)).body.data.subscription.status);
    expect([(await cancel(free)).status, (await reactivate(free)).status]).toEqual([404, 404]);
  });
});

describe('premium over time', () => {
  let clocked: TestApp;
  beforeEach(async () => {
    clocked = app;
    app = await startApp();
  });
  afterEach(async () => {
    await app.close();
    app = clocked;
  });

  test('is paid, fails or ends at renewal, without a minute of unpaid premium', async () => {
    const [renews, fails, ends, shrinks, walksAway] = await Promise.all(
      Array.from({ length: 5 }, () => makeMember(app)),
    );
    if (!renews || !fails || !ends || !shrinks || !walksAway) throw new Error('five members');
    await buyPremium(app, renews);
    await buyPremium(app, fails, { card: 'tok_renewal_fails' });
    await buyPremium(app, ends);
    await cancel(ends);
    await buyPremium(app, shrinks, { plan: 'quarterly' });
    await update(shrinks, 'monthly');
    await app.call(calls.createSubscription, { token: walksAway.token, body: { plan: 'annual' } });
    const vips = async () => Promise.all([renews, fails, ends, shrinks, walksAway].map((member) => isVip(app, member)));
    expect(await vips()).toEqual([true, true, true, true, false]);

    await passUntil(app, '2026-07-15T11:59:00Z');
    expect(await vips()).toEqual([true, true, true, true, false]);
    await passUntil(app, '2026-07-15T12:01:00Z');
    expect(await vips()).toEqual([true, false, false, true, false]);

    expect((await current(renews)).body.subscription.currentPeriodEnd).toBe('2026-08-15T12:00:00.000Z');
    expect(await invoicesOf(renews)).toHaveLength(2);
    expect((await current(fails)).body.subscription).toMatchObject({
      status: 'past_due',
      currentPeriodEnd: '2026-07-15T12:00:00.000Z',
    });
    expect((await app.outbox(fails.email)).map(({ subject }) => subject)).toContain(
      'Your premium could not be renewed',
    );
    expect((await update(fails, 'annual')).status).toBe(409);
    expect((await current(ends)).status).toBe(404);
    expect((await reactivate(ends)).error).toMatchObject({ code: 'CONFLICT', message: /subscribe again/ });
    expect((await current(walksAway)).status).toBe(404);

    // The subscription ends after three more attempts; the other member's shorter plan has started by then.
    await passUntil(app, '2026-07-25T12:00:00Z');
    expect((await current(fails)).status).toBe(404);
    await passUntil(app, '2026-09-15T12:01:00Z');
    expect((await current(shrinks)).body.subscription).toMatchObject({ plan: 'monthly', pendingPlan: null });
    expect((await invoicesOf(shrinks))[0]).toMatchObject({ plan: 'monthly', total: { amountMinor: 1499 } });
    expect(await vips()).toEqual([true, false, false, true, false]);
  });

  test('resumes immediately when a new card pays the outstanding amount', async () => {
    const member = await makeMember(app);
    await buyPremium(app, member, { card: 'tok_renewal_fails' });
    await passUntil(app, '2026-07-15T13:00:00Z');
    expect(await isVip(app, member)).toBe(false);
    const { data: card } = (await app.call(calls.createSetupIntent, { token: member.token })).body;
    await payWith(app, { ...card, paymentIntentId: null }, 'tok_mastercard');
    await app.drain();
    expect((await current(member)).body.subscription.status).toBe('active');
    expect(await isVip(app, member)).toBe(true);
  });
});

describe('the entitlement to premium', () => {
  test('ends exactly when the paid time does', async () => {
    const member = await makeMember(app);
    await buyPremium(app, member);
    const find = () =>
      app.db.selectFrom('entitlement').select('until').where('account_id', '=', member.id).executeTakeFirst();
    const until = (await find())?.until ?? new Date(0);
    await entitle(app.db, member.id, new Date(until.getTime() - 1));
    expect(await find()).toEqual({ until });
    await entitle(app.db, member.id, until);
    expect(await find()).toBeUndefined();
  });
});
