import { t } from '@lingui/core/macro';
import { useComputedColorScheme } from '@mantine/core';
import { Elements, PaymentElement, useElements } from '@stripe/react-stripe-js';
import type { Stripe, StripeElements, StripeError } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { useImperativeHandle } from 'react';
import { type PaymentErrorCode, paymentErrorTexts } from '#contract/subscriptions/plan.ts';
import type { CardEntry, CardFieldsProps, Payer, PaymentEnd, PaymentSecret } from './payer.ts';
import { SubscriptionError } from '../errors.ts';
import { locale } from '../../../ui/text/text.ts';

/** The card to pay with: the one typed into the fields, or a saved one. */
type StripeCard = { elements: StripeElements } | { paymentMethodId: string };

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
  return new SubscriptionError({ message: t(paymentErrorTexts[reason]), code: 'PAYMENT_DECLINED', status: null });
}

function ask(stripe: Stripe, { kind, clientSecret }: PaymentSecret, card: StripeCard) {
  // Only payment methods that redirect to another page come back here.
  const returnUrl = { return_url: `${location.origin}/app/premium` };
  const redirect = 'if_required' as const;
  if ('elements' in card) {
    const options = { elements: card.elements, confirmParams: returnUrl, redirect };
    return kind === 'payment' ? stripe.confirmPayment(options) : stripe.confirmSetup(options);
  }
  const options = { clientSecret, confirmParams: { ...returnUrl, payment_method: card.paymentMethodId }, redirect };
  return kind === 'payment' ? stripe.confirmPayment(options) : stripe.confirmSetup(options);
}

/**
 * Pays with a card or saves it; Stripe shows the bank's confirmation itself. Throws a `SubscriptionError` if it is
 * refused.
 */
async function payWithStripe(stripe: Stripe, secret: PaymentSecret, card: StripeCard): Promise<PaymentEnd> {
  const { error } = await ask(stripe, secret, card);
  if (error === undefined) return 'succeeded';
  // Stripe's fields show themselves that they are not filled in.
  if (error.type === 'validation_error') return 'open';
  const known = error.payment_intent ?? error.setup_intent;
  if (known?.status === 'succeeded') return 'succeeded';
  throw refusal(error);
}

type StripeCardFieldsProps = CardFieldsProps & { stripe: Stripe };

function Fields({ stripe, entry, onEdit }: StripeCardFieldsProps) {
  const elements = useElements();

  useImperativeHandle(
    entry,
    (): CardEntry => ({
      pay: async (secret) => (elements === null ? 'open' : payWithStripe(stripe, secret, { elements })),
      focus: () => elements?.getElement('payment')?.focus(),
    }),
    [elements, stripe],
  );

  return <PaymentElement onChange={onEdit} />;
}

/** Stripe's card fields in Stripe's own frame, so that typed values never reach our page. */
function StripeCardFields(props: StripeCardFieldsProps) {
  const isDark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';
  const { clientSecret } = props.secret;
  return (
    <Elements
      key={clientSecret}
      stripe={props.stripe}
      options={{
        clientSecret,
        locale: locale as 'en',
        appearance: { theme: isDark ? 'night' : 'stripe', variables: { borderRadius: '8px' } },
      }}
    >
      <Fields {...props} />
    </Elements>
  );
}

/** Removes Stripe's script if it failed to load; otherwise Stripe's loader would wait for it forever. */
function takeAway({ target }: Event): void {
  if (target instanceof HTMLScriptElement && target.src.startsWith('https://js.stripe.com/')) target.remove();
}

async function load(publishableKey: string): Promise<Stripe | null> {
  // Loads Stripe's script to accept cards, not to track what else people do on the page.
  loadStripe.setLoadParameters({ advancedFraudSignals: false });
  document.addEventListener('error', takeAway, true);
  try {
    return await loadStripe(publishableKey);
  } finally {
    document.removeEventListener('error', takeAway, true);
  }
}

/** Payments through Stripe, whose script is fetched here; throws if it can't be loaded. */
export async function stripePayer(publishableKey: string): Promise<Payer> {
  const stripe = await load(publishableKey);
  if (stripe === null) throw new Error('There is no page to pay on');
  return {
    CardFields: (props) => <StripeCardFields {...props} stripe={stripe} />,
    payWithKept: (secret, paymentMethodId) => payWithStripe(stripe, secret, { paymentMethodId }),
  };
}
