import type { SandboxToken } from '#contract/subscriptions/payments-sandbox.ts';
import type { PaymentProvider, PaymentStart } from '../../src/features/subscriptions/providers/provider.ts';

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
