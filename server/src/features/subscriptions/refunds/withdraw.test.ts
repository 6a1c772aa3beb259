import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAppealLink, withdrawByLink } from '#contract/moderation/appeals.ts';
import { grantPremium } from '#contract/subscriptions/grants.ts';
import type { Plan } from '#contract/subscriptions/plan.ts';
import {
  cancelSubscription,
  createSubscription,
  currentSubscription,
  pauseSubscription,
  updateSubscription,
  withdrawSubscription,
} from '#contract/subscriptions/subscriptions.ts';
import { dispute } from '../../../../test/doubles/stripe/payments.ts';
import { makeAdministrator, makeMember, signIn, type TestMember } from '../../../../test/factories.ts';
import { lockedToken, lockOut } from '../../../../test/locked.ts';
import { startStripeApp, type StripeApp } from '../../../../test/payments/stripe-app.ts';
import { isVip } from '../../../../test/premium.ts';
import { randomOf } from '../../../../test/random.ts';
import { premiumData } from '../reads.ts';

let shop: StripeApp;
const start = async (environment: Record<string, string> = {}) => {
  shop = await startStripeApp(() => environment);
};
beforeEach(() => start());
afterEach(() => shop.close());

const dayMs = 86_400_000;
const now = () => shop.double.world.clock.now();
const pass = (days: number) => shop.moveTo(new Date(now().getTime() + days * dayMs));
const own = async ({ id }: TestMember) => ({ token: (await signIn(shop.app, id)).token });

async function buy(
  member: TestMember,
  { plan = 'monthly', startNow = false }: { plan?: Plan; startNow?: boolean } = {},
) {
  const { data } = (await shop.app.call(createSubscription, { ...(await own(member)), body: { plan, startNow } })).body;
  shop.pay(data);
  await shop.deliver();
  return data;
}

const withdraw = async (member: TestMember) =>
  shop.app.call(withdrawSubscription, { ...(await own(member)), body: {} });

/** What a member got back at Stripe, in cents. */
async function paidBack({ id }: TestMember): Promise<number> {
  await shop.app.drain();
  const { customer_id } = await shop.app.db
    .selectFrom('payment_customer')
    .select('customer_id')
    .where('account_id', '=', id)
    .executeTakeFirstOrThrow();
  const { charges, refunds } = shop.double.world;
  const own = [...charges.values()].filter(({ customerId }) => customerId === customer_id);
  const intents = new Set(own.map(({ intentId }) => intentId));
  return [...refunds.values()].reduce((sum, { intentId, amount }) => sum + (intents.has(intentId) ? amount : 0), 0);
}

interface Purchase {
  member: TestMember;
  intentId: string | null;
}

/** What a member does some days after the purchase. */
type Act = (purchase: Purchase) => Promise<unknown>;
const change =
  (plan: Plan, startNow: boolean): Act =>
  async ({ member }) =>
    shop.app.call(updateSubscription, { ...(await own(member)), body: { plan, startNow } });
const pause: Act = async ({ member }) =>
  shop.app.call(pauseSubscription, { ...(await own(member)), body: { months: 1 } });
const cancel: Act = async ({ member }) => shop.app.call(cancelSubscription, { ...(await own(member)), body: {} });
const chargeBack: Act = async ({ intentId }) => {
  dispute(shop.double.world, intentId);
  await shop.deliver();
};
const gift: Act = async ({ member }) => {
  const administrator = await makeAdministrator(shop.app);
  const body = { days: 10, reason: 'The service was down on Sunday' };
  await shop.app.call(grantPremium, { token: administrator.token, params: { id: member.id }, body });
};

/**
 * Purchases from the 2nd to the 4th of November 2026, and the refunds in cents, calculated by hand: a month has 30 days and costs $14.99, a
 * quarter 92 and $35.97, a year 365 and $119.88. A change from a month to a year after four days credits 26/30 of $14.99, which is $12.99.
 */
const toStart =
  (startNow: boolean) =>
  (plan: Plan, after: number, ...acts: [number, Act][]) => ({
    ...{ plan, after, acts, startNow },
  });
