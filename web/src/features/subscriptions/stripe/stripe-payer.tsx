import type { Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import type { Payer } from '../buying/payer.ts';
import { payWithStripe } from './pay-with-stripe.ts';
import { StripeCardFields } from './StripeCardFields.tsx';

/** The loader waits for ever for a script that has failed and still stands in the page. */
function takeAway({ target }: Event): void {
  if (target instanceof HTMLScriptElement && target.src.startsWith('https://js.stripe.com/')) target.remove();
}

async function load(publishableKey: string): Promise<Stripe | null> {
  // Their script is there to take cards, not to watch what else is done on the page.
  loadStripe.setLoadParameters({ advancedFraudSignals: false });
  document.addEventListener('error', takeAway, true);
  try {
    return await loadStripe(publishableKey);
  } finally {
    document.removeEventListener('error', takeAway, true);
  }
}

/** Payments through Stripe, whose script is fetched here; throws when it cannot be. */
export async function stripePayer(publishableKey: string): Promise<Payer> {
  const stripe = await load(publishableKey);
  if (stripe === null) throw new Error('There is no page to pay on');
  return {
    CardFields: (props) => <StripeCardFields {...props} stripe={stripe} />,
    payWithKept: (secret, paymentMethodId) => payWithStripe(stripe, secret, { paymentMethodId }),
  };
}
