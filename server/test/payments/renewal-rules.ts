import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Plan } from '#contract/subscriptions/plan.ts';
import type { SandboxToken } from '#contract/subscriptions/payments-sandbox.ts';
import type { ProviderSubscription } from '../../src/features/subscriptions/providers/provider.ts';
import {
  type PaymentBench,
  begin,
  daysAfter,
  hoursAfter,
  invoicesOf,
  keepCard,
  paidBy,
  passBeyond,
  refusalOf,
  subscribe,
} from './payment-bench.ts';

export function renewalRules(bench: () => PaymentBench): void {
  const standing = (id: string) => bench().provider.getSubscription(id);

  it.each(['tok_visa', 'tok_challenge'] as const)('is paid with %s, and extends the period', async (card) => {
    const first = await subscribe(bench(), { card });
    await passBeyond(bench(), first.currentPeriodEnd);
    const second = await standing(first.id);
    expect(second).toMatchObject({ status: 'active', plan: 'monthly', renewalOpenUntil: null });
    expect(second.currentPeriodStart).toEqual(first.currentPeriodEnd);
    expect(second.currentPeriodEnd.getTime()).toBeGreaterThan(daysAfter(first.currentPeriodEnd, 27).getTime());
    expect(second.paidThrough).toEqual(second.currentPeriodEnd);
    const [newest, oldest] = await invoicesOf(bench(), first.customerId);
    expect([newest?.status, oldest?.status]).toEqual(['paid', 'paid']);
    expect(newest?.periodStart).toEqual(oldest?.periodEnd);
    expect(newest?.total).toEqual(first.price);
  });

  it('happens each period, even when several have passed', async () => {
    const first = await subscribe(bench());
    await passBeyond(bench(), daysAfter(first.currentPeriodEnd, 65));
    const later = await standing(first.id);
    expect(later.status).toBe('active');
    expect(later.currentPeriodEnd.getTime()).toBeGreaterThan((await bench().provider.now()).getTime());
    const invoices = await invoicesOf(bench(), first.customerId);
    expect(invoices.map(({ status }) => status)).toEqual(['paid', 'paid', 'paid', 'paid']);
    for (const [index, invoice] of invoices.slice(0, -1).entries()) {
      expect(invoice.periodStart).toEqual(invoices[index + 1]?.periodEnd);
    }
  });

  it('grants nothing beyond the paid time if it fails, is retried for a week, and then ends the subscription', async () => {
    const first = await subscribe(bench(), { card: 'tok_renewal_fails' });
    expect(first.status).toBe('active');
    const due = first.currentPeriodEnd;
    for (const days of [0, 3, 5]) {
      await passBeyond(bench(), daysAfter(due, days));
      const failed = await standing(first.id);
      expect(failed).toMatchObject({ status: 'past_due', renewalOpenUntil: null });
      expect(failed.currentPeriodStart).toEqual(due);
      expect(failed.paidThrough).toEqual(due);
    }
    await bench().moveTo(hoursAfter(due, 7 * 24 - 2));
    expect((await standing(first.id)).status).toBe('past_due');
    await passBeyond(bench(), daysAfter(due, 7));
    const ended = await standing(first.id);
    expect(ended.status).toBe('canceled');
    expect(ended.paidThrough).toEqual(due);
    expect(ended.canceledAt).not.toBeNull();
    expect(await paidBy(bench(), first.customerId)).toBe(first.price.amountMinor);
  });

  it('succeeds on a retry with a working card after a failure', async () => {
    const { provider } = bench();
    const first = await subscribe(bench(), { card: 'tok_renewal_fails' });
    await passBeyond(bench(), first.currentPeriodEnd);
    const card = await keepCard(bench(), first.customerId, 'tok_visa');
    await provider.setDefaultPaymentMethod(first.customerId, card);
    expect((await standing(first.id)).status).toBe('past_due');
    await passBeyond(bench(), daysAfter(first.currentPeriodEnd, 3));
    const renewed = await standing(first.id);
    expect(renewed.status).toBe('active');
    expect(renewed.currentPeriodStart).toEqual(first.currentPeriodEnd);
    expect(renewed.paidThrough).toEqual(renewed.currentPeriodEnd);
    await passBeyond(bench(), renewed.currentPeriodEnd);
    expect(await paidBy(bench(), first.customerId)).toBe(3 * first.price.amountMinor);
  });

  it('can be retried at once after a failure', async () => {
    const { provider } = bench();
    const first = await subscribe(bench(), { card: 'tok_renewal_fails' });
    await passBeyond(bench(), first.currentPeriodEnd);
    expect(await refusalOf(provider.payOpenInvoice(first.id))).toBe('card_declined');
    expect((await standing(first.id)).status).toBe('past_due');
    const card = await keepCard(bench(), first.customerId, 'tok_mastercard');
    await provider.setDefaultPaymentMethod(first.customerId, card);
    await provider.payOpenInvoice(first.id);
    const paid = await standing(first.id);
    expect(paid.status).toBe('active');
    expect(paid.paidThrough).toEqual(paid.currentPeriodEnd);
    await provider.payOpenInvoice(first.id);
    expect(await paidBy(bench(), first.customerId)).toBe(2 * first.price.amountMinor);
  });

  it('can be paid manually with another card after a failure', async () => {
    const first = await subscribe(bench(), { card: 'tok_renewal_fails' });
    await passBeyond(bench(), first.currentPeriodEnd);
    const start = await bench().provider.openPayment(first.id);
    expect(start).toMatchObject({ requiresAction: true, secretKind: 'payment' });
    await bench().pay(start, 'tok_visa');
    const paid = await standing(first.id);
    expect(paid.status).toBe('active');
    expect(paid.paidThrough).toEqual(paid.currentPeriodEnd);
    await passBeyond(bench(), daysAfter(first.currentPeriodEnd, 7));
    expect(await paidBy(bench(), first.customerId)).toBe(2 * first.price.amountMinor);
  });

  it('is not retried if nothing is owed', async () => {
    const { provider } = bench();
    const subscription = await subscribe(bench());
    await provider.payOpenInvoice(subscription.id);
    expect(await paidBy(bench(), subscription.customerId)).toBe(subscription.price.amountMinor);
    expect(await refusalOf(provider.payOpenInvoice('sub_unknown'))).toBe('invalid');
  });
}

