import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refundByLink } from '#contract/moderation/appeals.ts';
import { currentSubscription, updateSubscription } from '#contract/subscriptions/subscriptions.ts';
import { makeMember, signIn } from '../../../../test/factories.ts';
import { lockedToken, lockOut } from '../../../../test/locked.ts';
import { startStripeApp, type StripeApp } from '../../../../test/payments/stripe-app.ts';
import { isVip } from '../../../../test/premium.ts';
import type { RefundOrder } from './refund.ts';

let shop: StripeApp;
beforeAll(async () => {
  shop = await startStripeApp();
});
afterAll(() => shop.close());

const dayMs = 86_400_000;
const pass = (days: number) => shop.moveTo(new Date(shop.double.world.clock.now().getTime() + days * dayMs));
const refundsAtStripe = () => [...shop.double.world.refunds.values()].map(({ amount }) => amount);

describe('a refund to a locked-out member through Stripe', () => {
  it('is paid once for each payment of the period, also if its job runs again', async () => {
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
    const subscription = await app.db.selectFrom('subscription').selectAll().executeTakeFirstOrThrow();
    const invoices = await app.db.selectFrom('invoice').selectAll().orderBy('period_end', 'desc').execute();
    const order: RefundOrder = {
      refundId: row.id,
      subscriptionId: subscription.provider_id ?? '',
      parts: invoices.map(({ id, refunded_minor }) => ({ invoiceId: id, amountMinor: refunded_minor })),
    };
    // Later than Stripe remembers idempotency keys.
    await pass(3);
    await app.app.background.tasks['subscriptions.payRefund']?.(order, undefined as never);
    expect(refundsAtStripe()).toEqual(paid);
  });
});
