import { expect, it } from 'vitest';
import type { PaymentBench } from './payment-bench.ts';
import { daysAfter, hoursAfter, invoicesOf, keepCard, paidBy, passBeyond, refusalOf, subscribe } from './payer.ts';

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

  it('happens each period, also when several have passed', async () => {
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

  it('that fails grants nothing beyond the paid time, is retried for a week, and then ends it', async () => {
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

  it('that failed succeeds on retry with a working card', async () => {
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

  it('that failed can be retried at once', async () => {
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

  it('that failed can be paid manually with another card', async () => {
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
