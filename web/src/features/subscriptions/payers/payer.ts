import type { ComponentType, Ref } from 'react';
import type { StartedPayment } from '#contract/subscriptions/subscriptions.ts';

/** The provider's handle for a payment, or for a card to be saved. */
export interface PaymentSecret {
  kind: 'payment' | 'setup';
  intentId: string;
  clientSecret: string;
}

/**
 * The state of a payment that was not refused. `open`: it was not sent, because a field or the bank needs an answer
 * first.
 */
export type PaymentEnd = 'succeeded' | 'processing' | 'open';

/** Shows the bank's confirmation request if the provider doesn't do so itself; null if it was left unanswered. */
export type AskBank = () => Promise<'approve' | 'refuse' | null>;

/** What the form needs from the provider's card fields. */
export interface CardEntry {
  /** Pays with the entered card; throws a `SubscriptionError` if it is refused. */
  pay: (secret: PaymentSecret) => Promise<PaymentEnd>;
  focus: () => void;
}

export interface CardFieldsProps {
  secret: PaymentSecret;
  entry: Ref<CardEntry>;
  askBank: AskBank;
  onEdit: () => void;
}

/** The part of a payment provider that runs in the browser: its card fields, and how to pay. */
export interface Payer {
  CardFields: ComponentType<CardFieldsProps>;
  /** Pays with a saved card; throws a `SubscriptionError` if it is refused. */
  payWithKept: (secret: PaymentSecret, paymentMethodId: string, askBank: AskBank) => Promise<PaymentEnd>;
}

export type PaymentsProvider = 'sandbox' | 'stripe';

/** The handle of the payment or setup that the payer still has to complete; null if there is nothing to do. */
export function secretOf(started: StartedPayment): PaymentSecret | null {
  const { requiresAction, secretKind: kind, clientSecret, paymentIntentId, setupIntentId } = started;
  const intentId = kind === 'setup' ? setupIntentId : paymentIntentId;
  if (!requiresAction || kind === null || clientSecret === null || intentId === null) return null;
  return { kind, intentId, clientSecret };
}

/** The body of the request that checks whether this payment went through. */
export function confirmationOf(subscriptionId: string, { kind, intentId }: PaymentSecret) {
  return kind === 'setup' ? { subscriptionId, setupIntentId: intentId } : { subscriptionId, paymentIntentId: intentId };
}

const everyMs = 2000;
const forMs = 20_000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Polls until the answer is the expected one: at once, then every two seconds for at most twenty seconds, because the
 * payment provider notifies the server a moment later. Null if that never happens. A failed request is repeated.
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
