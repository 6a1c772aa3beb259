import { expect, it } from 'vitest';
import { type PaymentBench, begin, paidBy, passBeyond, refusalOf, subscribe } from './payment-bench.ts';

export function endingRules(bench: () => PaymentBench): void {
  const standing = (id: string) => bench().provider.getSubscription(id);

  it('takes effect at the end of the period', async () => {
    const { provider } = bench();
    const subscription = await subscribe(bench());
    const canceledAt = await provider.now();
    await provider.setCancelAtPeriodEnd(subscription.id, true);
    await provider.setCancelAtPeriodEnd(subscription.id, true);
    expect(await standing(subscription.id)).toMatchObject({
      status: 'active',
      cancelAtPeriodEnd: true,
      canceledAt,
      paidThrough: subscription.currentPeriodEnd,
    });
    await passBeyond(bench(), subscription.currentPeriodEnd);
    const ended = await standing(subscription.id);
    expect(ended.status).toBe('canceled');
    expect(ended.canceledAt).not.toBeNull();
    expect(ended.paidThrough).toEqual(subscription.currentPeriodEnd);
    expect(ended.renewalOpenUntil).toBeNull();
    expect(await paidBy(bench(), subscription.customerId)).toBe(subscription.price.amountMinor);
    expect(await refusalOf(provider.setCancelAtPeriodEnd(subscription.id, false))).toBe('invalid');
  });

  it('can be undone', async () => {
    const { provider } = bench();
    const subscription = await subscribe(bench());
    await provider.setCancelAtPeriodEnd(subscription.id, true);
    await provider.setCancelAtPeriodEnd(subscription.id, false);
    expect(await standing(subscription.id)).toMatchObject({
      status: 'active',
      cancelAtPeriodEnd: false,
      canceledAt: null,
    });
    await passBeyond(bench(), subscription.currentPeriodEnd);
    expect((await standing(subscription.id)).status).toBe('active');
    expect(await paidBy(bench(), subscription.customerId)).toBe(2 * subscription.price.amountMinor);
  });

  it('stops all renewals when it is immediate, and can be repeated', async () => {
    const { provider } = bench();
    const subscription = await subscribe(bench());
    await provider.cancelNow(subscription.id);
    await provider.cancelNow(subscription.id);
    expect((await standing(subscription.id)).status).toBe('canceled');
    await passBeyond(bench(), subscription.currentPeriodEnd);
    expect((await standing(subscription.id)).status).toBe('canceled');
    expect(await paidBy(bench(), subscription.customerId)).toBe(subscription.price.amountMinor);
  });

  it.each([0, 7])('also ends the payment of an unpaid subscription (trial of %i days)', async (trialDays) => {
    const start = await begin(bench(), { trialDays });
    await bench().provider.cancelNow(start.subscription.id);
    const ended = await standing(start.subscription.id);
    expect(['canceled', 'incomplete_expired']).toContain(ended.status);
    expect(ended.paidThrough).toBeNull();
    expect(await bench().provider.getIntent(start.intentId ?? '')).toMatchObject({ status: 'canceled' });
    expect(await refusalOf(bench().pay(start, 'tok_visa'))).toBe('invalid');
    expect(await paidBy(bench(), start.subscription.customerId)).toBe(0);
  });

  it.each([0, 7])('cancels the payment of an abandoned subscription (trial of %i days)', async (trialDays) => {
    const start = await begin(bench(), { trialDays });
    await bench().provider.giveUp(start.subscription.id);
    expect(['canceled', 'incomplete_expired']).toContain((await standing(start.subscription.id)).status);
    expect(await refusalOf(bench().pay(start, 'tok_visa'))).toBe('invalid');
  });

  it('does not happen when a payment that just succeeded is abandoned', async () => {
    const subscription = await subscribe(bench());
    await bench().provider.giveUp(subscription.id);
    expect((await standing(subscription.id)).status).toBe('active');
  });

  it('is refused for an unknown subscription', async () => {
    const { provider } = bench();
    expect(await refusalOf(provider.cancelNow('sub_unknown'))).toBe('invalid');
    expect(await refusalOf(provider.giveUp('sub_unknown'))).toBe('invalid');
    expect(await refusalOf(provider.setCancelAtPeriodEnd('sub_unknown', true))).toBe('invalid');
  });
}
