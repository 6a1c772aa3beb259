import { expect, it } from 'vitest';
import {
  type PaymentBench,
  begin,
  daysAfter,
  invoicesOf,
  paidBy,
  passBeyond,
  refusalOf,
  subscribe,
} from './payment-bench.ts';

const trialDays = 7;

export function trialRules(bench: () => PaymentBench): void {
  it('starts with a stored card and no charge', async () => {
    const { provider } = bench();
    const start = await begin(bench(), { trialDays });
    expect(start).toMatchObject({ requiresAction: true, secretKind: 'setup' });
    expect(start.subscription).toMatchObject({ status: 'incomplete', paidThrough: null });
    expect(await provider.getIntent(start.intentId ?? '')).toMatchObject({ kind: 'setup', status: 'open' });

    await bench().pay(start, 'tok_visa');
    const trial = await provider.getSubscription(start.subscription.id);
    expect(trial).toMatchObject({ status: 'trialing', renewalOpenUntil: null });
    expect(trial.trialStart).toEqual(start.subscription.createdAt);
    expect(trial.trialEnd).toEqual(daysAfter(start.subscription.createdAt, trialDays));
    expect(trial.paidThrough).toEqual(trial.trialEnd);
    expect(trial.cardFingerprint).not.toBeNull();
    expect(await provider.getIntent(start.intentId ?? '')).toMatchObject({ status: 'succeeded' });
    expect(await invoicesOf(bench(), trial.customerId)).toEqual([]);
  });

  it('continues as a paid subscription', async () => {
    const trial = await subscribe(bench(), { trialDays });
    await passBeyond(bench(), trial.currentPeriodEnd);
    const renewed = await bench().provider.getSubscription(trial.id);
    expect(renewed.status).toBe('active');
    expect(renewed.currentPeriodStart).toEqual(trial.trialEnd);
    expect(renewed.paidThrough).toEqual(renewed.currentPeriodEnd);
    expect(await invoicesOf(bench(), trial.customerId)).toMatchObject([{ status: 'paid', total: trial.price }]);
  });

  it('never becomes a subscription without a card', async () => {
    const { provider } = bench();
    const start = await begin(bench(), { trialDays });
    expect(await refusalOf(bench().pay(start, 'tok_declined'))).toBe('card_declined');
    expect(await provider.getSubscription(start.subscription.id)).toMatchObject({
      status: 'incomplete',
      paidThrough: null,
      cardFingerprint: null,
    });
    await passBeyond(bench(), daysAfter(start.subscription.createdAt, trialDays));
    const ended = await provider.getSubscription(start.subscription.id);
    expect(['incomplete_expired', 'canceled']).toContain(ended.status);
    expect(ended.paidThrough).toBeNull();
    expect(await invoicesOf(bench(), start.subscription.customerId)).toEqual([]);
  });

  it('waits for the bank’s confirmation of the card', async () => {
    const { provider } = bench();
    const start = await begin(bench(), { trialDays });
    await bench().pay(start, 'tok_challenge');
    expect(await provider.getSubscription(start.subscription.id)).toMatchObject({ status: 'incomplete' });
    expect(await refusalOf(bench().answerBank(start, 'refuse'))).toBe('authentication_failed');
    await bench().pay(start, 'tok_challenge');
    await bench().answerBank(start, 'approve');
    expect(await provider.getSubscription(start.subscription.id)).toMatchObject({ status: 'trialing' });
  });

  it('becomes past due and unpaid if the card fails at its end', async () => {
    const trial = await subscribe(bench(), { trialDays, card: 'tok_renewal_fails' });
    expect(trial.status).toBe('trialing');
    await passBeyond(bench(), trial.currentPeriodEnd);
    const failed = await bench().provider.getSubscription(trial.id);
    expect(failed.status).toBe('past_due');
    expect(failed.paidThrough).toEqual(trial.trialEnd);
    expect(await paidBy(bench(), trial.customerId)).toBe(0);
  });

  it('ends on its last day without a charge if it is canceled', async () => {
    const trial = await subscribe(bench(), { trialDays });
    await bench().provider.setCancelAtPeriodEnd(trial.id, true);
    expect(await bench().provider.getSubscription(trial.id)).toMatchObject({
      status: 'trialing',
      cancelAtPeriodEnd: true,
      paidThrough: trial.trialEnd,
    });
    await passBeyond(bench(), trial.currentPeriodEnd);
    const ended = await bench().provider.getSubscription(trial.id);
    expect(ended.status).toBe('canceled');
    expect(ended.paidThrough).toEqual(trial.trialEnd);
    expect(await invoicesOf(bench(), trial.customerId)).toEqual([]);
  });
}
