import type { ProviderIntent, PaymentProvider } from '../../server/src/features/subscriptions/providers/provider.ts';

/** What a payer does with an intent: pay with a test token or a kept card, or answer the bank. */
export type IntentAnswer = { token: string } | { challenge: 'approve' | 'refuse' };

/** A signed message to the webhook. */
export interface Delivery {
  raw: string;
  signature: string;
}

/** The provider that moves no money, with what others have elsewhere: the payer's browser, time, a back office, and deliveries. */
export interface PaymentSandbox extends PaymentProvider {
  readonly name: 'sandbox';
  /** How the intent stands after it; null for an unknown intent or another secret. A refused card rejects with `PaymentError`. */
  answerIntent(id: string, clientSecret: string, answer: IntentAnswer): Promise<ProviderIntent['status'] | null>;
  /** When something happens by itself next: a renewal, another try, a trial's or a cancelled period's end, an abandoned payment's. */
  nextDue(): Promise<Date | null>;
  /** Sets the present forward and does nothing else; false for a moment that has passed. */
  moveClock(to: Date): Promise<boolean>;
  /** Does all that is due by now; safe from several processes at once. */
  tick(): Promise<void>;
  /** Gives the money of a paid invoice back; false where there is none to give. */
  refund(invoiceId: string): Promise<boolean>;
  /** The message of an event, signed now; null once it was delivered. Each event enqueues a job `payments.deliver` `{eventId}` with itself. */
  delivery(eventId: string): Promise<Delivery | null>;
  delivered(eventId: string): Promise<void>;
}
