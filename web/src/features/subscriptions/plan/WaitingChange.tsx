import type { Plan } from '#contract/subscriptions/plan.ts';
import type { SubscriptionView } from '#contract/subscriptions/subscriptions.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { useLocale, useText } from '../../../ui/text/text.ts';
import { planNames } from '../plan-words.ts';
import { update } from '../subscription-commands.ts';
import { useSubscription } from '../subscription-store.ts';

interface WaitingChangeProps {
  subscription: SubscriptionView;
  pendingPlan: Plan;
  onDone: (words: string) => void;
}

/** A change that waits for the period's end, and the way to take it back. */
export function WaitingChange({ subscription: { plan, currentPeriodEnd }, pendingPlan, onDone }: WaitingChangeProps) {
  const t = useText();
  const locale = useLocale();
  const { loading, error } = useSubscription((state) => state.update);
  const stay = t(planNames[plan]);

  async function takeBack() {
    if ((await update({ plan })) !== null) onDone(t('Your plan stays {plan}.', { plan: stay }));
  }

  return (
    <>
      <Notice
        kind="info"
        action={
          <BusyButton
            variant="default"
            size="xs"
            isBusy={loading}
            busyText={t('One moment...')}
            onClick={() => void takeBack()}
          >
            {t('Stay with {plan}', { plan: stay })}
          </BusyButton>
        }
      >
        {t('Changes to {plan} on {date}.', {
          plan: t(planNames[pendingPlan]),
          date: formatDate(currentPeriodEnd, locale),
        })}
      </Notice>
      {error !== null && <Notice kind="error">{t(error.message)}</Notice>}
    </>
  );
}
