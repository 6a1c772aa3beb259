import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describePaymentProvider } from '../../server/test/payments/payment-provider-suite.ts';
import {
  begin,
  daysAfter,
  invoicesOf,
  keepCard,
  paidBy,
  refusalOf,
  subscribe,
} from '../../server/test/payments/payment-bench.ts';
import { sandboxPrices, startSandboxBench, type SandboxBench } from '../test/sandbox-bench.ts';

describePaymentProvider('the sandbox', startSandboxBench);

describe('the sandbox', () => {
  let bench: SandboxBench;
  beforeAll(async () => {
    bench = await startSandboxBench();
  });
  afterAll(() => bench.close());

  it('moves its clock only forward, and the clock keeps running', async () => {
    const { provider, clock } = bench;
    const start = await provider.now();
    expect(await provider.moveClock(daysAfter(start, 2))).toBe(true);
    expect(await provider.moveClock(daysAfter(start, 1))).toBe(false);
    expect(await provider.now()).toEqual(daysAfter(start, 2));
    clock.advance(60);
    expect((await provider.now()).getTime()).toBe(daysAfter(start, 2).getTime() + 60_000);
    const moves = await Promise.all([9, 3, 7, 5].map((days) => provider.moveClock(daysAfter(start, days))));
    expect(moves[0]).toBe(true);
    expect(await provider.now()).toEqual(daysAfter(start, 9));
  });

  it('accepts only the correct secret', async () => {
    const { provider } = bench;
    const [start, other] = [await begin(bench), await begin(bench)];
    const id = start.intentId ?? '';
    for (const secret of ['', 'wrong', other.clientSecret ?? '', `${start.clientSecret}x`]) {
      expect(await provider.answerIntent(id, secret, { token: 'tok_visa' })).toBeNull();
    }
    expect(await provider.answerIntent('pi_unknown', start.clientSecret ?? '', { token: 'tok_visa' })).toBeNull();
    expect(await provider.getIntent(id)).toMatchObject({ status: 'open' });
    expect(await provider.answerIntent(id, start.clientSecret ?? '', { token: 'tok_visa' })).toBe('succeeded');
  });

  it('rejects unknown cards and answers without a bank’s request', async () => {
    const { provider } = bench;
    const start = await begin(bench);
    const answer = (given: Parameters<typeof provider.answerIntent>[2]) =>
      provider.answerIntent(start.intentId ?? '', start.clientSecret ?? '', given);
    for (const token of ['', '4242424242424242', 'tok_other', 'pm_unknown']) {
      expect(await refusalOf(answer({ token }))).toBe('invalid');
    }
    expect(await answer({ challenge: 'approve' })).toBe('open');
    expect((await provider.getSubscription(start.subscription.id)).status).toBe('incomplete');
    expect(await answer({ token: 'tok_visa' })).toBe('succeeded');
    expect(await answer({ token: 'tok_declined' })).toBe('succeeded');
    expect(await answer({ challenge: 'refuse' })).toBe('succeeded');
    expect(await paidBy(bench, start.subscription.customerId)).toBe(sandboxPrices.monthly.amountMinor);
  });

  it('accepts a key again after a refusal, and rejects a key used for another command', async () => {
    const { provider } = bench;
    const before = await subscribe(bench, { card: 'tok_renewal_fails' });
    const key = randomUUID();
    const change = () => provider.changePlan({ subscriptionId: before.id, plan: 'annual', prorate: true }, key);
    expect(await refusalOf(change())).toBe('card_declined');
    const card = await keepCard(bench, before.customerId, 'tok_visa');
    await provider.setDefaultPaymentMethod(before.customerId, card);
    expect((await change()).subscription).toMatchObject({ plan: 'annual', status: 'active' });
    expect(await refusalOf(provider.createSetupIntent(before.customerId, key))).toBe('invalid');
  });

  it('credits the unused time to only one of several concurrent changes', async () => {
    const { provider } = bench;
    for (let round = 0; round < 5; round += 1) {
      const { id: subscriptionId, customerId } = await subscribe(bench);
      const changes = (['quarterly', 'annual'] as const).map((plan) =>
        provider.changePlan({ subscriptionId, plan, prorate: true }, randomUUID()),
      );
      await Promise.all(changes);
      expect(await paidBy(bench, customerId)).toBe(sandboxPrices.annual.amountMinor);
    }
  });

  it('renews each subscription with its own card', async () => {
    const { provider } = bench;
    const first = await subscribe(bench);
    await subscribe(bench, { customerId: first.customerId, card: 'tok_renewal_fails' });
    const cards = await provider.listPaymentMethods(first.customerId);
    expect(cards.filter(({ isDefault }) => isDefault)).toMatchObject([{ last4: '0341' }]);
    await bench.moveTo(first.currentPeriodEnd);
    expect((await provider.getSubscription(first.id)).status).toBe('active');
  });

  it('gives no credit for a refunded period', async () => {
    const { provider } = bench;
    const { id, customerId } = await subscribe(bench);
    const [invoice] = await invoicesOf(bench, customerId);
    expect(await provider.refund(invoice?.id ?? '')).toBe(true);
    expect(await provider.previewChange({ customerId, subscriptionId: id, plan: 'annual' })).toEqual(
      sandboxPrices.annual,
    );
  });

  it('deletes the personal data of a deleted customer', async () => {
    const { provider, pool } = bench;
    const accountId = randomUUID();
    const person = { accountId, email: 'forget.me@example.org', name: 'Forget Me' };
    const customerId = await provider.ensureCustomer(person, `customer:${accountId}`);
    await subscribe(bench, { customerId, card: 'tok_mastercard' });
    await provider.deleteCustomer(customerId);
    for (const table of ['customer', 'payment_method', 'subscription', 'invoice', 'intent', 'event', 'idempotency']) {
      const { rows } = await pool.query<{ row: string }>(`select t::text as row from sandbox.${table} t`);
      for (const { row } of rows) expect(row).not.toMatch(new RegExp(`forget.me|forget me|${accountId}`, 'i'));
    }
    const cards = await pool.query('select from sandbox.payment_method where customer_id = $1', [customerId]);
    expect(cards.rowCount).toBe(0);
  });
});
