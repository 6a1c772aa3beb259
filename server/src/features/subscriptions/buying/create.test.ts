import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getProfile } from '#contract/profiles/profiles.ts';
import * as calls from '#contract/subscriptions/subscriptions.ts';
import { makeMember, type TestMember } from '../../../../test/factories.ts';
import { startApp, type TestApp } from '../../../../test/harness.ts';
import {
  beginPremium,
  buyPremium,
  cardOf,
  confirmPremium,
  isVip,
  passUntil,
  payWith,
  settle,
} from '../../../../test/premium.ts';
import { newToken } from '#platform/config/secrets.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const create = (by: TestMember, plan: 'monthly' | 'quarterly' | 'annual', key?: string) =>
  app.call(calls.createSubscription, {
    token: by.token,
    body: { plan },
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  });
const current = (by: TestMember) => app.call(calls.currentSubscription, { token: by.token });
const isShownVip = async (by: TestMember) => (await app.call(getProfile, { token: by.token })).body.userData.user.isVIP;

/** The provider's data about a member: subscriptions and charges. */
async function atProvider(member: TestMember): Promise<{ subscriptions: number; charges: number }> {
  const { rows } = await sql<{ subscriptions: number; charges: number }>`
    select count(distinct s.id)::int as subscriptions, count(distinct i.id) filter (where i.status = 'paid')::int as charges
    from payment_customer c left join sandbox.subscription s on s.customer_id = c.customer_id
      left join sandbox.invoice i on i.customer_id = c.customer_id
    where c.account_id = ${member.id}::uuid`.execute(app.db);
  return rows[0] ?? { subscriptions: 0, charges: 0 };
}

describe('starting premium', () => {
  test('requires a payment and grants nothing before it', async () => {
    const member = await makeMember(app);
    const { status, body } = await create(member, 'quarterly');
    expect(status).toBe(201);
    const { subscription, subscriptionId, requiresAction, secretKind, paymentIntentId, setupIntentId } = body.data;
    expect(subscription).toMatchObject({
      _id: subscriptionId,
      plan: 'quarterly',
      status: 'incomplete',
      price: { amountMinor: 3597, currency: 'USD' },
      currentPeriodEnd: null,
    });
    expect([requiresAction, secretKind, setupIntentId]).toEqual([true, 'payment', null]);
    expect(paymentIntentId).toMatch(/^pi_/);
    await settle(app);
    expect((await current(member)).status).toBe(404);
    expect(await isShownVip(member)).toBe(false);
  });

  test('grants premium immediately after payment, until the end of the paid period', async () => {
    const member = await makeMember(app);
    const subscription = await buyPremium(app, member);
    expect(subscription).toMatchObject({ status: 'active', currentPeriodEnd: '2026-07-15T12:00:00.000Z' });
    expect((await current(member)).body.subscription).toMatchObject(subscription);
    expect(await isShownVip(member)).toBe(true);
    expect(await atProvider(member)).toEqual({ subscriptions: 1, charges: 1 });
    expect((await app.outbox(member.email)).map(({ subject }) => subject)).toEqual(['Your premium has started']);
  });

  test('needs no confirmation by the client once the provider reports the payment', async () => {
    const member = await makeMember(app);
    const started = await beginPremium(app, member);
    await payWith(app, started, 'tok_visa');
    expect(await isVip(app, member)).toBe(false);
    await settle(app);
    expect(await isVip(app, member)).toBe(true);
    expect((await confirmPremium(app, member, started)).status).toBe(200);
    expect((await app.outbox(member.email)).map(({ subject }) => subject)).toEqual(['Your premium has started']);
  });

  test('creates one subscription and one charge for 50 parallel requests with one key', async () => {
    const member = await makeMember(app);
    const key = newToken();
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(member, 'monthly', key)));
    expect(new Set(answers.map(({ raw }) => raw)).size).toBe(1);
    expect(answers.every(({ status }) => status === 201)).toBe(true);
    const started = answers[0]?.body.data;
    if (started === undefined) throw new Error('no answer');
    await Promise.all(Array.from({ length: 10 }, () => payWith(app, started, 'tok_visa')));
    await Promise.all(Array.from({ length: 10 }, () => confirmPremium(app, member, started)));
    expect(await atProvider(member)).toEqual({ subscriptions: 1, charges: 1 });
  });

  test('creates one subscription for 50 parallel requests without a key', async () => {
    const member = await makeMember(app);
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(member, 'monthly')));
    expect(new Set(answers.map(({ body }) => body.data.clientSecret)).size).toBe(1);
    expect(await atProvider(member)).toEqual({ subscriptions: 1, charges: 0 });
  });

  test('resumes an unfinished purchase, and replaces it for another plan', async () => {
    const member = await makeMember(app);
    const [first, second] = [await beginPremium(app, member), await beginPremium(app, member)];
    expect([second.subscriptionId, second.clientSecret]).toEqual([first.subscriptionId, first.clientSecret]);
    const other = await beginPremium(app, member, 'annual');
    expect(other.subscriptionId).not.toBe(first.subscriptionId);
    await settle(app);
    expect((await payWith(app, first, 'tok_visa')).body.data.status).toBe('canceled');
    expect((await confirmPremium(app, member, first)).error).toMatchObject({
      code: 'PAYMENT_UNFINISHED',
      message: /was canceled/,
    });
    await payWith(app, other, 'tok_visa');
    expect((await confirmPremium(app, member, other)).body.data.subscription.plan).toBe('annual');
    expect((await atProvider(member)).charges).toBe(1);
  });

  test('makes one charge if another plan is chosen during payment, in either order', async () => {
    for (let round = 0; round < 8; round += 1) {
      const member = await makeMember(app);
      const first = await beginPremium(app, member);
      const [second] = await Promise.all([create(member, 'annual'), payWith(app, first, 'tok_visa')]);
      if (second.status === 201) await payWith(app, second.body.data, 'tok_visa');
      await settle(app);
      expect((await atProvider(member)).charges).toBe(1);
      expect(await isVip(app, member)).toBe(true);
      expect((await current(member)).body.subscription.status).toBe('active');
    }
  });

  test('shows no invoice before anything was paid', async () => {
    const member = await makeMember(app);
    await beginPremium(app, member, 'annual');
    await settle(app);
    expect((await app.call(calls.listInvoices, { token: member.token })).body.data.invoices).toEqual([]);
  });

  test('returns an error with existing premium, another member’s card or unknown prices', async () => {
    const [member, other] = [await makeMember(app), await makeMember(app)];
    await buyPremium(app, other);
    const paymentMethodId = await cardOf(app, other);
    const withCard = { token: member.token, body: { plan: 'monthly' as const, paymentMethodId } };
    expect((await app.call(calls.createSubscription, withCard)).status).toBe(404);
    expect((await create(other, 'annual')).status).toBe(409);
    const priced = {
      plan: 'annual',
      price: 1,
      amount: 1,
      amountMinor: 1,
      isVIP: true,
      status: 'active',
      customer: other.id,
    };
    const { body } = await app.call(calls.createSubscription, {
      token: member.token,
      body: priced as { plan: 'annual' },
    });
    expect(body.data.subscription).toMatchObject({ price: { amountMinor: 11988 }, status: 'incomplete' });
    expect(await isVip(app, member)).toBe(false);
  });

  test('can use a stored card', async () => {
    const member = await makeMember(app);
    await buyPremium(app, member);
    await app.call(calls.cancelSubscription, { token: member.token, body: {} });
    await app.sql`update sandbox.subscription set status = 'canceled', due_at = null where customer_id =
      (select customer_id from payment_customer where account_id = ${member.id}::uuid)`;
    await app.app.background.tasks['subscriptions.reconcile']?.({}, undefined as never);
    const paymentMethodId = await cardOf(app, member);
    const started = (
      await app.call(calls.createSubscription, { token: member.token, body: { plan: 'annual', paymentMethodId } })
    ).body.data;
    expect((await payWith(app, started, paymentMethodId)).status).toBe(200);
    expect((await confirmPremium(app, member, started)).body.data.subscription.plan).toBe('annual');
  });
});

