import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { SandboxToken } from '#contract/subscriptions/payments-sandbox.ts';
import { paymentErrorCodes, type PaymentErrorCode, plans } from '#contract/subscriptions/plan.ts';
import {
  type PaymentBench,
  begin,
  hoursAfter,
  invoicesOf,
  newCustomer,
  paidBy,
  passBeyond,
  refusalOf,
  subscribe,
} from './payment-bench.ts';

const refusals: [SandboxToken, PaymentErrorCode][] = [
  ['tok_declined', 'card_declined'],
  ['tok_insufficient', 'insufficient_funds'],
  ['tok_expired', 'expired_card'],
];

export function firstPaymentRules(bench: () => PaymentBench): void {
  it('is requested, and grants nothing until it is made', async () => {
    const start = await begin(bench());
    expect(start).toMatchObject({ requiresAction: true, secretKind: 'payment' });
    expect(start.clientSecret).toContain(start.intentId);
    expect(start.subscription).toMatchObject({ status: 'incomplete', paidThrough: null, cardFingerprint: null });
    expect(start.subscription.latestIntentId).toBe(start.intentId);
    expect(await bench().provider.getSubscription(start.subscription.id)).toEqual(start.subscription);
    const invoices = await invoicesOf(bench(), start.subscription.customerId);
    expect(invoices).toMatchObject([
      { status: 'open', plan: 'monthly', total: start.subscription.price, paidAt: null },
    ]);
  });

  it.each(plans)('activates a subscription to the plan %s until the end of its period', async (plan) => {
    const subscription = await subscribe(bench(), { plan });
    expect(subscription).toMatchObject({
      status: 'active',
      plan,
      cancelAtPeriodEnd: false,
      trialEnd: null,
      renewalOpenUntil: null,
    });
    expect(subscription.paidThrough).toEqual(subscription.currentPeriodEnd);
    const [invoice] = await invoicesOf(bench(), subscription.customerId);
    expect(invoice).toMatchObject({ status: 'paid', plan, total: subscription.price, subscriptionId: subscription.id });
    expect(invoice?.periodEnd).toEqual(subscription.currentPeriodEnd);
    expect(invoice?.number).not.toBeNull();
    expect(invoice?.paidAt).not.toBeNull();
  });

  it('starts once per key, even when repeated or sent in parallel', async () => {
    const customerId = await newCustomer(bench());
    const wish = { customerId, plan: 'quarterly', trialDays: 0, paymentMethodId: null } as const;
    const key = randomUUID();
    const [first, ...others] = await Promise.all(
      Array.from({ length: 50 }, () => bench().provider.createSubscription(wish, key)),
    );
    for (const other of others) expect(other).toEqual(first);
    expect(await bench().provider.createSubscription(wish, key)).toEqual(first);
    expect(await invoicesOf(bench(), customerId)).toHaveLength(1);
  });

  it('is refused with a key that was used for another request', async () => {
    const customerId = await newCustomer(bench());
    const wish = { customerId, plan: 'monthly', trialDays: 0, paymentMethodId: null } as const;
    const key = randomUUID();
    await bench().provider.createSubscription(wish, key);
    const other = bench().provider.createSubscription({ ...wish, plan: 'annual' }, key);
    expect(await refusalOf(other)).toBe('invalid');
    expect(await invoicesOf(bench(), customerId)).toHaveLength(1);
  });

  it.each(refusals)('with %s is refused as %s, and can be made with another card', async (card, code) => {
    const { provider } = bench();
    const start = await begin(bench());
    expect(paymentErrorCodes).toContain(code);
    expect(await refusalOf(bench().pay(start, card))).toBe(code);
    expect(await provider.getIntent(start.intentId ?? '')).toMatchObject({ status: 'open', declined: code });
    expect(await provider.getSubscription(start.subscription.id)).toMatchObject({
      status: 'incomplete',
      paidThrough: null,
    });
    expect(await paidBy(bench(), start.subscription.customerId)).toBe(0);
    const again = await provider.openPayment(start.subscription.id);
    expect(again).toMatchObject({ clientSecret: start.clientSecret, intentId: start.intentId, requiresAction: true });
    await bench().pay(again, 'tok_mastercard');
    expect(await provider.getIntent(start.intentId ?? '')).toMatchObject({ status: 'succeeded', declined: null });
    expect(await provider.getSubscription(start.subscription.id)).toMatchObject({ status: 'active' });
    expect(await paidBy(bench(), start.subscription.customerId)).toBe(start.subscription.price.amountMinor);
  });

  it('waits for the bank’s confirmation, fails if refused, and succeeds if approved', async () => {
    const { provider } = bench();
    const start = await begin(bench());
    const standing = async () => ({
      intent: await provider.getIntent(start.intentId ?? ''),
      subscription: await provider.getSubscription(start.subscription.id),
    });
    await bench().pay(start, 'tok_challenge');
    expect(await standing()).toMatchObject({
      intent: { status: 'requires_action' },
      subscription: { status: 'incomplete', paidThrough: null },
    });
    expect(await refusalOf(bench().answerBank(start, 'refuse'))).toBe('authentication_failed');
    expect(await standing()).toMatchObject({
      intent: { status: 'open', declined: 'authentication_failed' },
      subscription: { status: 'incomplete', paidThrough: null },
    });
    await bench().pay(start, 'tok_challenge');
    await bench().answerBank(start, 'approve');
    expect(await standing()).toMatchObject({
      intent: { status: 'succeeded', declined: null },
      subscription: { status: 'active' },
    });
  });

  it('is charged once, even when repeated', async () => {
    const start = await begin(bench());
    await Promise.allSettled(Array.from({ length: 10 }, () => bench().pay(start, 'tok_visa')));
    await Promise.allSettled([bench().pay(start, 'tok_mastercard')]);
    const { customerId, price } = start.subscription;
    expect(await paidBy(bench(), customerId)).toBe(price.amountMinor);
    expect(await bench().provider.listPaymentMethods(customerId)).toHaveLength(1);
    expect(await bench().provider.getSubscription(start.subscription.id)).toMatchObject({ status: 'active' });
  });

  it('can be made within 23 hours, but not later', async () => {
    const { provider } = bench();
    const late = await begin(bench());
    const abandoned = await begin(bench());
    await bench().moveTo(hoursAfter(await provider.now(), 22));
    await bench().pay(late, 'tok_visa');
    await passBeyond(bench(), hoursAfter(abandoned.subscription.createdAt, 23));
    expect(await provider.getSubscription(late.subscription.id)).toMatchObject({ status: 'active' });
    expect(await provider.getSubscription(abandoned.subscription.id)).toMatchObject({
      status: 'incomplete_expired',
      paidThrough: null,
    });
    expect(await provider.getIntent(abandoned.intentId ?? '')).toMatchObject({ status: 'canceled' });
    expect(await refusalOf(bench().pay(abandoned, 'tok_visa'))).toBe('invalid');
    expect(await refusalOf(provider.openPayment(abandoned.subscription.id))).toBe('invalid');
    expect(await paidBy(bench(), abandoned.subscription.customerId)).toBe(0);
  });

  it('names its customer, so that no one can confirm with someone else’s', async () => {
    const [mine, other] = [await begin(bench()), await begin(bench())];
    const intent = await bench().provider.getIntent(other.intentId ?? '');
    expect(intent).toEqual({
      id: other.intentId,
      kind: 'payment',
      customerId: other.subscription.customerId,
      status: 'open',
      declined: null,
      paymentMethodId: null,
    });
    expect(intent.customerId).not.toBe(mine.subscription.customerId);
  });

  it('is refused for an unknown subscription', async () => {
    const { provider } = bench();
    const wish = { customerId: 'cus_unknown', plan: 'monthly', trialDays: 0, paymentMethodId: null } as const;
    const commands = [
      () => provider.createSubscription(wish, randomUUID()),
      () => provider.getSubscription('sub_unknown'),
      () => provider.openPayment('sub_unknown'),
      () => provider.getIntent('pi_unknown'),
      () => provider.getIntent('seti_unknown'),
    ];
    for (const command of commands) expect(await refusalOf(command())).toBe('invalid');
  });
}
