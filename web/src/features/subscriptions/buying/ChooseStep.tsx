import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { Plan } from '#contract/subscriptions/plan.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';
import { planNames } from '../plan-words.ts';
import { type Offer, subscriptionsQuery } from '../queries.ts';
import { PlanChoice, Step, Terms } from './PlanParts.tsx';
import type { Purchase } from './use-purchase.ts';

interface ChooseStepProps {
  offer: Offer;
  purchase: Purchase;
  /** It is shown again, after a payment was left. */
  isBack: boolean;
}

/** The plans, and what the chosen one costs. A payment that was left unfinished can be resumed. */
export function ChooseStep({ offer: { plans, trialDays }, purchase, isBack }: ChooseStepProps) {
  const [params, setParams] = useSearchParams();
  const { isPending, error } = purchase.creating;
  const earlier = useQuery(subscriptionsQuery);
  const unfinished = earlier.data?.find(({ status }) => status === 'incomplete');
  const wanted = params.get('plan') ?? unfinished?.plan ?? 'monthly';
  const chosen = plans.find(({ plan }) => plan === wanted) ?? plans[0];
  // A trial is offered once; until it is known whether this is the first time, none is promised.
  const mayTry = earlier.data?.every(({ trialStart }) => trialStart === null) === true;
  const problem = purchase.failure ?? error?.message ?? null;
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
                void purchase.start(unfinished.plan);
              }}
            >
              {t('Finish payment')}
            </Button>
          }
        >
          {t('You started buying {plan} on {date} and did not finish. Nothing was charged.', {
            plan: t(planNames[unfinished.plan]),
            date: formatDate(unfinished.createdAt),
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
            <BusyButton
              isBusy={isPending}
              busyText={t('One moment...')}
              onClick={() => void purchase.start(chosen.plan)}
            >
              {t('Continue to payment')}
            </BusyButton>
          </div>
        </>
      )}
    </Step>
  );
}
