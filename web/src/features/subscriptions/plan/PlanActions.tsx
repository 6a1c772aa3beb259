import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Plan } from '#contract/subscriptions/plan.ts';
import type { SubscriptionView } from '#contract/subscriptions/subscriptions.ts';
import { errorMessage } from '../../../api/api-error.ts';
import { useNow } from '../../../ui/data/use-now.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';
import { makeDefault, useCancelSubscription, useReactivateSubscription, useUpdateSubscription } from '../commands.ts';
import { cardName, planNames } from '../plan-words.ts';
import { paymentMethodsQuery, readCurrent, readInvoices } from '../queries.ts';
import classes from './plan.module.css';

interface CancelPlanProps {
  subscription: SubscriptionView;
  onKeep: () => void;
  onDone: () => void;
}

/** The second of the two clicks that cancel premium, which says what happens then. */
export function CancelPlan({ subscription: { status, currentPeriodEnd }, onKeep, onDone }: CancelPlanProps) {
  const command = useCancelSubscription();
  const text = useRef<HTMLParagraphElement>(null);
  const isPaid = status === 'active' || status === 'trialing';
  const date = formatDate(currentPeriodEnd);

  useEffect(() => text.current?.focus(), []);

  return (
    <div className={classes.asking}>
      <p ref={text} tabIndex={-1} className={classes.text}>
        {isPaid && currentPeriodEnd !== null
          ? t('Premium ends on {date}. You keep it until then, and nothing more is charged.', { date })
          : t('Your plan ends now, and nothing more is charged.')}
      </p>
      {command.error && <Notice kind="error">{t(command.error.message)}</Notice>}
      <div className={classes.buttons}>
        <BusyButton
          isBusy={command.isPending}
          busyText={t('Cancelling...')}
          onClick={() => void command.mutateAsync().then(onDone, () => undefined)}
        >
          {t('Yes, cancel premium')}
        </BusyButton>
        <Button variant="default" onClick={onKeep}>
          {t('Keep premium')}
        </Button>
      </div>
    </div>
  );
}

/** Takes a cancellation back before it takes effect. */
export function ReactivatePlan({ onDone }: { onDone: () => void }) {
  const command = useReactivateSubscription();

  return (
    <>
      {command.error && <Notice kind="error">{t(command.error.message)}</Notice>}
      <BusyButton
        isBusy={command.isPending}
        busyText={t('One moment...')}
        onClick={() => void command.mutateAsync().then(onDone, () => undefined)}
      >
        {t('Resume premium')}
      </BusyButton>
    </>
  );
}

interface PendingChangeProps {
  subscription: SubscriptionView;
  pendingPlan: Plan;
  onDone: (words: string) => void;
}

/** A change of plan that takes effect at the end of the period, and the button that takes it back. */
export function PendingChange({ subscription: { plan, currentPeriodEnd }, pendingPlan, onDone }: PendingChangeProps) {
  const command = useUpdateSubscription();
  const stay = t(planNames[plan]);

  const stayWithPlan = () =>
    void command.mutateAsync({ plan }).then(
      () => onDone(t('Your plan stays {plan}.', { plan: stay })),
      () => undefined,
    );

  return (
    <>
      <Notice
        kind="info"
        action={
          <BusyButton
            variant="default"
            size="xs"
            isBusy={command.isPending}
            busyText={t('One moment...')}
            onClick={stayWithPlan}
          >
            {t('Stay with {plan}', { plan: stay })}
          </BusyButton>
        }
      >
        {t('Changes to {plan} on {date}.', {
          plan: t(planNames[pendingPlan]),
          date: formatDate(currentPeriodEnd),
        })}
      </Notice>
      {command.error && <Notice kind="error">{t(command.error.message)}</Notice>}
    </>
  );
}

interface FailedPaymentProps {
  subscription: SubscriptionView;
  onAddCard: () => void;
  onDone: (words: string) => void;
}

/** A renewal that could not be paid: how long premium lasts, and the two ways to pay now. */
export function FailedPayment({ subscription: { currentPeriodEnd }, onAddCard, onDone }: FailedPaymentProps) {
  const now = useNow(60_000);
  const card = useQuery(paymentMethodsQuery).data?.find(({ isDefault }) => isDefault);
  const command = useMutation({
    mutationFn: async (id: string) => {
      await makeDefault(id);
      const [current] = await Promise.all([readCurrent(), readInvoices()]);
      return current;
    },
    onSuccess: (current) => {
      if (current?.status === 'active') onDone(t('Thank you, your payment went through.'));
    },
  });
  const isAhead = Date.parse(currentPeriodEnd ?? '') > now;

  return (
    <>
      <Notice kind="warning">
        {isAhead
          ? t('You keep premium until {date}. Pay before then to keep it without a break.', {
              date: formatDate(currentPeriodEnd),
            })
          : t('Premium is off until you pay.')}
      </Notice>
      {command.error && <Notice kind="error">{t(errorMessage(command.error))}</Notice>}
      {command.isSuccess && (
        <Notice kind="info">{t('Your payment is being processed. Check again in a moment.')}</Notice>
      )}
      <div className={classes.buttons}>
        {card && (
          <BusyButton isBusy={command.isPending} busyText={t('Paying...')} onClick={() => command.mutate(card._id)}>
            {t('Pay now with {card}', { card: cardName(card) })}
          </BusyButton>
        )}
        <Button variant="default" onClick={onAddCard}>
          {t('Pay with another card')}
        </Button>
      </div>
    </>
  );
}
