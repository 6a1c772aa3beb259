import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { begin, keepCard, newCustomer, refusalOf, subscribe } from '../../../../../test/payments/payment-bench.ts';
import { startStripeBench, type StripeBench } from '../../../../../test/payments/stripe-bench.ts';
import { finalize } from '../../../../../test/doubles/stripe/invoices.ts';
import { dispute, refund } from '../../../../../test/doubles/stripe/payments.ts';
import { known } from '../../../../../test/doubles/stripe/world.ts';
import { secondsAfter } from '#platform/process/clock.ts';

let bench: StripeBench;
beforeEach(async () => {
  bench = await startStripeBench();
});
afterEach(() => bench.close());

const standing = (id: string) => bench.provider.getSubscription(id);
const minutesAfter = (at: Date, minutes: number) => secondsAfter(at, minutes * 60);
const invoicesOf = async (customerId: string) => (await bench.provider.listInvoices(customerId, { limit: 10 })).data;

describe('the day of renewal at Stripe', () => {
  // The bench begins on the 31st of October.
  it('keeps the original day in short months, and after pauses that end in one', async () => {
    const { id, currentPeriodEnd } = await subscribe(bench);
    expect(currentPeriodEnd).toEqual(new Date('2026-11-30T10:20:30Z'));
    expect(await standing(id)).toMatchObject({ anchorDay: 31 });
    await bench.provider.pause(id, null);
    expect(await standing(id)).toMatchObject({ anchorDay: 31 });
    await bench.provider.pause(id, new Date('2027-02-28T10:20:30Z'));
    expect(await standing(id)).toMatchObject({ anchorDay: 31 });
    await bench.moveTo(new Date('2027-03-01T10:20:30Z'));
    expect(await standing(id)).toMatchObject({ anchorDay: 31, pausedUntil: null });
  });

  it('keeps the original day when a pause ends with a cancellation that is undone', async () => {
    const { id } = await subscribe(bench);
    await bench.provider.pause(id, new Date('2027-01-31T10:20:30Z'));
    await bench.provider.setCancelAtPeriodEnd(id, true);
    await bench.provider.setCancelAtPeriodEnd(id, false);
    expect(await standing(id)).toMatchObject({ anchorDay: 31, pausedUntil: null });
  });

  it('is the day of the last change of plan', async () => {
    const { id } = await subscribe(bench);
    await bench.provider.pause(id, new Date('2027-02-28T10:20:30Z'));
    await bench.provider.pause(id, null);
    await bench.moveTo(new Date('2026-11-12T10:20:30Z'));
    await bench.provider.changePlan({ subscriptionId: id, plan: 'annual', prorate: true }, randomUUID());
    expect(await standing(id)).toMatchObject({ anchorDay: 12 });
  });
});

