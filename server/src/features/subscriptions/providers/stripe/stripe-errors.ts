import Stripe from 'stripe';
import type { PaymentErrorCode } from '#contract/subscriptions/plan.ts';
import { PaymentError } from '../provider.ts';
import { UnreadableAnswer } from './stripe-fields.ts';

const reasons: Record<string, PaymentErrorCode> = {
  insufficient_funds: 'insufficient_funds',
  expired_card: 'expired_card',
  expired_payment_method: 'expired_card',
  authentication_required: 'authentication_failed',
  authentication_not_handled: 'authentication_failed',
  invoice_payment_intent_requires_action: 'authentication_failed',
  payment_intent_action_required: 'authentication_failed',
  payment_intent_authentication_failure: 'authentication_failed',
  setup_intent_authentication_failure: 'authentication_failed',
  card_decline_rate_limit_exceeded: 'rate_limited',
  payment_intent_rate_limit_exceeded: 'rate_limited',
};

interface Refusal {
  code?: string | undefined;
  decline_code?: string | undefined;
}

/** Our code for a refused card: the bank's own reason where it gave one. https://docs.stripe.com/declines/codes */
export function declineCode({ code, decline_code: reason }: Refusal): PaymentErrorCode {
  return reasons[reason ?? ''] ?? reasons[code ?? ''] ?? 'card_declined';
}

/** Whether Stripe says that what was named does not exist (any more). */
export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
}

/** What a failed call means to the one who asked: whatever is not the card's or the question's fault is `unavailable`. */
export function toPaymentError(error: unknown): PaymentError {
  return new PaymentError(codeOf(error), { cause: error });
}

function codeOf(error: unknown): PaymentErrorCode {
  const { errors } = Stripe;
  if (error instanceof errors.StripeCardError) return declineCode(error);
  if (error instanceof errors.StripeRateLimitError) return 'rate_limited';
  if (error instanceof errors.StripeInvalidRequestError) return reasons[error.code ?? ''] ?? 'invalid';
  if (error instanceof errors.StripeIdempotencyError) return 'invalid';
  return 'unavailable';
}

/** What the log may know of a failed call: Stripe's own words stay out, since they may quote what was sent. */
export function factsOf(error: unknown): object {
  if (error instanceof UnreadableAnswer) return { type: error.name, missing: error.field };
  if (!(error instanceof Stripe.errors.StripeError)) return { err: error };
  const { type, code, param, statusCode: status, requestId } = error;
  const cause = (error.detail as { code?: string } | undefined)?.code;
  return { type, code: code ?? cause, param, status, requestId };
}
