import { t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Plan } from '#contract/subscriptions/plan.ts';
import type { StartedPayment } from '#contract/subscriptions/subscriptions.ts';
import { completed } from '../../../api/completed.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { formatMoney } from '../../../ui/text/format-payment.ts';
import { formatDate } from '../../../ui/text/format.ts';
import { fill } from '../../../ui/text/i18n.ts';
import {
  type Offer,
  readCurrent,
  readPaymentMethods,
  readSubscription,
  readSubscriptions,
  useConfirmSubscription,
  useCreateSubscription,
  useSubscriptions,
} from '../queries.ts';
import { fallbackTexts, type SubscriptionError } from '../errors.ts';
import { confirmationOf, secretOf, waitFor } from '../payers/payer.ts';
import { planNames, priceTexts } from '../plan-words.ts';
import classes from './buying.module.css';
import { PlanChoice, StartNow, Step, Terms } from './PlanParts.tsx';

interface ChooseStepProps {
  offer: Offer;
  purchase: Purchase;
  /** The step is shown again after the user has left a payment. */
  isBack: boolean;
  /** The content below the plans. The button stays in view next to it. */
  children: ReactNode;
}

/** The plans, and the price of the chosen one. An unfinished payment can be resumed. */
export function ChooseStep({ offer: { plans, trialDays }, purchase, isBack, children }: ChooseStepProps) {
  const [params, setParams] = useSearchParams();
  const [startsNow, setStartsNow] = useState(false);
  const { isPending, error } = purchase.creating;
  const earlier = useSubscriptions();
  const unfinished = earlier.data?.find(({ status, plan }) => status === 'incomplete' && plan !== null);
  const unfinishedPlan = unfinished?.plan ?? null;
  const wanted = params.get('plan') ?? unfinishedPlan ?? 'monthly';
  const chosen = plans.find(({ plan }) => plan === wanted) ?? plans[0];
  // Each member gets one trial. None is offered until it is known that this is the member's first subscription.
  const mayTry = earlier.data?.every(({ trialStart }) => trialStart === null) === true;
  const problem = purchase.failure ?? error?.message ?? null;
  const choose = (plan: Plan) => setParams({ plan }, { replace: true, preventScrollReset: true });

  return (
    <>
      <Step title={t`Choose your plan`} isNew={isBack}>
        {unfinished && unfinishedPlan && (
          <Notice
            kind="info"
            action={
              <Button
                variant="default"
                size="xs"
                onClick={() => {
                  choose(unfinishedPlan);
                  void purchase.start(unfinishedPlan, startsNow);
                }}
              >
                {t`Finish payment`}
              </Button>
            }
          >
            {t`You started to buy the ${{ plan: t(planNames[unfinishedPlan]) }} plan on ${{ date: formatDate(unfinished.createdAt) }} but didn't finish. You weren't charged.`}
          </Notice>
        )}
        <PlanChoice
          legend={t`Plan`}
          hidesLegend
          plans={plans}
          monthly={plans.find(({ plan }) => plan === 'monthly')}
          chosen={chosen?.plan ?? null}
          onChoose={choose}
        />
        {chosen && (
          <>
            <Terms plan={chosen.plan} price={chosen.price} trialDays={mayTry ? trialDays : 0} />
            <StartNow isChosen={startsNow} onChange={setStartsNow} />
          </>
        )}
      </Step>
      {children}
      {chosen && (
        <div className={classes.buy}>
          {problem !== null && <Notice kind="error">{problem}</Notice>}
          <Text fw={600}>
            {t(planNames[chosen.plan])} · {fill(priceTexts[chosen.plan], { price: formatMoney(chosen.price) })}
          </Text>
          <BusyButton
            isBusy={isPending}
            busyText={t`One moment...`}
            onClick={() => void purchase.start(chosen.plan, startsNow)}
          >
            {t`Continue to payment`}
          </BusyButton>
        </div>
      )}
    </>
  );
}

/**
 * The state of a purchase: choosing a plan, paying, and waiting for the server's confirmation. After the provider has
 * taken a payment, only the confirmation is requested again, so that nothing is paid twice.
 */
export function usePurchase(plans: Offer['plans'], onPremium: () => void) {
  const creating = useCreateSubscription();
  const confirming = useConfirmSubscription();
  const [started, setStarted] = useState<StartedPayment | null>(null);
  const [isTaken, setTaken] = useState(false);
  const [isDone, setDone] = useState(false);
  /** The reason why the started payment can't be completed. */
  const [failure, setFailure] = useState<string | null>(null);
  const isStarting = useRef(false);

  function finish() {
    setDone(true);
    onPremium();
    void readPaymentMethods();
  }

  /** Returns to the plans, with a reason unless the user chose to. Choosing the same plan again resumes the payment. */
  function back(reason: string | null = null): void {
    confirming.reset();
    setStarted(null);
    setTaken(false);
    setFailure(reason);
    void readSubscriptions();
  }

  /** The started payment, with the chosen plan and its price if the answer lacks them. */
  function withChoice(answer: StartedPayment, plan: Plan): StartedPayment {
    const price = plans.find((offered) => offered.plan === plan)?.price ?? answer.subscription.price;
    return { ...answer, subscription: completed(answer.subscription, { ...answer.subscription, plan, price }) };
  }

  /** Starts or resumes buying a plan. */
  async function start(plan: Plan, startNow: boolean): Promise<void> {
    if (isStarting.current) return;
    isStarting.current = true;
    setFailure(null);
    try {
      const answer = await creating.mutateAsync({ plan, ...(startNow && { startNow }) });
      if (secretOf(answer) !== null) setStarted(withChoice(answer, plan));
      else if (answer.subscription.status === 'incomplete') setFailure(t(fallbackTexts.create));
      else finish();
    } catch (error) {
      // The plan was paid for in another tab, or just before this tab was closed.
      if ((error as SubscriptionError).code === 'CONFLICT') void readCurrent();
    } finally {
      isStarting.current = false;
    }
  }

  /** Whether the server has confirmed the payment; waits if that takes a moment. Throws if it was refused. */
  async function isConfirmed(paid: StartedPayment): Promise<boolean> {
    const secret = secretOf(paid);
    if (secret === null) return false;
    try {
      await confirming.mutateAsync(confirmationOf(paid.subscriptionId, secret));
      return true;
    } catch (error) {
      const { code } = error as SubscriptionError;
      if (code === 'PAYMENT_DECLINED' || code === 'NOT_FOUND') throw error;
      if (code !== 'PAYMENT_UNFINISHED') return false;
      const settled = await waitFor(
        () => readSubscription(paid.subscriptionId).catch(() => undefined),
        ({ status }) => status !== 'incomplete',
      );
      if (settled?.status === 'incomplete_expired' || settled?.status === 'canceled') throw error;
      return settled !== null && Boolean(await readCurrent());
    }
  }

  /**
   * Requests the confirmation after the provider has taken the payment. Throws a refusal after which another card can
   * be tried.
   */
  async function check(): Promise<void> {
    if (started === null) return;
    try {
      if (await isConfirmed(started)) finish();
      else setTaken(true);
    } catch (refusal) {
      const { code, message } = refusal as SubscriptionError;
      // A refused trial cannot continue with another card and has to be started again.
      if (started.secretKind === 'setup' || code !== 'PAYMENT_DECLINED') {
        back(message);
        return;
      }
      setTaken(false);
      throw refusal;
    }
  }

  return { creating, confirming, started, isTaken, isDone, failure, start, check, back };
}

/** The state and the actions of a purchase. */
export type Purchase = ReturnType<typeof usePurchase>;
