import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PaymentBench, begin, refusalOf } from './payment-bench.ts';
import { cardRules } from './card-rules.ts';
import { changeRules } from './change-rules.ts';
import { endingRules } from './ending-rules.ts';
import { firstPaymentRules } from './first-payment-rules.ts';
import { recordRules } from './record-rules.ts';
import { pauseRules, renewalRules } from './renewal-rules.ts';
import { trialRules } from './trial-rules.ts';
import { webhookRules } from './webhook-rules.ts';

/**
 * Declares the rules of every payment provider as tests over the bench that `startBench` creates, which is closed after
 * the last one.
 */
export function describePaymentProvider(
  name: string,
  startBench: () => Promise<PaymentBench>,
  { canBeDown = false } = {},
): void {
  describe(`payments through ${name}`, () => {
    let started: PaymentBench | undefined;
    const bench = (): PaymentBench => {
      if (started === undefined) throw new Error('the bench has not started');
      return started;
    };
    beforeAll(async () => {
      started = await startBench();
    });
    afterAll(() => started?.close());

    describe('the first payment', () => firstPaymentRules(bench));
    describe('a free trial', () => trialRules(bench));
    describe('a renewal', () => renewalRules(bench));
    describe('a pause', () => pauseRules(bench));
    describe('ending a subscription', () => endingRules(bench));
    describe('a change of plan', () => changeRules(bench));
    describe('cards', () => cardRules(bench));
    describe('customers, invoices and refunds', () => recordRules(bench));
    describe('webhook events', () => webhookRules(bench));
    if (canBeDown) describe('an unreachable provider', () => downRules(bench));
  });
}

/** Declares how a provider on another machine behaves while it is unreachable. */
export function downRules(bench: () => PaymentBench): void {
  it('is reported as unavailable, and recovers', async () => {
    const { provider } = bench();
    const start = await begin(bench());
    await bench().setDown(true);
    const commands = [
      () => begin(bench(), { customerId: start.subscription.customerId }),
      () => provider.getSubscription(start.subscription.id),
      () => provider.listInvoices(start.subscription.customerId, { limit: 1 }),
      () => provider.cancelNow(start.subscription.id),
    ];
    try {
      for (const command of commands) expect(await refusalOf(command())).toBe('unavailable');
    } finally {
      await bench().setDown(false);
    }
    expect(await provider.getSubscription(start.subscription.id)).toEqual(start.subscription);
  });
}
