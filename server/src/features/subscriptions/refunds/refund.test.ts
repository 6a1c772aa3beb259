import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refundByLink } from '#contract/moderation/appeals.ts';
import { currentSubscription, updateSubscription } from '#contract/subscriptions/subscriptions.ts';
import { deleteAccounts, makeMember, signIn } from '../../../../test/factories.ts';
import { lockedToken, lockOut } from '../../../../test/locked.ts';
import { startStripeApp, type StripeApp } from '../../../../test/payments/stripe-app.ts';
import { isVip } from '../../../../test/premium.ts';

let shop: StripeApp;
beforeEach(async () => {
  shop = await startStripeApp();
});
afterEach(() => shop.close());

const dayMs = 86_400_000;
const pass = (days: number) => shop.moveTo(new Date(shop.double.world.clock.now().getTime() + days * dayMs));
const refundsAtStripe = () => [...shop.double.world.refunds.values()].map(({ amount }) => amount);

describe('a refund to a locked-out member through Stripe', () => {
  it('is paid once for each payment of the period, even if its job runs again', async () => {
    const { app } = shop;
    const member = await makeMember(app);
    await shop.buy(member);
    const own = { token: (await signIn(app, member.id)).token };
    await app.call(updateSubscription, { ...own, body: { plan: 'annual' } });
    await shop.deliver();
    const held = (await app.call(currentSubscription, own)).body.subscription;
    expect(held.plan).toBe('annual');
    await lockOut(app, member);
    const token = await lockedToken(app, member.email);
    const { refund } = (await app.call(refundByLink, { body: { token } })).body.data;
    expect(refund.amount.amountMinor).toBe(held.price.amountMinor);
    await app.drain();
    await shop.deliver();
    const paid = refundsAtStripe();
    expect([paid.length, paid.reduce((sum, amount) => sum + amount, 0)]).toEqual([2, held.price.amountMinor]);
    expect(await isVip(app, member)).toBe(false);

    const row = await app.db.selectFrom('premium_refund').selectAll().executeTakeFirstOrThrow();
    // The answer about the payment was lost. Later than Stripe remembers idempotency keys.
    await pass(3);
    await sql`update premium_refund set paid_at = null`.execute(app.db);
    await app.app.background.tasks['subscriptions.payRefund']?.({ refundId: row.id }, undefined as never);
    expect(refundsAtStripe()).toEqual(paid);
  });

  it('is paid even if the account is deleted meanwhile', async () => {
    const { app } = shop;
    const member = await makeMember(app);
    await shop.buy(member);
    await lockOut(app, member);
    await app.call(refundByLink, { body: { token: await lockedToken(app, member.email) } });
    const before = refundsAtStripe().length;
    await deleteAccounts(app, member.id);
    await app.drain();
    expect(refundsAtStripe().length).toBe(before + 1);
    await app.app.background.tasks['subscriptions.cleanUp']?.({}, undefined as never);
    expect(await app.db.selectFrom('premium_refund').selectAll().where('account_id', 'is', null).execute()).toEqual([]);
  });
});
