import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { Plan } from '#contract/subscriptions/plan.ts';
import { previewChange, type StartedPayment, type SubscriptionView } from '#contract/subscriptions/subscriptions.ts';
import type { AnswerOf } from '#contract/endpoint.ts';
import { call } from '../../../api/call.ts';
import { useRead } from '../../../api/use-read.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { formatMoney } from '../../../ui/text/format-payment.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Bone, QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { useLocale, useText } from '../../../ui/text/text.ts';
import { ChangePayment } from './ChangePayment.tsx';
import classes from './OwnPlan.module.css';
import { secretOf } from '../buying/payer.ts';
import { PlanChoice } from '../buying/PlanChoice.tsx';
import { planNames } from '../plan-words.ts';
import { resetCommand, update } from '../subscription-commands.ts';
import { answered, fallbackTexts } from '../subscription-errors.ts';
import { readInvoices } from '../subscription-reads.ts';
import { useSubscription } from '../subscription-store.ts';
import type { Offer } from '../buying/use-offer.ts';

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
