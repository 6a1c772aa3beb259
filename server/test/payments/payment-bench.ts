import { randomUUID } from 'node:crypto';
import type { SandboxToken } from '#contract/subscriptions/payments-sandbox.ts';
import type { PaymentErrorCode, Plan } from '#contract/subscriptions/plan.ts';
import {
  type PaymentProvider,
  type PaymentStart,
  PaymentError,
  type ProviderInvoice,
  type ProviderSubscription,
} from '../../src/features/subscriptions/providers/provider.ts';
import { secondsAfter } from '#platform/process/clock.ts';

/** A provider with its environment, for the rules that every provider must follow. */
export interface PaymentBench {
  provider: PaymentProvider;
  /** The payer enters a card or chooses a stored one; a refusal rejects with `PaymentError`. */
  pay(start: Pick<PaymentStart, 'intentId' | 'clientSecret'>, card: SandboxToken | { kept: string }): Promise<void>;
  /** The payer answers the bank; a refusal rejects with `PaymentError` `authentication_failed`. */
  answerBank(start: Pick<PaymentStart, 'intentId' | 'clientSecret'>, answer: 'approve' | 'refuse'): Promise<void>;
  /** Advances the time to `at`; everything due happens. */
  moveTo(at: Date): Promise<void>;
  /** Refunds an invoice. */
  refund(invoiceId: string): Promise<void>;
  /** Every event sent to the webhook so far, oldest first. */
  deliveries(): Promise<{ raw: Buffer; signature: string }[]>;
  /** Makes the provider unavailable or available again. */
  setDown(isDown: boolean): Promise<void>;
  close(): Promise<void>;
}

/** How long a provider may take to do work that has become due. */
const settlingHours = 2;

export const hoursAfter = (at: Date, hours: number) => secondsAfter(at, hours * 3600);
export const daysAfter = (at: Date, days: number) => hoursAfter(at, days * 24);

/** A new customer. */
export function newCustomer({ provider }: PaymentBench): Promise<string> {
  const accountId = randomUUID();
  const person = { accountId, email: `${accountId}@example.org`, name: 'Ada Vale' };
  return provider.ensureCustomer(person, `customer:${accountId}`);
}

/** Creates an unpaid subscription of a new customer (or of `customerId`). */
export async function begin(
  bench: PaymentBench,
  wish: { customerId?: string; plan?: Plan; trialDays?: number; paymentMethodId?: string } = {},
): Promise<PaymentStart> {
  return bench.provider.createSubscription(
    {
      customerId: wish.customerId ?? (await newCustomer(bench)),
      plan: wish.plan ?? 'monthly',
      trialDays: wish.trialDays ?? 0,
      paymentMethodId: wish.paymentMethodId ?? null,
    },
    randomUUID(),
  );
}

/** Creates a subscription paid with `card` (or on trial with it); the bank's confirmation is approved. */
export async function subscribe(
  bench: PaymentBench,
  wish: Parameters<typeof begin>[1] & { card?: SandboxToken } = {},
): Promise<ProviderSubscription> {
  const start = await begin(bench, wish);
  await bench.pay(start, wish.card ?? 'tok_visa');
  if (wish.card === 'tok_challenge') await bench.answerBank(start, 'approve');
  return bench.provider.getSubscription(start.subscription.id);
}

/** Stores a customer's card without a payment; returns its id. */
export async function keepCard(bench: PaymentBench, customerId: string, card: SandboxToken): Promise<string> {
  const { clientSecret, setupIntentId } = await bench.provider.createSetupIntent(customerId, randomUUID());
  await bench.pay({ intentId: setupIntentId, clientSecret }, card);
  const { paymentMethodId } = await bench.provider.getIntent(setupIntentId);
  if (paymentMethodId === null) throw new Error('the card was not kept');
  return paymentMethodId;
}

/** All invoices of a customer with an amount due, newest first. */
export async function invoicesOf({ provider }: PaymentBench, customerId: string): Promise<ProviderInvoice[]> {
  const { data } = await provider.listInvoices(customerId, { limit: 100 });
  return data.filter(({ total }) => total.amountMinor > 0);
}

/** The total that a customer has paid, minus refunds. */
export async function paidBy(bench: PaymentBench, customerId: string): Promise<number> {
  const paid = (await invoicesOf(bench, customerId)).filter(({ status }) => status === 'paid');
  return paid.reduce((sum, { total }) => sum + total.amountMinor, 0);
}

/** Advances the time until all work due at `at` is done. */
export function passBeyond(bench: PaymentBench, at: Date): Promise<void> {
  return bench.moveTo(hoursAfter(at, settlingHours));
}

/** The error code of a refused command, or null. */
export async function refusalOf(command: Promise<unknown>): Promise<PaymentErrorCode | null> {
  try {
    await command;
    return null;
  } catch (error) {
    if (error instanceof PaymentError) return error.code;
    throw error;
  }
}
