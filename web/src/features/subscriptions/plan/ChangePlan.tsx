import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { AnswerOf } from '#contract/endpoint.ts';
import type { Plan } from '#contract/subscriptions/plan.ts';
import { previewChange, type StartedPayment, type SubscriptionView } from '#contract/subscriptions/subscriptions.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Bone, QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { useLocale, useText } from '../../../ui/text/text.ts';
import classes from './plan.module.css';
import { confirmationOf, type PaymentSecret, type PaymentsProvider, secretOf, usePayer } from '../payers/payer.ts';
import { PaymentForm } from '../buying/PaymentForm.tsx';
import { confirm, resetCommand, update } from '../subscription-commands.ts';
import { readCurrent, readInvoices } from '../subscription-reads.ts';
import { useSubscription } from '../subscription-store.ts';
import type { Offer } from '../buying/use-offer.ts';
import { call } from '../../../api/call.ts';
import { useRead } from '../../../api/use-read.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { formatMoney } from '../../../ui/text/format-payment.ts';
import { PlanChoice } from '../buying/PlanParts.tsx';
import { planNames } from '../plan-words.ts';
import { answered, fallbackTexts } from '../errors.ts';

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
function ChangePayment({ offer: { payments, publishableKey }, ...props }: ChangePaymentProps) {
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

type Preview = AnswerOf<typeof previewChange>['data'];

interface ChangePlanProps {
  subscription: SubscriptionView;
  offer: Offer;
  onDone: (words: string) => void;
  onKeep: () => void;
}

interface ConfirmProps extends Pick<ChangePlanProps, 'onKeep'> {
  plan: Plan;
  onChange: (preview: Preview) => void;
}

/** What a change costs now and from when it holds, before anything is asked of the server. */
function Confirm({ plan, onChange, onKeep }: ConfirmProps) {
  const t = useText();
  const locale = useLocale();
  const { loading, error } = useSubscription((state) => state.update);
  const query = useRead(plan, (signal) =>
    answered(async () => (await call(previewChange, { query: { plan }, signal })).data, fallbackTexts.preview),
  );
  const name = t(planNames[plan]);
  return (
    <QueryStates
      query={query}
      loadingText={t('Asking what it costs...')}
      skeleton={<Bone height="6rem" />}
      errorText={(text) => text}
    >
      {(preview) => {
        const amount = formatMoney(preview.amountDueNow, locale);
        const date = formatDate(preview.effectiveAt, locale);
        return (
          <>
            <p className={classes.text} role="status">
              {preview.isImmediate
                ? t('{plan} begins at once. You pay {amount} now: what is left of your plan is taken off.', {
                    plan: name,
                    amount,
                  })
                : t('{plan} begins on {date}, when what you paid for ends. Nothing is charged now.', {
                    plan: name,
                    date,
                  })}
            </p>
            {error !== null && <Notice kind="error">{t(error.message)}</Notice>}
            {error?.code === 'PAYMENT_DECLINED' && (
              <p className={classes.text}>
                {t('Your plan is as it was. With another card, added below, you can try again.')}
              </p>
            )}
            <div className={classes.buttons}>
              <BusyButton isBusy={loading} busyText={t('Changing...')} onClick={() => onChange(preview)}>
                {preview.isImmediate ? t('Pay {amount} and change', { amount }) : t('Change on {date}', { date })}
              </BusyButton>
              <Button variant="default" onClick={onKeep}>
                {t('Keep my plan')}
              </Button>
            </div>
          </>
        );
      }}
    </QueryStates>
  );
}

/** Another plan: chosen, its price told, then changed; what the bank asks in between is answered here. */
export function ChangePlan({ subscription, offer, onDone, onKeep }: ChangePlanProps) {
  const t = useText();
  const locale = useLocale();
  const [chosen, setChosen] = useState<Plan | null>(null);
  const [started, setStarted] = useState<StartedPayment | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const others = offer.plans.filter(({ plan }) => plan !== subscription.plan && plan !== subscription.pendingPlan);

  useEffect(() => {
    if (started === null) place.current?.querySelector<HTMLElement>('input[type="radio"]')?.focus();
    else place.current?.focus();
  }, [started]);

  function changed(plan: Plan, { isImmediate, effectiveAt }: Pick<Preview, 'isImmediate' | 'effectiveAt'>) {
    void readInvoices();
    const name = t(planNames[plan]);
    onDone(
      isImmediate
        ? t('Your plan is {plan} now.', { plan: name })
        : t('Your plan changes to {plan} on {date}.', { plan: name, date: formatDate(effectiveAt, locale) }),
    );
  }

  async function change(plan: Plan, preview: Preview) {
    const answer = await update({ plan });
    if (answer === null) return;
    if (secretOf(answer) === null) changed(plan, preview);
    else setStarted(answer);
  }

  function choose(plan: Plan) {
    resetCommand('update');
    setChosen(plan);
  }

  return (
    <div ref={place} tabIndex={-1} className={classes.asking}>
      {started !== null && chosen !== null ? (
        <ChangePayment
          offer={offer}
          started={started}
          onDone={() => changed(chosen, { isImmediate: true, effectiveAt: '' })}
          onKeep={onKeep}
        />
      ) : (
        <>
          <PlanChoice
            legend={t('Change to')}
            plans={others}
            monthly={offer.plans.find(({ plan }) => plan === 'monthly')}
            chosen={chosen}
            onChoose={choose}
          />
          {chosen === null ? (
            <div>
              <Button variant="default" onClick={onKeep}>
                {t('Keep my plan')}
              </Button>
            </div>
          ) : (
            <Confirm plan={chosen} onChange={(preview) => void change(chosen, preview)} onKeep={onKeep} />
          )}
        </>
      )}
    </div>
  );
}
