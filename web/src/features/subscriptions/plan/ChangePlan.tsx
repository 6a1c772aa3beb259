import { t } from '@lingui/core/macro';
import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Plan } from '#contract/subscriptions/plan.ts';
import type { StartedPayment } from '#contract/subscriptions/subscriptions.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Buttons } from '../../../ui/layout/Rows.tsx';
import { formatMoney } from '../../../ui/text/format-payment.ts';
import { formatDate } from '../../../ui/text/format.ts';
import { PaymentForm } from '../buying/PaymentForm.tsx';
import { PlanChoice, StartNow } from '../buying/PlanParts.tsx';
import {
  type Offer,
  paymentMethodsQuery,
  type PlanChange,
  planChangeQuery,
  readCurrent,
  readInvoices,
  useConfirmSubscription,
  useUpdateSubscription,
} from '../queries.ts';
import { usePayer } from '../payers/load-payer.ts';
import { confirmationOf, type PaymentSecret, type PaymentsProvider, secretOf } from '../payers/payer.ts';
import { planNames } from '../plan-words.ts';
import type { ShownSubscription } from '../shown-subscription.ts';

interface ChangePaymentProps {
  offer: Offer;
  started: StartedPayment;
  payText: string;
  keepText: string;
  onDone: () => void;
  onKeep: () => void;
}

interface FormProps extends Omit<ChangePaymentProps, 'offer'> {
  provider: PaymentsProvider;
  publishableKey: string | null;
  secret: PaymentSecret;
}

function Form({ provider, publishableKey, started, secret, payText, keepText, onDone, onKeep }: FormProps) {
  const payer = usePayer(provider, publishableKey);
  const cards = useQuery(paymentMethodsQuery).data ?? [];
  const confirming = useConfirmSubscription();

  async function ask() {
    await confirming.mutateAsync(confirmationOf(started.subscriptionId, secret));
    await readCurrent();
    onDone();
  }

  return (
    <QueryStates
      query={payer}
      loadingText={t`Loading the payment form...`}
      skeleton="10rem"
      errorText={() => t`Couldn't load the payment form. Check your internet connection.`}
    >
      {(loaded) => (
        <PaymentForm
          payer={loaded}
          secret={secret}
          cards={cards}
          text={payText}
          busyText={t`Paying...`}
          onPaid={ask}
          onExpired={() => {
            void readCurrent();
            onKeep();
          }}
        >
          <Button variant="default" onClick={onKeep}>
            {keepText}
          </Button>
        </PaymentForm>
      )}
    </QueryStates>
  );
}

/** Pays for a change of plan or for ending a pause, after the bank required a confirmation or another card. */
export function ChangePayment({ offer: { payments, publishableKey }, ...props }: ChangePaymentProps) {
  const secret = secretOf(props.started);
  if (payments === null || secret === null) return null;
  return (
    <>
      <Notice kind="info">{t`Your bank asks you to confirm the payment. Until then your plan stays as it is.`}</Notice>
      <Stack>
        <Form {...props} provider={payments} publishableKey={publishableKey} secret={secret} />
      </Stack>
    </>
  );
}

interface ChangePlanProps {
  subscription: ShownSubscription;
  offer: Offer;
  onDone: (words: string) => void;
  onKeep: () => void;
}

interface ConfirmProps extends Pick<ChangePlanProps, 'onKeep'> {
  plan: Plan;
  updating: ReturnType<typeof useUpdateSubscription>;
  onChange: (preview: PlanChange, startNow: boolean) => void;
}