describe('a payment for premium', () => {
  test.each([
    ['tok_declined', /declined/],
    ['tok_insufficient', /insufficient funds/],
    ['tok_expired', /expired/],
  ] as const)(
    'with the card %s is declined with a message, grants nothing and can be tried again',
    async (token, words) => {
      const member = await makeMember(app);
      const started = await beginPremium(app, member);
      const refused = await payWith(app, started, token);
      expect([refused.status, refused.error.code, refused.error.message]).toEqual([
        422,
        'PAYMENT_DECLINED',
        expect.stringMatching(words),
      ]);
      const confirmed = await confirmPremium(app, member, started);
      expect([confirmed.status, confirmed.error.message]).toEqual([422, refused.error.message]);
      expect(await isVip(app, member)).toBe(false);
      await payWith(app, started, 'tok_visa');
      expect((await confirmPremium(app, member, started)).status).toBe(200);
    },
  );

  test('cannot be confirmed if it was not made', async () => {
    const member = await makeMember(app);
    const started = await beginPremium(app, member);
    const answer = await confirmPremium(app, member, started);
    expect([answer.status, answer.error.code]).toEqual([422, 'PAYMENT_UNFINISHED']);
    expect(await isVip(app, member)).toBe(false);
  });

  test('confirms nothing if it belongs to another member', async () => {
    const [member, other] = [await makeMember(app), await makeMember(app)];
    const mine = await beginPremium(app, member);
    const theirs = await beginPremium(app, other);
    await payWith(app, theirs, 'tok_visa');
    const stolen = [
      { subscriptionId: mine.subscriptionId, paymentIntentId: theirs.paymentIntentId ?? '' },
      { subscriptionId: theirs.subscriptionId, paymentIntentId: theirs.paymentIntentId ?? '' },
      { subscriptionId: mine.subscriptionId, paymentIntentId: 'pi_unknown' },
      { subscriptionId: mine.subscriptionId, setupIntentId: mine.paymentIntentId ?? '' },
      { subscriptionId: randomUUID(), paymentIntentId: mine.paymentIntentId ?? '' },
    ];
    for (const body of stolen)
      expect((await app.call(calls.confirmSubscription, { token: member.token, body })).status).toBe(404);
    await settle(app);
    expect([await isVip(app, member), await isVip(app, other)]).toEqual([false, true]);
  });

  test('confirms nothing if it is for another purpose or of one cent', async () => {
    const member = await makeMember(app);
    const started = await beginPremium(app, member);
    const { data: card } = (await app.call(calls.createSetupIntent, { token: member.token })).body;
    await payWith(app, { ...card, paymentIntentId: null }, 'tok_visa');
    await app.sql`with cheap as (
        insert into sandbox.invoice (id, customer_id, subscription_id, purpose, status, plan, total_minor, currency, created_at, period_start, period_end)
        select 'in_one_cent', customer_id, subscription_id, 'period', 'void', plan, 1, currency, created_at, period_start, period_end
        from sandbox.invoice where id = (select invoice_id from sandbox.intent where id = ${started.paymentIntentId}) returning *)
      insert into sandbox.intent (id, kind, client_secret, customer_id, subscription_id, invoice_id, status, created_at)
      select 'pi_one_cent', 'payment', 'x', customer_id, null, id, 'succeeded', created_at from cheap`;
    const { subscriptionId } = started;
    for (const [body, status] of [
      [{ subscriptionId, paymentIntentId: 'pi_one_cent' }, 404],
      [{ subscriptionId, paymentIntentId: card.setupIntentId }, 404],
      [{ subscriptionId, setupIntentId: card.setupIntentId }, 422],
    ] as const) {
      const answer = await app.call(calls.confirmSubscription, { token: member.token, body });
      expect(answer.status).toBe(status);
    }
    await settle(app);
    expect(await isVip(app, member)).toBe(false);
  });
});

