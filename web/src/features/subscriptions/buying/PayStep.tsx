import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { StartedPayment } from '#contract/subscriptions/subscriptions.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { QueryStates, Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { formatMoney } from '../../../ui/text/format-payment.ts';
import { fill } from '../../../ui/text/i18n.ts';
import type { SubscriptionError } from '../errors.ts';
import { usePayer } from '../payers/load-payer.ts';
import { type PaymentSecret, type PaymentsProvider, secretOf } from '../payers/payer.ts';
import { planNames, priceTexts } from '../plan-words.ts';
import { paymentMethodsQuery } from '../queries.ts';
import { PaymentForm } from './PaymentForm.tsx';
import { Step, Terms } from './PlanParts.tsx';
import type { Purchase } from './Purchase.tsx';

interface PayStepProps {
  provider: PaymentsProvider;
  publishableKey: string | null;
  started: StartedPayment;
  trialDays: number;
  purchase: Purchase;
}

/**
 * Shown when the provider has taken the payment but the server has not confirmed it yet. Checking again costs nothing.
 */
function Taken({ purchase }: { purchase: Purchase }) {
  const { isPending, error } = purchase.confirming;
  return (
    <>
      <Notice kind="warning">
        {t`Your bank has taken the payment, but we are still waiting for the confirmation. You don't need to pay again.`}
        {error !== null && ` ${error.message}`}
      </Notice>
      <div>
        <BusyButton
          isBusy={isPending}
          busyText={t`Checking...`}
          onClick={() => void purchase.check().catch(({ message }: SubscriptionError) => purchase.back(message))}
        >
          {t`Check again`}
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
  const payer = usePayer(provider, publishableKey);
  const cards = useQuery(paymentMethodsQuery);
  const { plan, price } = started.subscription;
  const isTrial = secret.kind === 'setup';
  return (
    <QueryStates
      query={payer}
      loadingText={t`Loading the payment form...`}
      skeleton="16rem"
      errorText={() => t`Couldn't load the payment form. Check your internet connection.`}
    >
      {(loaded) =>
        cards.data === undefined && cards.error === null ? (
          <Skeleton height="16rem" />
        ) : (
          <PaymentForm
            payer={loaded}
            secret={secret}
            cards={cards.data ?? []}
            text={isTrial ? t`Start free trial` : t`Pay ${{ price: formatMoney(price) }}`}
            busyText={isTrial ? t`Starting...` : t`Paying...`}
            terms={<Terms plan={plan} price={price} trialDays={isTrial ? trialDays : 0} />}
            onPaid={purchase.check}
            onExpired={({ message }) => purchase.back(message)}
          >
            <Button variant="subtle" onClick={() => purchase.back()}>
              {t`Choose another plan`}
            </Button>
          </PaymentForm>
        )
      }
    </QueryStates>
  );
}

/** The step in which the chosen plan is paid for, with a saved card or a new one. */
export function PayStep(props: PayStepProps) {
  const { started, purchase } = props;
  const { plan, price } = started.subscription;
  const secret = secretOf(started);
  return (
    <Step title={t`Payment`} isNew>
      <p>
        {t(planNames[plan])} · {fill(priceTexts[plan], { price: formatMoney(price) })}
      </p>
      {purchase.isTaken ? <Taken purchase={purchase} /> : secret && <Form {...props} secret={secret} />}
    </Step>
  );
}