/** Shows the price of a change and when it takes effect, before anything is changed. */
function Confirm({ plan, updating, onChange, onKeep }: ConfirmProps) {
  const { isPending, error } = updating;
  const query = useQuery(planChangeQuery(plan));
  const [startsNow, setStartsNow] = useState(false);
  const name = t(planNames[plan]);
  return (
    <QueryStates query={query} loadingText={t`Checking the price...`} skeleton="6rem" errorText={(error) => error}>
      {(preview) => {
        const amount = formatMoney(preview.amountDueNow);
        const date = formatDate(preview.effectiveAt);
        return (
          <>
            <Text role="status">
              {preview.isImmediate
                ? t`The ${{ plan: name }} plan starts now. You pay ${amount}: the rest of your current plan is deducted.`
                : t`The ${{ plan: name }} plan starts on ${date}, when your current period ends. Nothing is charged now.`}
            </Text>
            {preview.isImmediate && <StartNow isChosen={startsNow} onChange={setStartsNow} />}
            {error !== null && <Notice kind="error">{error.message}</Notice>}
            {error?.code === 'PAYMENT_DECLINED' && (
              <p>{t`Your plan has not changed. You can try again with another card, added below.`}</p>
            )}
            <Buttons>
              <BusyButton isBusy={isPending} busyText={t`Changing...`} onClick={() => onChange(preview, startsNow)}>
                {preview.isImmediate ? t`Pay ${amount} and change` : t`Change on ${date}`}
              </BusyButton>
              <Button variant="default" onClick={onKeep}>
                {t`Keep my plan`}
              </Button>
            </Buttons>
          </>
        );
      }}
    </QueryStates>
  );
}

/** Changes the plan: choose one, see its price, and confirm. A request by the bank is answered here too. */
export function ChangePlan({ subscription, offer, onDone, onKeep }: ChangePlanProps) {
  const updating = useUpdateSubscription();
  const [chosen, setChosen] = useState<Plan | null>(null);
  const [started, setStarted] = useState<StartedPayment | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const others = offer.plans.filter(({ plan }) => plan !== subscription.plan && plan !== subscription.pendingPlan);

  useEffect(() => {
    if (started === null) place.current?.querySelector<HTMLElement>('input[type="radio"]')?.focus();
    else place.current?.focus();
  }, [started]);

  function changed(plan: Plan, { isImmediate, effectiveAt }: Pick<PlanChange, 'isImmediate' | 'effectiveAt'>) {
    void readInvoices();
    const name = t(planNames[plan]);
    onDone(
      isImmediate
        ? t`You now have the ${{ plan: name }} plan.`
        : t`You will switch to the ${{ plan: name }} plan on ${{ date: formatDate(effectiveAt) }}.`,
    );
  }

  async function change(plan: Plan, preview: PlanChange, startNow: boolean) {
    const answer = await updating.mutateAsync({ plan, ...(startNow && { startNow }) }).catch(() => null);
    if (answer === null) return;
    if (secretOf(answer) === null) changed(plan, preview);
    else setStarted(answer);
  }

  function choose(plan: Plan) {
    updating.reset();
    setChosen(plan);
  }

  return (
    <Stack
      ref={place}
      tabIndex={-1}
      py="1rem"
      px="1.1rem"
      bd="1px solid var(--hw-line)"
      bdrs="md"
      bg="var(--hw-sunken)"
    >
      {started !== null && chosen !== null ? (
        <ChangePayment
          offer={offer}
          started={started}
          payText={t`Pay and change`}
          keepText={t`Keep my plan`}
          onDone={() => changed(chosen, { isImmediate: true, effectiveAt: '' })}
          onKeep={onKeep}
        />
      ) : (
        <>
          <PlanChoice
            legend={t`Change to`}
            plans={others}
            monthly={offer.plans.find(({ plan }) => plan === 'monthly')}
            chosen={chosen}
            onChoose={choose}
          />
          {chosen === null ? (
            <div>
              <Button variant="default" onClick={onKeep}>
                {t`Keep my plan`}
              </Button>
            </div>
          ) : (
            <Confirm
              key={chosen}
              plan={chosen}
              updating={updating}
              onChange={(preview, startNow) => void change(chosen, preview, startNow)}
              onKeep={onKeep}
            />
          )}
        </>
      )}
    </Stack>
  );
}
