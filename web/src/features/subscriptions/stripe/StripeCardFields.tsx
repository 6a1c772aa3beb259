import { useComputedColorScheme } from '@mantine/core';
import { Elements, PaymentElement, useElements } from '@stripe/react-stripe-js';
import type { Stripe } from '@stripe/stripe-js';
import { useImperativeHandle } from 'react';
import { useLocale } from '../../../ui/text/text.ts';
import type { CardEntry, CardFieldsProps } from '../buying/payer.ts';
import { payWithStripe } from './pay-with-stripe.ts';

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

/** Stripe's own card fields, in a frame of theirs: what is typed never reaches our page. */
export function StripeCardFields(props: StripeCardFieldsProps) {
  const locale = useLocale();
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
