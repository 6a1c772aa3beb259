import { beforeEach, describe, expect, test } from 'vitest';
import type { PauseMonths, Plan } from '#contract/subscriptions/plan.ts';
import { answerSandboxIntent, type SandboxToken } from '#contract/subscriptions/payments-sandbox.ts';
import * as calls from '#contract/subscriptions/subscriptions.ts';
import { makeMember, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { buyPremium, confirmPremium, isVip, passUntil, payWith, settle } from '../../../../test/premium.ts';

const app = startAppForTests();
let member: TestMember;
beforeEach(async () => {
  member = await makeMember(app);
});

const dayMs = 86_400_000;
const by = () => ({ token: member.token, body: {} });
const pause = (months: PauseMonths) => app.call(calls.pauseSubscription, { token: member.token, body: { months } });
const resume = () => app.call(calls.resumeSubscription, by());
const cancel = () => app.call(calls.cancelSubscription, by());
const update = (plan: Plan) => app.call(calls.updateSubscription, { token: member.token, body: { plan } });
const current = async () => (await app.call(calls.currentSubscription, { token: member.token })).body.subscription;
const invoices = async () =>
  (await app.call(calls.listInvoices, { token: member.token })).body.data.invoices.map(
    ({ plan, status, total: { amountMinor } }) => [plan, status, amountMinor],
  );
const mails = async () => (await app.outbox(member.email)).map(({ subject }) => subject);
const passDays = async (at: string | null | undefined, days = 0) =>
  passUntil(app, new Date(Date.parse(at ?? '') + days * dayMs + 60_000).toISOString());

/** Saves another card, which becomes the default. */
async function keepCard(token: SandboxToken): Promise<void> {
  const { data } = (await app.call(calls.createSetupIntent, { token: member.token })).body;
  await payWith(app, { ...data, paymentIntentId: null }, token);
  if (token === 'tok_challenge') await approve(data.setupIntentId, data.clientSecret);
  await app.drain();
}

const approve = (id: string, clientSecret: string) =>
  app.call(answerSandboxIntent, { params: { id }, body: { clientSecret, challenge: 'approve' } });

interface Wish {
  months?: PauseMonths;
  plan?: Plan;
  card?: SandboxToken;
}

/** A member whose paid period is over and whose pause is not. */
async function paused({ months = 2, plan = 'monthly', card = 'tok_visa' }: Wish = {}) {
  const bought = await buyPremium(app, member, { plan, card });
  const { pausedUntil } = (await pause(months)).body.data.subscription;
  await passDays(bought.currentPeriodEnd);
  return { paidThrough: bought.currentPeriodEnd, pausedUntil };
}

describe('pausing premium', () => {
  test('keeps the paid period, charges nothing, announces the end of the pause and renews then', async () => {
    const { currentPeriodEnd: paidThrough } = await buyPremium(app, member);
    const asked = (await pause(2)).body.data.subscription;
    expect(asked).toMatchObject({ status: 'active', currentPeriodEnd: paidThrough, cancelAtPeriodEnd: false });
    const { pausedUntil } = asked;
    expect(Math.round((Date.parse(pausedUntil ?? '') - Date.parse(paidThrough ?? '')) / dayMs)).toBeGreaterThan(58);
    expect(await isVip(app, member)).toBe(true);

    await passDays(paidThrough);
    expect(await current()).toMatchObject({ status: 'paused', currentPeriodEnd: paidThrough, pausedUntil });
    expect(await isVip(app, member)).toBe(false);
    await app.app.background.tasks['subscriptions.reconcile']?.({}, undefined as never);
    expect(await current()).toMatchObject({ status: 'paused', pausedUntil });
    expect(
      (await app.call(calls.createSubscription, { token: member.token, body: { plan: 'annual' } })).error,
    ).toMatchObject({ code: 'CONFLICT', message: /paused/ });

    await passDays(pausedUntil, -4);
    expect(await mails()).toHaveLength(1);
    await passDays(pausedUntil, -3);
    await settle(app);
    expect((await mails()).filter((subject) => subject.startsWith('Your premium starts again'))).toHaveLength(1);
    expect(await invoices()).toHaveLength(1);

    await passDays(pausedUntil);
    expect(await current()).toMatchObject({ status: 'active', currentPeriodStart: pausedUntil, pausedUntil: null });
    expect(await isVip(app, member)).toBe(true);
    expect(await invoices()).toEqual([
      ['monthly', 'paid', 1499],
      ['monthly', 'paid', 1499],
    ]);
  });

  test('changes nothing when repeated, and rejects another duration and a change of plan until resumed', async () => {
    await buyPremium(app, member);
    const [{ body: first }, { body: again }] = [await pause(1), await pause(1)];
    expect(again.data.subscription.pausedUntil).toBe(first.data.subscription.pausedUntil);
    expect([(await pause(2)).status, (await update('annual')).status]).toEqual([409, 409]);
    expect((await resume()).status).toBe(200);
    expect((await pause(2)).status).toBe(200);
  });

  test('returns an error without premium, after a cancellation, and with an open payment', async () => {
    expect([(await pause(1)).status, (await resume()).status]).toEqual([404, 404]);
    const { currentPeriodEnd } = await buyPremium(app, member, { card: 'tok_renewal_fails' });
    await cancel();
    expect((await pause(1)).error).toMatchObject({ code: 'CONFLICT', message: /canceled/ });
    await app.call(calls.reactivateSubscription, by());
    await passDays(currentPeriodEnd);
    expect((await pause(1)).error).toMatchObject({ code: 'CONFLICT', message: /open payment/ });
  });
});

describe('resuming premium', () => {
  test('is free and repeatable while there is paid time', async () => {
    const { currentPeriodEnd } = await buyPremium(app, member);
    await pause(3);
    for (let times = 0; times < 2; times += 1) {
      const { data } = (await resume()).body;
      expect(data).toMatchObject({ requiresAction: false, clientSecret: null });
      expect(data.subscription).toMatchObject({ status: 'active', currentPeriodEnd, pausedUntil: null });
    }
    expect(await invoices()).toHaveLength(1);
    await passDays(currentPeriodEnd);
    expect(await invoices()).toHaveLength(2);
  });

  test('charges the next period now, once, after the paid time', async () => {
    const { pausedUntil } = await paused();
    const answers = await Promise.all(Array.from({ length: 5 }, () => resume()));
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect((await resume()).body.data.subscription).toMatchObject({ status: 'active', pausedUntil: null });
    expect(await isVip(app, member)).toBe(true);
    expect(await invoices()).toEqual([
      ['monthly', 'paid', 1499],
      ['monthly', 'paid', 1499],
    ]);
    const { currentPeriodEnd } = await current();
    await passDays(currentPeriodEnd);
    expect(await invoices()).toHaveLength(3);
    expect(Date.parse(currentPeriodEnd ?? '')).not.toBe(Date.parse(pausedUntil ?? ''));
  });

  test('charges the price that was agreed, or that of the plan chosen since', async () => {
    await paused({ plan: 'quarterly' });
    await app.pool.query(
      `update sandbox.subscription set price_minor = 3000
       where customer_id in (select customer_id from payment_customer where account_id = $1)`,
      [member.id],
    );
    await app.db.updateTable('subscription').set({ price_minor: 3000 }).where('account_id', '=', member.id).execute();
    expect((await resume()).body.data.subscription).toMatchObject({ status: 'active', price: { amountMinor: 3000 } });
    expect((await invoices())[0]).toEqual(['quarterly', 'paid', 3000]);

    const { currentPeriodEnd } = await current();
    await update('monthly');
    await pause(1);
    await passDays(currentPeriodEnd);
    expect((await resume()).body.data.subscription).toMatchObject({ plan: 'monthly', pendingPlan: null });
    expect((await invoices())[0]).toEqual(['monthly', 'paid', 1499]);
  });

  test('leaves the pause if the card is declined or unconfirmed', async () => {
    await paused({ card: 'tok_renewal_fails' });
    expect((await resume()).error.code).toBe('PAYMENT_DECLINED');
    expect([(await current()).status, await isVip(app, member)]).toEqual(['paused', false]);
    await keepCard('tok_challenge');
    const { data } = (await resume()).body;
    expect([data.requiresAction, data.subscription.status]).toEqual([true, 'paused']);
    await approve(data.paymentIntentId ?? '', data.clientSecret ?? '');
    expect((await confirmPremium(app, member, data)).body.data.subscription).toMatchObject({ status: 'active' });
    expect(await isVip(app, member)).toBe(true);
    expect(await invoices()).toHaveLength(2);
  });
});

describe('cancelling during a pause', () => {
  test('ends premium with the paid period', async () => {
    const { currentPeriodEnd } = await buyPremium(app, member);
    await pause(1);
    const canceled = (await cancel()).body.data.subscription;
    expect(canceled).toMatchObject({ cancelAtPeriodEnd: true, currentPeriodEnd, pausedUntil: null });
    await passDays(currentPeriodEnd, 60);
    expect((await app.call(calls.currentSubscription, { token: member.token })).status).toBe(404);
    expect(await isVip(app, member)).toBe(false);
    expect(await invoices()).toHaveLength(1);
  });

  test('ends a subscription without paid time immediately', async () => {
    const { pausedUntil } = await paused();
    expect((await cancel()).body.data.subscription.status).toBe('canceled');
    await passDays(pausedUntil, 40);
    expect(await invoices()).toHaveLength(1);
    expect((await buyPremium(app, member)).status).toBe('active');
  });
});
