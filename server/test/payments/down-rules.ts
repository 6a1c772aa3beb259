import { expect, it } from 'vitest';
import type { PaymentBench } from './payment-bench.ts';
import { begin, refusalOf } from './payer.ts';

/** Behaviour while the provider is unreachable, for providers on another machine. */
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