const [atOnce, later] = [toStart(true), toStart(false)];
const table: [string, ReturnType<typeof atOnce>, number | null][] = [
  ['a month, at once', atOnce('monthly', 0), 1499],
  ['25 of 30 days', atOnce('monthly', 5), 1249],
  ['17 of 30 days', atOnce('monthly', 13), 849],
  ['all of a month that was not to start at once', later('monthly', 13), 1499],
  ['82 of 92 days', atOnce('quarterly', 10), 3206],
  ['358 of 365 days', atOnce('annual', 7), 11_758],
  ['359 of 365 days after a change', atOnce('monthly', 10, [4, change('annual', true)]), 11_791],
  ['all of the year that was not to start at once', atOnce('monthly', 10, [4, change('annual', false)]), 11_988],
  [
    '359 of 365 days, and four days of the month that was not to start at once',
    later('monthly', 10, [4, change('annual', true)]),
    11_991,
  ],
  ['all of both that were not to start at once', later('monthly', 10, [4, change('annual', false)]), 12_188],
  ['362 of 365 days before a shorter plan', atOnce('annual', 3, [2, change('monthly', true)]), 11_889],
  ['21 of 30 days before a pause', atOnce('monthly', 9, [3, pause]), 1049],
  ['18 of 30 days of a canceled plan', atOnce('monthly', 12, [1, cancel]), 899],
  ['25 of 30 days before a gift', atOnce('monthly', 5, [2, gift]), 1249],
  ['nothing that the bank reclaimed', later('monthly', 5, [3, chargeBack]), null],
  ['nothing after the time', later('monthly', 17), null],
  [
    'a year whose month before can no longer be withdrawn from',
    later('monthly', 20, [17, change('annual', false)]),
    11_988,
  ],
];
const perRow = 6;