describe('a free trial', () => {
  let paid: TestApp;
  beforeEach(async () => {
    paid = app;
    app = await startApp({ TRIAL_DAYS: '7' });
  });
  afterEach(async () => {
    await app.close();
    app = paid;
  });
  const cancel = (by: TestMember) => app.call(calls.cancelSubscription, { token: by.token, body: {} });

  test('requires a card, which is not charged', async () => {
    const member = await makeMember(app);
    const started = await beginPremium(app, member);
    expect([started.secretKind, started.paymentIntentId]).toEqual(['setup', null]);
    await settle(app);
    expect([(await current(member)).status, await isVip(app, member)]).toEqual([404, false]);
    await payWith(app, started, 'tok_visa');
    const confirmed = (await confirmPremium(app, member, started)).body.data.subscription;
    expect(confirmed).toMatchObject({ status: 'trialing', currentPeriodEnd: '2026-06-22T12:00:00.000Z' });
    expect(await isVip(app, member)).toBe(true);
  });

  test('is granted once per account and once per card', async () => {
    const [first, sameCard] = [await makeMember(app), await makeMember(app)];
    await buyPremium(app, first, { card: 'tok_mastercard' });
    const started = await beginPremium(app, sameCard);
    await payWith(app, started, 'tok_mastercard');
    const refused = await confirmPremium(app, sameCard, started);
    expect([refused.status, refused.error.code]).toEqual([422, 'PAYMENT_DECLINED']);
    await settle(app);
    expect([await isVip(app, sameCard), (await current(sameCard)).status]).toEqual([false, 404]);
    const second = await beginPremium(app, sameCard);
    expect(second.secretKind).toBe('payment');
    await payWith(app, second, 'tok_mastercard');
    expect((await confirmPremium(app, sameCard, second)).body.data.subscription.status).toBe('active');
  });

  test('is charged at its end unless canceled', async () => {
    const [stays, goes] = [await makeMember(app), await makeMember(app)];
    await buyPremium(app, stays, { card: 'tok_challenge' }).catch(() => undefined);
    const started = await beginPremium(app, goes);
    await payWith(app, started, 'tok_renewal_fails');
    await confirmPremium(app, goes, started);
    const pause = { token: goes.token, body: { months: 1 as const } };
    expect((await app.call(calls.pauseSubscription, pause)).error).toMatchObject({
      code: 'CONFLICT',
      message: /trial/,
    });
    expect((await cancel(goes)).body.data.subscription).toMatchObject({ status: 'trialing', cancelAtPeriodEnd: true });
    await passUntil(app, '2026-06-22T12:01:00Z');
    expect([await isVip(app, goes), (await current(goes)).status]).toEqual([false, 404]);
    const again = await beginPremium(app, goes);
    expect(again.secretKind).toBe('payment');
  });
});
