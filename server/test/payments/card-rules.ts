import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  type PaymentBench,
  begin,
  invoicesOf,
  keepCard,
  newCustomer,
  passBeyond,
  refusalOf,
  subscribe,
} from './payment-bench.ts';

export function cardRules(bench: () => PaymentBench): void {
  const standing = (id: string) => bench().provider.getSubscription(id);
  const cardsOf = (customerId: string) => bench().provider.listPaymentMethods(customerId);

  it('are stored after paying, and can pay again', async () => {
    const { customerId, cardFingerprint } = await subscribe(bench(), { card: 'tok_mastercard' });
    const [card, ...others] = await cardsOf(customerId);
    expect(card).toMatchObject({ brand: 'mastercard', last4: '4444', isDefault: true });
    expect(card?.expYear).toBeGreaterThan((await bench().provider.now()).getUTCFullYear());
    expect(card?.expMonth).toBeGreaterThanOrEqual(1);
    expect(card?.expMonth).toBeLessThanOrEqual(12);
    expect(others).toEqual([]);
    expect(cardFingerprint).not.toBeNull();
  });

  it('are recognized on another account', async () => {
    const [one, same, other] = [
      await subscribe(bench(), { card: 'tok_visa' }),
      await subscribe(bench(), { card: 'tok_visa', trialDays: 7 }),
      await subscribe(bench(), { card: 'tok_mastercard' }),
    ];
    expect(same.cardFingerprint).toBe(one.cardFingerprint);
    expect(other.cardFingerprint).not.toBe(one.cardFingerprint);
  });

  it('are stored without a payment, under one secret per key', async () => {
    const { provider } = bench();
    const customerId = await newCustomer(bench());
    const key = randomUUID();
    const [setup, ...others] = await Promise.all(
      Array.from({ length: 10 }, () => provider.createSetupIntent(customerId, key)),
    );
    for (const other of others) expect(other).toEqual(setup);
    if (setup === undefined) throw new Error('no setup');
    const start = { intentId: setup.setupIntentId, clientSecret: setup.clientSecret };
    expect(await refusalOf(bench().pay(start, 'tok_expired'))).toBe('expired_card');
    expect(await cardsOf(customerId)).toEqual([]);
    await bench().pay(start, 'tok_visa');
    const intent = await provider.getIntent(setup.setupIntentId);
    expect(intent).toMatchObject({ kind: 'setup', customerId, status: 'succeeded', declined: null });
    expect(await cardsOf(customerId)).toMatchObject([{ id: intent.paymentMethodId, brand: 'visa', last4: '4242' }]);
    expect(await invoicesOf(bench(), customerId)).toEqual([]);
    expect(await refusalOf(provider.createSetupIntent(await newCustomer(bench()), key))).toBe('invalid');
  });

  it('pay for a new subscription once stored, and are not stored twice', async () => {
    const customerId = await newCustomer(bench());
    const card = await keepCard(bench(), customerId, 'tok_visa');
    const start = await begin(bench(), { customerId, paymentMethodId: card });
    expect(start.subscription).toMatchObject({ status: 'incomplete', paidThrough: null });
    await bench().pay(start, { kept: card });
    expect(await standing(start.subscription.id)).toMatchObject({ status: 'active' });
    expect(await cardsOf(customerId)).toMatchObject([{ id: card, isDefault: true }]);
  });

  it('are refused if they belong to another customer', async () => {
    const { provider } = bench();
    const card = await keepCard(bench(), await newCustomer(bench()), 'tok_visa');
    const start = await begin(bench());
    const { customerId } = start.subscription;
    expect(await refusalOf(bench().pay(start, { kept: card }))).toBe('invalid');
    expect(await refusalOf(begin(bench(), { paymentMethodId: card }))).toBe('invalid');
    expect(await refusalOf(provider.setDefaultPaymentMethod(customerId, card))).toBe('invalid');
    expect(await refusalOf(provider.removePaymentMethod(customerId, card))).toBe('invalid');
    expect(await standing(start.subscription.id)).toMatchObject({ status: 'incomplete', paidThrough: null });
    expect(await cardsOf(customerId)).toEqual([]);
  });

  it('pay future invoices once they are the default', async () => {
    const { provider } = bench();
    const subscription = await subscribe(bench(), { card: 'tok_renewal_fails' });
    const { customerId } = subscription;
    const visa = await keepCard(bench(), customerId, 'tok_visa');
    await provider.setDefaultPaymentMethod(customerId, visa);
    const cards = await cardsOf(customerId);
    expect(cards.filter(({ isDefault }) => isDefault).map(({ id }) => id)).toEqual([visa]);
    expect(cards).toHaveLength(2);
    expect((await standing(subscription.id)).cardFingerprint).not.toBe(subscription.cardFingerprint);
    await passBeyond(bench(), subscription.currentPeriodEnd);
    expect((await standing(subscription.id)).status).toBe('active');

    const failing = await keepCard(bench(), customerId, 'tok_renewal_fails');
    await provider.setDefaultPaymentMethod(customerId, failing);
    await passBeyond(bench(), (await standing(subscription.id)).currentPeriodEnd);
    expect((await standing(subscription.id)).status).toBe('past_due');
  });

  it('are deleted when removed', async () => {
    const { provider } = bench();
    const { customerId } = await subscribe(bench());
    const second = await keepCard(bench(), customerId, 'tok_mastercard');
    const start = await begin(bench(), { customerId, plan: 'annual' });
    await provider.removePaymentMethod(customerId, second);
    expect((await cardsOf(customerId)).map(({ last4 }) => last4)).toEqual(['4242']);
    expect(await refusalOf(bench().pay(start, { kept: second }))).toBe('invalid');
    expect(await refusalOf(provider.setDefaultPaymentMethod(customerId, second))).toBe('invalid');
    expect(await refusalOf(provider.removePaymentMethod(customerId, 'pm_unknown'))).toBe('invalid');
  });
}