describe('POST /subscription/withdraw', () => {
  it('refunds the legal amount, whatever happened since and at any time of day', async () => {
    const random = randomOf(2023);
    const second = () => random.below(86_400) * 1000;
    const from = Date.parse('2026-11-02T00:00:00Z');
    const events: { at: number; happen: () => Promise<unknown> }[] = [];
    const results: { row: string; owed: number | null; answered: number | null; paid: () => Promise<number> }[] = [];
    for (const [row, { plan, startNow, acts, after }, owed] of table)
      for (let n = 0; n < perRow; n += 1) {
        const purchase: Purchase = { member: await makeMember(shop.app), intentId: null };
        const { member } = purchase;
        const at = from + random.below(3) * dayMs + second();
        const bought = async () => {
          purchase.intentId = (await buy(member, { plan, startNow })).paymentIntentId;
        };
        events.push({ at, happen: bought });
        for (const [day, act] of acts) events.push({ at: at + day * dayMs, happen: () => act(purchase) });
        const result = { row, owed, answered: null as number | null, paid: () => paidBack(member) };
        results.push(result);
        const end = async () => {
          const answer = await withdraw(member);
          result.answered = answer.status === 200 ? answer.body.data.refund.amount : null;
        };
        events.push({ at: at + after * dayMs + second(), happen: end });
      }
    for (const { at, happen } of events.sort((one, other) => one.at - other.at)) {
      await shop.moveTo(new Date(at));
      await happen();
    }
    await shop.deliver();
    expect(results.length).toBeGreaterThanOrEqual(100);
    for (const { row, owed, answered, paid } of results)
      expect([row, answered, await paid()]).toEqual([row, owed, owed ?? 0]);
  });

  it('ends premium at once, and mails a receipt with the time, the contract and the refund', async () => {
    const { app } = shop;
    const member = await makeMember(app);
    await buy(member, { startNow: true });
    await pass(3);
    const held = (await app.call(currentSubscription, await own(member))).body.subscription;
    expect(held).toMatchObject({
      withdrawableUntil: '2026-11-17T04:00:00.000Z',
      withdrawalRefund: { amountMinor: 1349, currency: 'USD' },
    });
    const { status, body } = await withdraw(member);
    expect([status, body.data.subscription.status]).toEqual([200, 'canceled']);
    expect(body.data.refund).toEqual({ amount: 1349, currency: 'USD', until: '2026-11-17T10:20:30.000Z' });
    expect(await isVip(app, member)).toBe(false);
    expect((await app.call(currentSubscription, await own(member))).status).toBe(404);
    const mail = (await app.outbox(member.email)).find(({ subject }) => subject === 'We received your withdrawal');
    for (const part of [
      '2026-11-03, 10:20 UTC',
      'monthly',
      '$14.99',
      '2026-10-31',
      member.email,
      '$13.49',
      '2026-11-17',
    ])
      expect(mail?.text).toContain(part);
    await app.drain();
    const { refunds } = await premiumData(app.db, member.id);
    expect(refunds).toMatchObject([{ isWithdrawal: true, amountMinor: 1349, paidAt: now() }]);
  });

  it('refunds once, even with many parallel requests', async () => {
    const member = await makeMember(shop.app);
    await buy(member);
    const { token } = await own(member);
    const ask = () => shop.app.call(withdrawSubscription, { token, body: {} });
    const answers = await Promise.all([ask(), ask(), ask()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect((await ask()).status).toBe(409);
    expect(await paidBack(member)).toBe(1499);
  });

  it('makes the next purchase within a year start at once, so that its days are paid for', async () => {
    const member = await makeMember(shop.app);
    await buy(member);
    expect((await withdraw(member)).status).toBe(200);
    await shop.deliver();
    const body = { plan: 'monthly' } as const;
    const again = await shop.app.call(createSubscription, { ...(await own(member)), body });
    expect(again.error.message).toContain('choose “Start now”');
    await buy(member, { startNow: true });
    const upgrade = await shop.app.call(updateSubscription, { ...(await own(member)), body: { plan: 'annual' } });
    expect(upgrade.error.message).toContain('choose “Start now”');
    await pass(2);
    expect((await withdraw(member)).body.data.refund.amount).toBeLessThan(1499);
    await pass(366);
    expect((await shop.app.call(createSubscription, { ...(await own(member)), body })).status).toBe(201);
  });

  it('refunds later if the provider was down for a day, and nothing renews or starts meanwhile', async () => {
    const { app, double } = shop;
    const member = await makeMember(app);
    await buy(member);
    double.isDown = true;
    expect((await withdraw(member)).status).toBe(200);
    await app.drain().catch(() => undefined);
    await sql`update graphile_worker._private_jobs set attempts = max_attempts`.execute(app.db);
    app.clock.advance(86_400);
    await shop.run('jobs.queueOwed');
    await app.drain().catch(() => undefined);
    await sql`update graphile_worker._private_jobs set attempts = max_attempts`.execute(app.db);
    expect(await isVip(app, member)).toBe(false);
    double.isDown = false;
    await shop.run('jobs.queueOwed');
    await shop.deliver();
    expect((await app.call(currentSubscription, await own(member))).status).toBe(404);
    expect(await paidBack(member)).toBe(1499);
  });

  it('refunds nothing if the bank reclaims the payment before the job runs', async () => {
    const member = await makeMember(shop.app);
    const { paymentIntentId } = await buy(member);
    await withdraw(member);
    dispute(shop.double.world, paymentIntentId);
    expect(await paidBack(member)).toBe(0);
    const owed = shop.app.db.selectFrom('premium_refund').select('id').where('paid_at', 'is', null);
    expect(await owed.execute()).toEqual([]);
  });

  it('gives no new right to withdraw after a renewal', async () => {
    const member = await makeMember(shop.app);
    await buy(member);
    await pass(31);
    expect((await withdraw(member)).status).toBe(409);
  });
});

describe('the settings of a purchase', () => {
  it('end a free trial without a refund', async () => {
    await shop.close();
    await start({ TRIAL_DAYS: '30' });
    const member = await makeMember(shop.app);
    await buy(member);
    await pass(2);
    expect((await withdraw(member)).body.data.refund.amount).toBe(0);
    await shop.app.drain();
    expect([...shop.double.world.subscriptions.values()].map(({ status }) => status)).toEqual(['canceled']);
  });

  it('limit the right to some countries, and keep it for people whose country is unknown', async () => {
    await shop.close();
    await start({ WITHDRAWAL_COUNTRIES: 'DE, FR' });
    const statuses = [];
    for (const country of ['Germany', 'Canada', null]) {
      const member = await makeMember(shop.app);
      await shop.app.db.updateTable('profile').set({ country }).where('account_id', '=', member.id).execute();
      await buy(member);
      statuses.push((await withdraw(member)).status);
    }
    expect(statuses).toEqual([200, 409, 200]);
  });
});

describe('POST /appeals/link/withdraw', () => {
  it('withdraws once for people who are locked out, counting the days until they were locked', async () => {
    const { app } = shop;
    const member = await makeMember(app);
    await buy(member, { startNow: true });
    await pass(2);
    await lockOut(app, member);
    await pass(3);
    const token = await lockedToken(app, member.email);
    const { locked } = (await app.call(openAppealLink, { body: { token } })).body.data;
    expect(locked?.withdrawal).toMatchObject({
      email: member.email,
      subscription: { plan: 'monthly', withdrawalRefund: { amountMinor: 1399 } },
    });
    const { refund } = (await app.call(withdrawByLink, { body: { token } })).body.data;
    expect(refund.amount).toBe(1399);
    expect((await app.call(withdrawByLink, { body: { token } })).status).toBe(409);
    expect(await paidBack(member)).toBe(1399);
    expect((await app.call(openAppealLink, { body: { token } })).body.data.locked).toMatchObject({
      withdrawal: null,
      refund: { state: 'paid', amount: { amountMinor: 1399 } },
    });
  });

  it('returns an error to people who can sign in', async () => {
    const { app } = shop;
    const member = await makeMember(app);
    await buy(member);
    await lockOut(app, member);
    const token = await lockedToken(app, member.email);
    await app.db
      .updateTable('account')
      .set({ is_active: true, deactivated_at: null })
      .where('id', '=', member.id)
      .execute();
    expect((await app.call(withdrawByLink, { body: { token } })).status).toBe(404);
  });
});