describe('a renewal at Stripe', () => {
  it('is an unowed draft for an hour, then paid', async () => {
    const before = await subscribe(bench);
    const due = before.currentPeriodEnd;
    await bench.moveTo(minutesAfter(due, 59));
    expect(await standing(before.id)).toMatchObject({
      status: 'active',
      currentPeriodStart: due,
      paidThrough: due,
      renewalOpenUntil: minutesAfter(due, 120),
      latestIntentId: null,
    });
    expect(await bench.provider.openPayment(before.id)).toMatchObject({ requiresAction: false, clientSecret: null });
    expect((await invoicesOf(before.customerId)).map(({ status }) => status)).toEqual(['draft', 'paid']);
    await bench.moveTo(minutesAfter(due, 61));
    const renewed = await standing(before.id);
    expect(renewed).toMatchObject({ status: 'active', renewalOpenUntil: null });
    expect(renewed.paidThrough).toEqual(renewed.currentPeriodEnd);
  });

  it('is still in progress while its final invoice has not been tried', async () => {
    const before = await subscribe(bench, { trialDays: 7 });
    const due = before.currentPeriodEnd;
    await bench.moveTo(minutesAfter(due, 10));
    finalize(
      bench.double.world,
      known(bench.double.world.invoices, [...bench.double.world.invoices.keys()].at(-1) ?? ''),
    );
    expect(await standing(before.id)).toMatchObject({
      status: 'active',
      paidThrough: due,
      renewalOpenUntil: minutesAfter(due, 120),
    });
  });

  it('differs from a plan change that waits for its payer', async () => {
    const start = await begin(bench);
    await bench.pay(start, 'tok_challenge');
    await bench.answerBank(start, 'approve');
    const change = { subscriptionId: start.subscription.id, plan: 'annual', prorate: true } as const;
    await bench.provider.changePlan(change, randomUUID());
    const invoice = [...bench.double.world.invoices.values()].at(-1);
    Object.assign(invoice ?? {}, { attempts: 0 });
    expect(await standing(start.subscription.id)).toMatchObject({ status: 'active', renewalOpenUntil: null });
  });

  it('is replaced by another plan while it is a draft', async () => {
    const before = await subscribe(bench, { plan: 'annual' });
    await bench.moveTo(minutesAfter(before.currentPeriodEnd, 5));
    const change = { subscriptionId: before.id, plan: 'monthly', prorate: false } as const;
    const { subscription } = await bench.provider.changePlan(change, randomUUID());
    await bench.moveTo(minutesAfter(before.currentPeriodEnd, 120));
    expect(await standing(before.id)).toEqual(subscription);
    expect((await invoicesOf(before.customerId)).map(({ status, plan }) => [status, plan])).toEqual([
      ['paid', 'monthly'],
      ['void', 'annual'],
      ['paid', 'annual'],
    ]);
  });
});

describe('a payment at Stripe', () => {
  const intentOf = async (customerId: string) =>
    bench.double.world.invoices.get((await invoicesOf(customerId))[0]?.id ?? '')?.intentId ?? null;

  it('counts as refunded after a chargeback', async () => {
    const { id, customerId } = await subscribe(bench);
    dispute(bench.double.world, await intentOf(customerId));
    expect((await standing(id)).paidThrough).toBeNull();
    expect(await invoicesOf(customerId)).toMatchObject([{ status: 'refunded' }]);
  });

  it('does not count as refunded after a partial refund', async () => {
    const { id, customerId, paidThrough } = await subscribe(bench);
    refund(bench.double.world, await intentOf(customerId), 500);
    expect((await standing(id)).paidThrough).toEqual(paidThrough);
    expect(await invoicesOf(customerId)).toMatchObject([{ status: 'paid' }]);
    refund(bench.double.world, await intentOf(customerId), 999);
    expect((await standing(id)).paidThrough).toBeNull();
  });

  it('falls back to the earlier payment when that of a change is refunded', async () => {
    const before = await subscribe(bench);
    const change = { subscriptionId: before.id, plan: 'annual', prorate: true } as const;
    await bench.provider.changePlan(change, randomUUID());
    const [newest] = await invoicesOf(before.customerId);
    await bench.refund(newest?.id ?? '');
    expect((await standing(before.id)).paidThrough).toEqual(before.paidThrough);
  });

  it('is no longer requested once its subscription has ended', async () => {
    const { id, customerId, currentPeriodEnd } = await subscribe(bench, { card: 'tok_renewal_fails' });
    await bench.moveTo(minutesAfter(currentPeriodEnd, 120));
    const debt = await bench.provider.openPayment(id);
    await bench.provider.cancelNow(id);
    expect(await refusalOf(bench.pay(debt, 'tok_visa'))).toBe('invalid');
    expect((await invoicesOf(customerId)).map(({ status }) => status)).toEqual(['void', 'paid']);
  });
});

