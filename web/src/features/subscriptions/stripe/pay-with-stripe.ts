import type { Stripe, StripeElements, StripeError } from '@stripe/stripe-js';
import { type PaymentErrorCode, paymentErrorTexts } from '#contract/subscriptions/plan.ts';
import type { PaymentEnd, PaymentSecret } from '../buying/payer.ts';
import { SubscriptionError } from '../subscription-errors.ts';

/** The card to pay with: what stands in the fields, or a kept one. */
export type StripeCard = { elements: StripeElements } | { paymentMethodId: string };

const errorCodes: Record<string, PaymentErrorCode> = {
  insufficient_funds: 'insufficient_funds',
  expired_card: 'expired_card',
  card_declined: 'card_declined',
  payment_intent_authentication_failure: 'authentication_failed',
  setup_intent_authentication_failure: 'authentication_failed',
  rate_limit: 'rate_limited',
};

const errorCodesByType: Partial<Record<StripeError['type'], PaymentErrorCode>> = {
  api_connection_error: 'unavailable',
  api_error: 'unavailable',
  rate_limit_error: 'rate_limited',
  card_error: 'card_declined',
};

function refusal({ code = '', decline_code: declineCode = '', type }: StripeError): SubscriptionError {
  const reason = errorCodes[declineCode] ?? errorCodes[code] ?? errorCodesByType[type] ?? 'invalid';
  return new SubscriptionError({ message: paymentErrorTexts[reason], code: 'PAYMENT_DECLINED', status: null });
}

function ask(stripe: Stripe, { kind, clientSecret }: PaymentSecret, card: StripeCard) {
  // Only ways to pay that lead through another page come back here.
  const returnUrl = { return_url: `${location.origin}/app/premium` };
  const redirect = 'if_required' as const;
  if ('elements' in card) {
    const options = { elements: card.elements, confirmParams: returnUrl, redirect };
    return kind === 'payment' ? stripe.confirmPayment(options) : stripe.confirmSetup(options);
  }
  const options = { clientSecret, confirmParams: { ...returnUrl, payment_method: card.paymentMethodId }, redirect };
  return kind === 'payment' ? stripe.confirmPayment(options) : stripe.confirmSetup(options);
}

/** Pays with a card, or keeps it; the bank's question is put by Stripe itself. Throws the `SubscriptionError` of a refusal. */
export async function payWithStripe(stripe: Stripe, secret: PaymentSecret, card: StripeCard): Promise<PaymentEnd> {
  const { error } = await ask(stripe, secret, card);
  if (error === undefined) return 'succeeded';
  // Fields that are not filled in say so themselves.
  if (error.type === 'validation_error') return 'open';
  const known = error.payment_intent ?? error.setup_intent;
  if (known?.status === 'succeeded') return 'succeeded';
  throw refusal(error);
}
