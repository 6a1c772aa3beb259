import { Button } from '@mantine/core';
import type { StartedPayment } from '#contract/subscriptions/subscriptions.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Bone, QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { useText } from '../../../ui/text/text.ts';
import classes from './OwnPlan.module.css';
import { confirmationOf, type PaymentSecret, type PaymentsProvider, secretOf } from '../buying/payer.ts';
import { PaymentForm } from '../buying/PaymentForm.tsx';
import { confirm } from '../subscription-commands.ts';
import { readCurrent } from '../subscription-reads.ts';
import { useSubscription } from '../subscription-store.ts';
import type { Offer } from '../buying/use-offer.ts';
import { usePayer } from '../buying/use-payer.ts';

interface ChangePaymentProps {
  offer: Offer;
  started: StartedPayment;
  onDone: () => void;
  onKeep: () => void;
}

interface FormProps extends Omit<ChangePaymentProps, 'offer'> {
  provider: PaymentsProvider;
  publishableKey: string | null;
  secret: PaymentSecret;
}

function Form({ provider, publishableKey, started, secret, onDone, onKeep }: FormProps) {
  const t = useText();
  const payer = usePayer(provider, publishableKey);
  const cards = useSubscription((state) => state.paymentMethods);

  async function ask() {
    if ((await confirm(confirmationOf(started.subscriptionId, secret))) === null) {
      const { error } = useSubscription.getState().confirm;
      if (error !== null) throw error;
    }
    await readCurrent();
    onDone();
  }

  return (
    <QueryStates
      query={payer}
      loadingText={t('Loading the payment form...')}
      skeleton={<Bone height="10rem" />}
      errorText={() => t('The payment form could not be loaded. Please check your internet connection.')}
    >
      {(loaded) => (
        <PaymentForm
          payer={loaded}
          secret={secret}
          cards={cards}
          text={t('Pay and change')}
          busyText={t('Paying...')}
          onPaid={ask}
          onGone={() => {
            void readCurrent();
            onKeep();
          }}
        >
          <Button variant="default" onClick={onKeep}>
            {t('Keep my plan')}
          </Button>
        </PaymentForm>
      )}
    </QueryStates>
  );
}

/** A change whose price the bank has not let through yet: it wants to be asked, or another card. */
export function ChangePayment({ offer: { payments, publishableKey }, ...props }: ChangePaymentProps) {
  const t = useText();
  const secret = secretOf(props.started);
  if (payments === null || secret === null) return null;
  return (
    <>
      <Notice kind="info">
        {t('Your bank wants to hear from you before it pays. Until then your plan is as it was.')}
      </Notice>
      <div className={classes.place}>
        <Form {...props} provider={payments} publishableKey={publishableKey} secret={secret} />
      </div>
    </>
  );
}
