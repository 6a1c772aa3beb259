import type { ComponentType, Ref } from 'react';
import type { StartedPayment } from '#contract/subscriptions/subscriptions.ts';
import { useRead } from '../../../api/use-read.ts';

/** What is to be paid, or the card to be kept, under the provider's name for it. */
export interface PaymentSecret {
  kind: 'payment' | 'setup';
  intentId: string;
  clientSecret: string;
}

/** How far it got when nothing was refused; `open`: not sent, since the fields or the bank still want something. */
export type PaymentEnd = 'succeeded' | 'processing' | 'open';

/** Puts the bank's question to the payer where the provider does not do so itself; null when they leave it unanswered. */
export type AskBank = () => Promise<'approve' | 'refuse' | null>;

/** The card fields' own side: what the form around them asks for. */
export interface CardEntry {
  /** Pays with what was typed; throws the `SubscriptionError` of a refusal. */
  pay: (secret: PaymentSecret) => Promise<PaymentEnd>;
  focus: () => void;
}

export interface CardFieldsProps {
  secret: PaymentSecret;
  entry: Ref<CardEntry>;
  askBank: AskBank;
  onEdit: () => void;
}

/** The browser's side of a payment provider: where card numbers are typed, and who takes them. */
export interface Payer {
  CardFields: ComponentType<CardFieldsProps>;
  /** Pays with a kept card; throws the `SubscriptionError` of a refusal. */
  payWithKept: (secret: PaymentSecret, paymentMethodId: string, askBank: AskBank) => Promise<PaymentEnd>;
}

export type PaymentsProvider = 'sandbox' | 'stripe';

/** The provider the service pays through; only its own code, and with Stripe its script, is fetched. */
export async function loadPayer(provider: PaymentsProvider, publishableKey: string | null): Promise<Payer> {
  if (provider === 'sandbox') return (await import('./sandbox-payer.tsx')).sandboxPayer;
  return (await import('./stripe-payer.tsx')).stripePayer(publishableKey ?? '');
}

/** What of a payment that was begun the payer has to finish; null when there is nothing to do. */
export function secretOf(started: StartedPayment): PaymentSecret | null {
  const { requiresAction, secretKind: kind, clientSecret, paymentIntentId, setupIntentId } = started;
  const intentId = kind === 'setup' ? setupIntentId : paymentIntentId;
  if (!requiresAction || kind === null || clientSecret === null || intentId === null) return null;
  return { kind, intentId, clientSecret };
}

/** The body that asks whether this payment went through. */
export function confirmationOf(subscriptionId: string, { kind, intentId }: PaymentSecret) {
  return kind === 'setup' ? { subscriptionId, setupIntentId: intentId } : { subscriptionId, paymentIntentId: intentId };
}

/** The provider to pay through, once its code is there. */
export function usePayer(provider: PaymentsProvider, publishableKey: string | null) {
  return useRead(provider, () => loadPayer(provider, publishableKey));
}

const everyMs = 2000;
const forMs = 20_000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Asks until the answer is the awaited one: at once, then every two seconds, for twenty seconds at most. For what the payment
 * provider tells the server by itself, a moment later. Null when it did not come; an unanswered question is asked again.
 */
export async function waitFor<T>(
  ask: () => Promise<T | undefined>,
  isThere: (answer: T) => boolean,
): Promise<T | null> {
  for (let waitedMs = 0; ; waitedMs += everyMs) {
    const answer = await ask();
    if (answer !== undefined && isThere(answer)) return answer;
    if (waitedMs >= forMs) return null;
    await pause(everyMs);
  }
}