export function pauseRules(bench: () => PaymentBench): void {
  const standing = (id: string) => bench().provider.getSubscription(id);
  const renewed = (subscriptionId: string, key: string = randomUUID(), plan: Plan = 'monthly') =>
    bench().provider.changePlan({ subscriptionId, plan, prorate: true }, key);

  /** A subscription that is paused for a month. */
  async function paused(card: SandboxToken = 'tok_visa'): Promise<[before: ProviderSubscription, until: Date]> {
    const before = await subscribe(bench(), { card });
    const until = daysAfter(before.currentPeriodEnd, 31);
    await bench().provider.pause(before.id, until);
    return [before, until];
  }

  async function expectRenewed(before: ProviderSubscription, startedAt: Date, periods = 2): Promise<void> {
    const after = await standing(before.id);
    expect(after).toMatchObject({ status: 'active', pausedUntil: null, renewalOpenUntil: null, trialEnd: null });
    expect(Math.abs(after.currentPeriodStart.getTime() - startedAt.getTime())).toBeLessThan(60_000);
    expect(after.currentPeriodEnd.getTime()).toBeGreaterThan(daysAfter(startedAt, 27).getTime());
    expect(after.paidThrough).toEqual(after.currentPeriodEnd);
    expect(await paidBy(bench(), before.customerId)).toBe(periods * before.price.amountMinor);
  }

  it.each(['tok_visa', 'tok_challenge'] as const)(
    'keeps what is paid, charges nothing, and ends on time with %s',
    async (card) => {
      const [before, until] = await paused(card);
      await bench().provider.pause(before.id, until);
      const expected = { ...before, pausedUntil: until, latestIntentId: '' };
      expect({ ...(await standing(before.id)), latestIntentId: '' }).toEqual(expected);
      await bench().moveTo(hoursAfter(until, -1));
      expect({ ...(await standing(before.id)), latestIntentId: '' }).toEqual(expected);
      expect(await invoicesOf(bench(), before.customerId)).toHaveLength(1);
      await passBeyond(bench(), until);
      await expectRenewed(before, until);
      const { currentPeriodEnd } = await standing(before.id);
      await passBeyond(bench(), currentPeriodEnd);
      await expectRenewed(before, currentPeriodEnd, 3);
    },
  );

  it('grants no premium before the payment that ends the pause', async () => {
    const [before, until] = await paused();
    await bench().moveTo(until);
    const { paidThrough, renewalOpenUntil, currentPeriodEnd } = await standing(before.id);
    if (paidThrough?.getTime() === currentPeriodEnd.getTime()) return;
    expect([paidThrough, renewalOpenUntil]).toEqual([before.paidThrough, null]);
  });

  it('can be canceled during the paid time, and a longer plan then costs the difference', async () => {
    const [before] = await paused();
    await bench().provider.pause(before.id, null);
    expect(await standing(before.id)).toMatchObject({ status: 'active', pausedUntil: null, trialEnd: null });
    const annual = (await begin(bench(), { plan: 'annual' })).subscription.price;
    const change = { customerId: before.customerId, subscriptionId: before.id, plan: 'annual' as const };
    const due = await bench().provider.previewChange(change);
    expect(due.amountMinor).toBe(annual.amountMinor - before.price.amountMinor);
    await passBeyond(bench(), before.currentPeriodEnd);
    await expectRenewed(before, before.currentPeriodEnd);

    const [other] = await paused();
    await bench().provider.pause(other.id, null);
    await renewed(other.id, randomUUID(), 'annual');
    expect(await paidBy(bench(), other.customerId)).toBe(annual.amountMinor);
    expect(await invoicesOf(bench(), other.customerId)).toMatchObject([{ creditMinor: other.price.amountMinor }, {}]);
    expect(await standing(other.id)).toMatchObject({ status: 'active', plan: 'annual' });
  });

  it('can be ended early for the full price, once', async () => {
    const [before, until] = await paused();
    const now = daysAfter(before.currentPeriodEnd, 3);
    await bench().moveTo(now);
    const key = randomUUID();
    await Promise.all([renewed(before.id, key), renewed(before.id, key), renewed(before.id, key)]);
    await expectRenewed(before, now);
    // A month of 28 days ends together with the pause.
    const { currentPeriodEnd } = await standing(before.id);
    await passBeyond(bench(), until);
    await passBeyond(bench(), currentPeriodEnd);
    await expectRenewed(before, currentPeriodEnd, 3);
  });

  it('continues if ending it early is declined or not confirmed', async () => {
    const [before, until] = await paused('tok_renewal_fails');
    await bench().moveTo(daysAfter(before.currentPeriodEnd, 3));
    expect(await refusalOf(renewed(before.id))).toBe('card_declined');
    expect(await standing(before.id)).toMatchObject({ status: 'active', pausedUntil: until });
    const { setupIntentId, clientSecret } = await bench().provider.createSetupIntent(before.customerId, randomUUID());
    const setup = { intentId: setupIntentId, clientSecret };
    await bench().pay(setup, 'tok_challenge');
    await bench().answerBank(setup, 'approve');
    const { paymentMethodId } = await bench().provider.getIntent(setupIntentId);
    await bench().provider.setDefaultPaymentMethod(before.customerId, paymentMethodId ?? '');
    const asked = await renewed(before.id);
    expect(asked).toMatchObject({ requiresAction: true, secretKind: 'payment' });
    expect(await standing(before.id)).toMatchObject({ pausedUntil: until, paidThrough: before.paidThrough });
    await bench().answerBank(asked, 'approve');
    await expectRenewed(before, await bench().provider.now());
  });

  it('ends with an open amount if the card fails', async () => {
    const [before, until] = await paused('tok_renewal_fails');
    await passBeyond(bench(), until);
    const owed = await standing(before.id);
    expect(owed).toMatchObject({ status: 'past_due', pausedUntil: null, paidThrough: before.paidThrough });
    await passBeyond(bench(), daysAfter(until, 7));
    expect((await standing(before.id)).status).toBe('canceled');
    expect(await paidBy(bench(), before.customerId)).toBe(before.price.amountMinor);
  });

  it('ends with the plan that was chosen before it', async () => {
    const [before, until] = await paused();
    await bench().moveTo(hoursAfter(until, -1));
    await bench().provider.changePlan({ subscriptionId: before.id, plan: 'quarterly', prorate: false }, randomUUID());
    const after = await standing(before.id);
    expect(after).toMatchObject({ status: 'active', plan: 'quarterly', pausedUntil: null });
    expect(after.paidThrough).toEqual(after.currentPeriodEnd);
    await passBeyond(bench(), until);
    expect(await invoicesOf(bench(), before.customerId)).toHaveLength(2);
  });

  it('ends without a charge if the subscription was canceled', async () => {
    const { provider } = bench();
    const [ahead] = await paused();
    const [during] = await paused();
    await provider.setCancelAtPeriodEnd(ahead.id, true);
    expect(await standing(ahead.id)).toMatchObject({ cancelAtPeriodEnd: true, pausedUntil: null });
    await passBeyond(bench(), ahead.currentPeriodEnd);
    await provider.cancelNow(during.id);
    for (const { id, customerId, price, paidThrough } of [ahead, during]) {
      expect(await standing(id)).toMatchObject({ status: 'canceled', paidThrough, trialEnd: null });
      await passBeyond(bench(), daysAfter(await provider.now(), 40));
      expect(await paidBy(bench(), customerId)).toBe(price.amountMinor);
    }
  });

  it('drops a plan change that waits for the bank', async () => {
    const before = await subscribe(bench(), { card: 'tok_challenge' });
    const change = await renewed(before.id, randomUUID(), 'annual');
    await bench().provider.pause(before.id, daysAfter(before.currentPeriodEnd, 31));
    expect(await refusalOf(bench().answerBank(change, 'approve'))).toBe('invalid');
    expect(await paidBy(bench(), before.customerId)).toBe(before.price.amountMinor);
  });

  it('is refused without paid time that renews', async () => {
    const { provider } = bench();
    const [over, until] = await paused();
    const [unpaid, trial] = [(await begin(bench())).subscription, await subscribe(bench(), { trialDays: 60 })];
    await passBeyond(bench(), over.currentPeriodEnd);
    const [ending, ended] = [await subscribe(bench()), await subscribe(bench())];
    await provider.setCancelAtPeriodEnd(ending.id, true);
    await provider.cancelNow(ended.id);
    for (const id of [over.id, unpaid.id, trial.id, ending.id, ended.id, 'sub_unknown'])
      expect(await refusalOf(provider.pause(id, daysAfter(until, 90)))).toBe('invalid');
    expect(await refusalOf(provider.pause(over.id, null))).toBe('invalid');
  });
}