describe('a subscription at Stripe', () => {
  it('continues when a manual end date is removed', async () => {
    const { id, currentPeriodEnd } = await subscribe(bench);
    const record = known(bench.double.world.subscriptions, id);
    record.endsAt = currentPeriodEnd.getTime() / 1000 - 86_400;
    expect(await standing(id)).toMatchObject({ status: 'active', cancelAtPeriodEnd: true });
    await bench.provider.setCancelAtPeriodEnd(id, false);
    expect(await standing(id)).toMatchObject({ cancelAtPeriodEnd: false });
    await bench.moveTo(minutesAfter(currentPeriodEnd, 90));
    expect(await standing(id)).toMatchObject({ status: 'active' });
  });

  it('starts its trial immediately with a default card', async () => {
    const customerId = await newCustomer(bench);
    await bench.provider.setDefaultPaymentMethod(customerId, await keepCard(bench, customerId, 'tok_visa'));
    const start = await begin(bench, { customerId, trialDays: 7 });
    expect(start).toMatchObject({ requiresAction: false, clientSecret: null, subscription: { status: 'trialing' } });
    expect(start.subscription.paidThrough).toEqual(start.subscription.trialEnd);
    expect(start.subscription.cardFingerprint).not.toBeNull();
  });

  it('changes to a waiting plan without the member, even if the bank would ask', async () => {
    const start = await begin(bench, { plan: 'annual' });
    await bench.pay(start, 'tok_challenge');
    await bench.answerBank(start, 'approve');
    const change = { subscriptionId: start.subscription.id, plan: 'monthly', prorate: false } as const;
    expect(await bench.provider.changePlan(change, randomUUID())).toMatchObject({
      requiresAction: false,
      subscription: { status: 'active', plan: 'monthly' },
    });
  });

  it('is charged nothing for a change to the plan it already has', async () => {
    const { id, customerId } = await subscribe(bench);
    const change = { subscriptionId: id, plan: 'monthly', prorate: true } as const;
    expect(await bench.provider.changePlan(change, randomUUID())).toMatchObject({ requiresAction: false });
    expect(await invoicesOf(customerId)).toHaveLength(1);
    await bench.provider.cancelNow(id);
    expect(await refusalOf(bench.provider.changePlan(change, randomUUID()))).toBe('invalid');
  });

  it('is not charged when canceled before its card was added', async () => {
    const start = await begin(bench, { trialDays: 7 });
    const { id, customerId } = start.subscription;
    await bench.provider.setDefaultPaymentMethod(customerId, await keepCard(bench, customerId, 'tok_visa'));
    await bench.provider.cancelNow(id);
    expect(await standing(id)).toMatchObject({ status: 'canceled', paidThrough: null });
  });

  it('cannot pay an open amount without a card', async () => {
    const { id, customerId, currentPeriodEnd } = await subscribe(bench, { card: 'tok_renewal_fails' });
    await bench.moveTo(minutesAfter(currentPeriodEnd, 90));
    for (const card of await bench.provider.listPaymentMethods(customerId))
      await bench.provider.removePaymentMethod(customerId, card.id);
    expect(await refusalOf(bench.provider.payOpenInvoice(id))).toBe('invalid');
  });

  it('ends its trial with a change of plan, at the full price', async () => {
    const { id, customerId } = await subscribe(bench, { trialDays: 7 });
    const change = { subscriptionId: id, plan: 'annual', prorate: true } as const;
    const preview = await bench.provider.previewChange({ customerId, ...change });
    const { subscription } = await bench.provider.changePlan(change, randomUUID());
    expect(subscription).toMatchObject({ status: 'active', plan: 'annual', price: preview });
    expect(subscription.paidThrough).toEqual(subscription.currentPeriodEnd);
    expect(subscription.trialEnd).toEqual(await bench.provider.now());
  });

  it('keeps its plan when there is no card for the difference', async () => {
    const { id, customerId } = await subscribe(bench);
    for (const card of await bench.provider.listPaymentMethods(customerId))
      await bench.provider.removePaymentMethod(customerId, card.id);
    const change = { subscriptionId: id, plan: 'annual', prorate: true } as const;
    const start = await bench.provider.changePlan(change, randomUUID());
    expect(start).toMatchObject({ requiresAction: true, subscription: { status: 'active', plan: 'monthly' } });
    expect(await refusalOf(bench.provider.payOpenInvoice(id))).toBeNull();
    await bench.pay(start, 'tok_visa');
    expect(await standing(id)).toMatchObject({ status: 'active', plan: 'annual' });
  });
});
