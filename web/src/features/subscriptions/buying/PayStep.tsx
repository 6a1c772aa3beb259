import { Button } from '@mantine/core';
import type { StartedPayment } from '#contract/subscriptions/subscriptions.ts';
import { formatMoney } from '../../../ui/text/format-payment.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Bone, QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { useLocale, useText } from '../../../ui/text/text.ts';
import { type PaymentSecret, type PaymentsProvider, secretOf, usePayer } from '../payers/payer.ts';
import { PaymentForm } from './PaymentForm.tsx';
import { planNames, priceTexts } from '../plan-words.ts';
import { Step, Terms } from './PlanParts.tsx';
import type { SubscriptionError } from '../errors.ts';
import { useSubscription } from '../subscription-store.ts';
import { usePaymentMethods } from '../use-known.ts';
import type { Purchase } from './use-purchase.ts';

interface PayStepProps {
  provider: PaymentsProvider;
  publishableKey: string | null;
  started: StartedPayment;
  trialDays: number;
  purchase: Purchase;
}

/** The provider has taken it, and the server has not said so yet: asking again costs nothing. */
function Taken({ purchase }: { purchase: Purchase }) {
  const t = useText();
  const { loading, error } = useSubscription((state) => state.confirm);
  return (
    <>
      <Notice kind="warning">
        {t('Your bank has taken the payment, but we have not heard of it yet. You need not pay again.')}
        {error !== null && ` ${t(error.message)}`}
      </Notice>
      <div>
        <BusyButton
          isBusy={loading}
          busyText={t('Asking...')}
          onClick={() => void purchase.ask().catch(({ message }: SubscriptionError) => purchase.back(message))}
        >
          {t('Ask again')}
        </BusyButton>
      </div>
    </>
  );
}

function Form({
  provider,
  publishableKey,
  started,
  trialDays,
  purchase,
  secret,
}: PayStepProps & { secret: PaymentSecret }) {
  const t = useText();
  const locale = useLocale();
  const payer = usePayer(provider, publishableKey);
  const cards = usePaymentMethods();
  const { plan, price } = started.subscription;
  const isTrial = secret.kind === 'setup';
  return (
    <QueryStates
      query={payer}
      loadingText={t('Loading the payment form...')}
      skeleton={<Bone height="16rem" />}
      errorText={() => t('The payment form could not be loaded. Please check your internet connection.')}
    >
      {(loaded) =>
        cards.data === undefined && cards.error === null ? (
          <Bone height="16rem" />
        ) : (
          <PaymentForm
            payer={loaded}
            secret={secret}
            cards={cards.data ?? []}
            text={isTrial ? t('Begin the free trial') : t('Pay {price}', { price: formatMoney(price, locale) })}
            busyText={isTrial ? t('Beginning...') : t('Paying...')}
            terms={<Terms plan={plan} price={price} trialDays={isTrial ? trialDays : 0} />}
            onPaid={purchase.ask}
            onGone={({ message }) => purchase.back(message)}
          >
            <Button variant="subtle" onClick={() => purchase.back()}>
              {t('Change the plan')}
            </Button>
          </PaymentForm>
        )
      }
    </QueryStates>
  );
}

/** The payment of the chosen plan, with a kept card or a new one. */
export function PayStep(props: PayStepProps) {
  const t = useText();
  const locale = useLocale();
  const { started, purchase } = props;
  const { plan, price } = started.subscription;
  const secret = secretOf(started);
  return (
    <Step title={t('Payment')} isNew>
      <p>
        {t('{plan}: {price}', {
          plan: t(planNames[plan]),
          price: t(priceTexts[plan], { price: formatMoney(price, locale) }),
        })}
      </p>
      {purchase.isTaken ? <Taken purchase={purchase} /> : secret && <Form {...props} secret={secret} />}
    </Step>
  );
}
