import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  begin,
  daysAfter,
  hoursAfter,
  invoicesOf,
  keepCard,
  newCustomer,
  paidBy,
  refusalOf,
  subscribe,
} from '../../server/test/payments/payment-bench.ts';
import { sandboxPrices, startSandboxBench, type SandboxBench } from '../test/sandbox-bench.ts';
import type { EventRow } from './tables.ts';
import { PaymentError } from '../../server/src/features/subscriptions/providers/provider.ts';

describe('the sandbox schedule', () => {
  let bench: SandboxBench;
  beforeEach(async () => {
    bench = await startSandboxBench();
  });
  afterEach(() => bench.close());

  const standing = (id: string) => bench.provider.getSubscription(id);
  const upgrade = (subscriptionId: string) =>
    bench.provider.changePlan({ subscriptionId, plan: 'annual', prorate: true }, randomUUID());

  it('knows the exact time of the next event', async () => {
    const { provider } = bench;
    expect(await provider.nextDue()).toBeNull();
    const start = await begin(bench);
    const { id, createdAt, customerId } = start.subscription;
    expect(await provider.nextDue()).toEqual(hoursAfter(createdAt, 23));
    await bench.pay(start, 'tok_challenge');
    await bench.answerBank(start, 'approve');
    const first = await standing(id);
    expect(await provider.nextDue()).toEqual(first.currentPeriodEnd);

    await upgrade(id);
    expect(await provider.nextDue()).toEqual(hoursAfter(createdAt, 23));
    await bench.moveTo(hoursAfter(createdAt, 23));
    expect(await provider.nextDue()).toEqual(first.currentPeriodEnd);

    const failing = await keepCard(bench, customerId, 'tok_renewal_fails');
    await provider.setDefaultPaymentMethod(customerId, failing);
    await bench.moveTo(first.currentPeriodEnd);
    for (const days of [3, 5, 7]) {
      expect((await standing(id)).status).toBe('past_due');
      expect(await provider.nextDue()).toEqual(daysAfter(first.currentPeriodEnd, days));
      await bench.moveTo(daysAfter(first.currentPeriodEnd, days));
    }
    const ended = await standing(id);
    expect(ended).toMatchObject({ status: 'canceled', canceledAt: daysAfter(first.currentPeriodEnd, 7) });
    expect(await provider.nextDue()).toBeNull();
  });

  it('does nothing before something is due', async () => {
    const subscription = await subscribe(bench);
    const abandoned = await begin(bench);
    await bench.moveTo(new Date(hoursAfter(abandoned.subscription.createdAt, 23).getTime() - 1));
    expect((await standing(abandoned.subscription.id)).status).toBe('incomplete');
    await bench.moveTo(hoursAfter(abandoned.subscription.createdAt, 23));
    expect((await standing(abandoned.subscription.id)).status).toBe('incomplete_expired');

    const canceledAt = await bench.provider.now();
    await bench.provider.setCancelAtPeriodEnd(subscription.id, true);
    await bench.moveTo(new Date(subscription.currentPeriodEnd.getTime() - 1));
    expect((await standing(subscription.id)).status).toBe('active');
    await bench.moveTo(subscription.currentPeriodEnd);
    expect(await standing(subscription.id)).toMatchObject({ status: 'canceled', canceledAt });
  });

  it('processes events in order and dates them when they were due', async () => {
    const start = await bench.provider.now();
    const subscriptions = [];
    for (const hours of [5, 9, 14]) {
      await bench.moveTo(hoursAfter(start, hours));
      subscriptions.push(await subscribe(bench), (await begin(bench)).subscription);
    }
    const before = (await bench.deliveries()).length;
    await bench.moveTo(daysAfter(start, 100));
    const { rows: events } = await bench.pool.query<EventRow>('select * from sandbox.event order by seq offset $1', [
      before,
    ]);
    const times = events.map(({ created_at }) => created_at.getTime());
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    const [first] = subscriptions;
    if (first === undefined) throw new Error('no subscription');
    const renewals = events.filter((event) => event.type === 'invoice.paid' && event.subscription_id === first.id);
    expect(renewals).toHaveLength(3);
    expect(renewals[0]?.created_at).toEqual(first.currentPeriodEnd);
    const [, latest] = (await invoicesOf(bench, first.customerId)).toReversed();
    expect(latest).toMatchObject({ createdAt: first.currentPeriodEnd, paidAt: first.currentPeriodEnd });
  });

  it('processes each event once with several concurrent processes', async () => {
    const subscriptions = await Promise.all(Array.from({ length: 12 }, () => subscribe(bench)));
    await bench.provider.moveClock(daysAfter(await bench.provider.now(), 40));
    await Promise.all(Array.from({ length: 6 }, () => bench.provider.tick()));
    for (const { id, customerId } of subscriptions) {
      expect(await invoicesOf(bench, customerId)).toMatchObject([{ status: 'paid' }, { status: 'paid' }]);
      const reported = `select from sandbox.event where subscription_id = $1 and type = 'invoice.paid'`;
      expect((await bench.pool.query(reported, [id])).rowCount).toBe(2);
    }
  });

  it('reports a due renewal as in progress until it is processed', async () => {
    const renewing = await subscribe(bench);
    const ending = await subscribe(bench);
    await bench.provider.setCancelAtPeriodEnd(ending.id, true);
    await bench.provider.moveClock(renewing.currentPeriodEnd);
    expect(await standing(renewing.id)).toMatchObject({
      status: 'active',
      renewalOpenUntil: hoursAfter(renewing.currentPeriodEnd, 1),
      paidThrough: renewing.currentPeriodEnd,
    });
    expect((await standing(ending.id)).renewalOpenUntil).toBeNull();
    expect(await refusalOf(bench.provider.setCancelAtPeriodEnd(ending.id, false))).toBe('invalid');
    await bench.provider.tick();
    expect((await standing(renewing.id)).renewalOpenUntil).toBeNull();
  });

  it('drops an unconfirmed plan change at the end of the period', async () => {
    const before = await subscribe(bench, { card: 'tok_challenge' });
    await bench.moveTo(hoursAfter(before.currentPeriodEnd, -2));
    const change = await upgrade(before.id);
    expect(await bench.provider.nextDue()).toEqual(before.currentPeriodEnd);
    await bench.moveTo(before.currentPeriodEnd);
    expect(await standing(before.id)).toMatchObject({ status: 'active', plan: 'monthly' });
    expect(await refusalOf(bench.answerBank(change, 'approve'))).toBe('invalid');
    expect(await paidBy(bench, before.customerId)).toBe(2 * sandboxPrices.monthly.amountMinor);
  });

  it('neither deadlocks with concurrent commands nor charges twice', async () => {
    const { provider } = bench;
    const customerId = await newCustomer(bench);
    const visa = await keepCard(bench, customerId, 'tok_visa');
    const subscriptions = await Promise.all(Array.from({ length: 4 }, () => subscribe(bench, { customerId })));
    for (let round = 0; round < 6; round += 1) {
      await provider.moveClock(daysAfter(await provider.now(), 40));
      const spare = await keepCard(bench, customerId, 'tok_mastercard');
      const open = await begin(bench, { customerId });
      const commands = subscriptions.flatMap(({ id }) => [
        () => provider.tick(),
        () => provider.setDefaultPaymentMethod(customerId, visa),
        () => provider.changePlan({ subscriptionId: id, plan: 'monthly', prorate: false }, randomUUID()),
        () => bench.pay(open, { kept: spare }),
        () => provider.removePaymentMethod(customerId, spare),
        () => provider.payOpenInvoice(id),
        () => provider.createSetupIntent(customerId, randomUUID()),
      ]);
      const outcomes = await Promise.allSettled(commands.map((command) => command()));
      const unexpected = outcomes.filter(
        (outcome) => outcome.status === 'rejected' && !(outcome.reason instanceof PaymentError),
      );
      expect(unexpected).toEqual([]);
      await provider.tick();
    }
    const doubled = await bench.pool.query(`select subscription_id, period_start from sandbox.invoice
      where status = 'paid' group by 1, 2 having count(*) > 1`);
    expect(doubled.rows).toEqual([]);
    for (const { id } of subscriptions) expect((await standing(id)).status).toBe('active');
  });
});
