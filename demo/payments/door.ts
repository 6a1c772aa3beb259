import type { ProviderIntent, PaymentProvider } from '../../server/src/features/subscriptions/providers/provider.ts';

/** What a payer does with an intent: pay with a test token or a stored card, or answer the bank. */
export type IntentAnswer = { token: string } | { challenge: 'approve' | 'refuse' };

/** A signed message to the webhook. */
export interface Delivery {
  raw: string;
  signature: string;
}

/** The provider that moves no money, plus what real ones have elsewhere: the payer's browser, a clock, refunds and deliveries. */
export interface PaymentSandbox extends PaymentProvider {
  readonly name: 'sandbox';
  /** The state of the intent afterwards; null for an unknown intent or a wrong secret. A refused card rejects with `PaymentError`. */
  answerIntent(id: string, clientSecret: string, answer: IntentAnswer): Promise<ProviderIntent['status'] | null>;
  /** When the next automatic event is due: a renewal, a retry, the end of a trial, cancelled period or abandoned payment. */
  nextDue(): Promise<Date | null>;
  /** Moves the clock forward and does nothing else; false for a time in the past. */
  moveClock(to: Date): Promise<boolean>;
  /** Processes everything that is due; safe to call from several processes at once. */
  tick(): Promise<void>;
  /** Refunds a paid invoice; false if there is nothing to refund. */
  refund(invoiceId: string): Promise<boolean>;
  /** The message of an event, signed now; null once delivered. Each event enqueues a job `payments.deliver` `{eventId}`. */
  delivery(eventId: string): Promise<Delivery | null>;
  delivered(eventId: string): Promise<void>;
}
