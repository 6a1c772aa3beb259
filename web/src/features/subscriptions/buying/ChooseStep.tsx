import { Button } from '@mantine/core';
import { useSearchParams } from 'react-router';
import type { Plan } from '#contract/subscriptions/plan.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { useLocale, useText } from '../../../ui/text/text.ts';
import { PlanChoice, Step, Terms } from './PlanParts.tsx';
import { planNames } from '../plan-words.ts';
import { useSubscription } from '../subscription-store.ts';
import type { Offer } from './use-offer.ts';
import { useAllSubscriptions } from '../use-known.ts';
import type { Purchase } from './use-purchase.ts';

interface ChooseStepProps {
  offer: Offer;
  purchase: Purchase;
  /** It is here again, after a payment was left. */
  isBack: boolean;
}

/** The plans, and what the chosen one costs; a payment that was left unfinished can be gone on with. */
export function ChooseStep({ offer: { plans, trialDays }, purchase, isBack }: ChooseStepProps) {
  const t = useText();
  const locale = useLocale();
  const [params, setParams] = useSearchParams();
  const { loading, error } = useSubscription((state) => state.create);
  const earlier = useAllSubscriptions();
  const unfinished = earlier.data?.find(({ status }) => status === 'incomplete');
  const wanted = params.get('plan') ?? unfinished?.plan ?? 'monthly';
  const chosen = plans.find(({ plan }) => plan === wanted) ?? plans[0];
  // Once in a life; until it is known whether this is the first time, nothing is promised.
  const mayTry = earlier.data?.every(({ trialStart }) => trialStart === null) === true;
  const problem = purchase.gone ?? error?.message ?? null;
  const choose = (plan: Plan) => setParams({ plan }, { replace: true });

  return (
    <Step title={t('Choose your plan')} isNew={isBack}>
      {unfinished && (
        <Notice
          kind="info"
          action={
            <Button
              variant="default"
              size="xs"
              onClick={() => {
                choose(unfinished.plan);
                void purchase.begin(unfinished.plan);
              }}
            >
              {t('Finish the payment')}
            </Button>
          }
        >
          {t('You began with {plan} on {date} and did not finish. Nothing was charged.', {
            plan: t(planNames[unfinished.plan]),
            date: formatDate(unfinished.createdAt, locale),
          })}
        </Notice>
      )}
      <PlanChoice
        legend={t('Plan')}
        plans={plans}
        monthly={plans.find(({ plan }) => plan === 'monthly')}
        chosen={chosen?.plan ?? null}
        onChoose={choose}
      />
      {problem !== null && <Notice kind="error">{t(problem)}</Notice>}
      {chosen && (
        <>
          <Terms plan={chosen.plan} price={chosen.price} trialDays={mayTry ? trialDays : 0} />
          <div>
            <BusyButton isBusy={loading} busyText={t('One moment...')} onClick={() => void purchase.begin(chosen.plan)}>
              {t('Go on to payment')}
            </BusyButton>
          </div>
        </>
      )}
    </Step>
  );
}
