import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Money, Plan } from '#contract/subscriptions/plan.ts';
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

const centsApart = 5;
const secondsApart = 60;

/** The parts of a subscription that a failed change must not touch. */
const termsOf = ({ status, plan, price, currentPeriodStart, currentPeriodEnd, paidThrough }: ProviderSubscription) => ({
  status,
  plan,
  price,
  currentPeriodStart,
  currentPeriodEnd,
  paidThrough,
});

export function changeRules(bench: () => PaymentBench): void {
  const standing = (id: string) => bench().provider.getSubscription(id);
  const priceOf = async (plan: Plan): Promise<Money> => (await begin(bench(), { plan })).subscription.price;
  const upgrade = (subscriptionId: string, plan: Plan = 'annual', key: string = randomUUID()) =>
    bench().provider.changePlan({ subscriptionId, plan, prorate: true }, key);
  const plainly = (subscriptionId: string, plan: Plan) =>
    bench().provider.changePlan({ subscriptionId, plan, prorate: false }, randomUUID());

  async function expectNewPeriod(subscription: ProviderSubscription, plan: Plan, months: number): Promise<void> {
    const now = await bench().provider.now();
    expect(subscription).toMatchObject({ status: 'active', plan, price: await priceOf(plan) });
    expect(Math.abs(subscription.currentPeriodStart.getTime() - now.getTime())).toBeLessThan(secondsApart * 1000);
    expect(subscription.paidThrough).toEqual(subscription.currentPeriodEnd);
    const lengthDays =
      (subscription.currentPeriodEnd.getTime() - subscription.currentPeriodStart.getTime()) / 86_400_000;
    expect(Math.abs(lengthDays - (months * 365) / 12)).toBeLessThan(4);
  }

  it('to a longer plan charges the price minus the unused part, and starts a new period', async () => {
    const before = await subscribe(bench());
    const price = await priceOf('annual');
    await bench().moveTo(daysAfter(before.currentPeriodStart, 10));
    const now = await bench().provider.now();
    const unused =
      (before.currentPeriodEnd.getTime() - now.getTime()) /
      (before.currentPeriodEnd.getTime() - before.currentPeriodStart.getTime());
    const exact = price.amountMinor - before.price.amountMinor * unused;
    const preview = await bench().provider.previewChange({
      customerId: before.customerId,
      subscriptionId: before.id,
      plan: 'annual',
    });
    expect(preview.currency).toBe(before.price.currency);
    expect(Math.abs(preview.amountMinor - exact)).toBeLessThanOrEqual(centsApart);
    expect(termsOf(await standing(before.id))).toEqual(termsOf(before));

    const change = await upgrade(before.id);
    expect(change).toMatchObject({ requiresAction: false, clientSecret: null });
    await expectNewPeriod(await standing(before.id), 'annual', 12);
    expect(termsOf(change.subscription)).toEqual(termsOf(await standing(before.id)));
    const [newest] = await invoicesOf(bench(), before.customerId);
    expect(newest).toMatchObject({ status: 'paid', plan: 'annual' });
    expect(Math.abs((newest?.total.amountMinor ?? 0) - exact)).toBeLessThanOrEqual(centsApart);
    expect(newest?.periodEnd).toEqual(change.subscription.currentPeriodEnd);
  });

  it('happens once per key', async () => {
    const before = await subscribe(bench());
    const key = randomUUID();
    const [first, ...others] = await Promise.all(
      Array.from({ length: 10 }, () => upgrade(before.id, 'quarterly', key)),
    );
    for (const other of others) expect(other).toEqual(first);
    expect(await refusalOf(upgrade(before.id, 'annual', key))).toBe('invalid');
    expect(await invoicesOf(bench(), before.customerId)).toHaveLength(2);
    expect((await standing(before.id)).plan).toBe('quarterly');
  });

  it('is renewed at the new price', async () => {
    const before = await subscribe(bench());
    const { subscription } = await upgrade(before.id, 'quarterly');
    const paid = await paidBy(bench(), before.customerId);
    await passBeyond(bench(), subscription.currentPeriodEnd);
    const renewed = await standing(before.id);
    expect(renewed).toMatchObject({ status: 'active', plan: 'quarterly' });
    expect(renewed.currentPeriodStart).toEqual(subscription.currentPeriodEnd);
    expect((await paidBy(bench(), before.customerId)) - paid).toBe(subscription.price.amountMinor);
  });

  it('leaves everything unchanged if the card is declined', async () => {
    const before = await subscribe(bench(), { card: 'tok_renewal_fails' });
    const paid = await paidBy(bench(), before.customerId);
    expect(await refusalOf(upgrade(before.id))).toBe('card_declined');
    expect(termsOf(await standing(before.id))).toEqual(termsOf(before));
    expect(await paidBy(bench(), before.customerId)).toBe(paid);
    const card = await keepCard(bench(), before.customerId, 'tok_visa');
    await bench().provider.setDefaultPaymentMethod(before.customerId, card);
    await upgrade(before.id);
    await expectNewPeriod(await standing(before.id), 'annual', 12);
  });

  it('applies after confirmation if the bank requires it', async () => {
    const before = await subscribe(bench(), { card: 'tok_challenge' });
    const change = await upgrade(before.id);
    expect(change).toMatchObject({ requiresAction: true, secretKind: 'payment' });
    expect(termsOf(await standing(before.id))).toEqual(termsOf(before));
    expect(await refusalOf(bench().answerBank(change, 'refuse'))).toBe('authentication_failed');
    expect(termsOf(await standing(before.id))).toEqual(termsOf(before));
    await bench().pay(change, 'tok_challenge');
    await bench().answerBank(change, 'approve');
    await expectNewPeriod(await standing(before.id), 'annual', 12);
    expect(await invoicesOf(bench(), before.customerId)).toMatchObject([{ status: 'paid' }, { status: 'paid' }]);
  });

  it('is dropped after 23 hours if the bank’s confirmation is missing', async () => {
    const before = await subscribe(bench(), { card: 'tok_challenge' });
    const change = await upgrade(before.id);
    await passBeyond(bench(), hoursAfter(await bench().provider.now(), 23));
    expect(termsOf(await standing(before.id))).toEqual(termsOf(before));
    expect(await bench().provider.getIntent(change.intentId ?? '')).toMatchObject({ status: 'canceled' });
    expect(await refusalOf(bench().answerBank(change, 'approve'))).toBe('invalid');
    expect(await paidBy(bench(), before.customerId)).toBe(before.price.amountMinor);
    await passBeyond(bench(), before.currentPeriodEnd);
    expect(await standing(before.id)).toMatchObject({ status: 'active', plan: 'monthly' });
  });

  it('charges the full price if there is no credit, and starts a new period', async () => {
    const before = await subscribe(bench(), { plan: 'annual' });
    await bench().moveTo(hoursAfter(before.currentPeriodEnd, -1));
    const change = await plainly(before.id, 'monthly');
    expect(change.requiresAction).toBe(false);
    await expectNewPeriod(await standing(before.id), 'monthly', 1);
    const [newest] = await invoicesOf(bench(), before.customerId);
    expect(newest).toMatchObject({ status: 'paid', plan: 'monthly', total: await priceOf('monthly') });
    await passBeyond(bench(), before.currentPeriodEnd);
    expect(await invoicesOf(bench(), before.customerId)).toHaveLength(2);
  });

  it('leaves an open amount if there is no credit and the card fails', async () => {
    const before = await subscribe(bench(), { plan: 'quarterly', card: 'tok_renewal_fails' });
    await bench().moveTo(hoursAfter(before.currentPeriodEnd, -1));
    await plainly(before.id, 'monthly');
    const owed = await standing(before.id);
    expect(owed).toMatchObject({ status: 'past_due', plan: 'monthly' });
    expect(owed.paidThrough).toEqual(before.currentPeriodEnd);
    const card = await keepCard(bench(), before.customerId, 'tok_visa');
    await bench().provider.setDefaultPaymentMethod(before.customerId, card);
    await bench().provider.payOpenInvoice(before.id);
    await expectNewPeriod(await standing(before.id), 'monthly', 1);
  });

  it('is refused for an unpaid, ended, unknown or foreign subscription', async () => {
    const { provider } = bench();
    const unpaid = await begin(bench());
    const ended = await subscribe(bench());
    await provider.cancelNow(ended.id);
    const mine = await subscribe(bench());
    const preview = { customerId: ended.customerId, subscriptionId: mine.id, plan: 'annual' } as const;
    expect(await refusalOf(upgrade(unpaid.subscription.id))).toBe('invalid');
    expect(await refusalOf(upgrade(ended.id))).toBe('invalid');
    expect(await refusalOf(upgrade('sub_unknown'))).toBe('invalid');
    expect(await refusalOf(provider.previewChange(preview))).toBe('invalid');
    expect(await refusalOf(provider.previewChange({ ...preview, subscriptionId: 'sub_unknown' }))).toBe('invalid');
  });
}
