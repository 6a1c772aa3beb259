import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { Plan } from '#contract/subscriptions/plan.ts';
import type { SubscriptionView } from '#contract/subscriptions/subscriptions.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { useLocale, useText } from '../../../ui/text/text.ts';
import classes from './plan.module.css';
import { cancel, makeDefault, reactivate, update } from '../subscription-commands.ts';
import { useSubscription } from '../subscription-store.ts';
import { cardName, planNames } from '../plan-words.ts';
import { useCommand } from '../../../api/use-command.ts';
import { useNow } from '../../../ui/data/use-now.ts';
import { readCurrent, readInvoices } from '../subscription-reads.ts';

interface EndPlanProps {
  subscription: SubscriptionView;
  onKeep: () => void;
  onDone: () => void;
}

/** The second of the two clicks that end premium: what happens then, in place. */
export function EndPlan({ subscription: { status, currentPeriodEnd }, onKeep, onDone }: EndPlanProps) {
  const t = useText();
  const locale = useLocale();
  const { loading, error } = useSubscription((state) => state.cancel);
  const words = useRef<HTMLParagraphElement>(null);
  const isPaid = status === 'active' || status === 'trialing';
  const date = formatDate(currentPeriodEnd, locale);

  useEffect(() => words.current?.focus(), []);

  async function end() {
    if ((await cancel()) !== null) onDone();
  }

  return (
    <div className={classes.asking}>
      <p ref={words} tabIndex={-1} className={classes.text}>
        {isPaid && currentPeriodEnd !== null
          ? t('Premium ends on {date}. You keep it until then, and nothing more is charged.', { date })
          : t('Your plan ends at once, and nothing more is charged.')}
      </p>
      {error !== null && <Notice kind="error">{t(error.message)}</Notice>}
      <div className={classes.buttons}>
        <BusyButton isBusy={loading} busyText={t('Cancelling...')} onClick={() => void end()}>
          {t('Yes, cancel premium')}
        </BusyButton>
        <Button variant="default" onClick={onKeep}>
          {t('Keep premium')}
        </Button>
      </div>
    </div>
  );
}

/** Takes a cancellation back before it comes about. */
export function ReactivatePlan({ onDone }: { onDone: () => void }) {
  const t = useText();
  const { loading, error } = useSubscription((state) => state.reactivate);

  async function takeBack() {
    if ((await reactivate()) !== null) onDone();
  }

  return (
    <>
      {error !== null && <Notice kind="error">{t(error.message)}</Notice>}
      <BusyButton isBusy={loading} busyText={t('One moment...')} onClick={() => void takeBack()}>
        {t('Keep premium after all')}
      </BusyButton>
    </>
  );
}

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

interface FailedPaymentProps {
  subscription: SubscriptionView;
  onAddCard: () => void;
  onDone: (words: string) => void;
}

/** A renewal that could not be paid: until when premium lasts, and the two ways to pay it now. */
export function FailedPayment({ subscription: { currentPeriodEnd }, onAddCard, onDone }: FailedPaymentProps) {
  const t = useText();
  const locale = useLocale();
  const now = useNow(60_000);
  const command = useCommand();
  const card = useSubscription((state) => state.paymentMethods.find(({ isDefault }) => isDefault));
  const isAhead = Date.parse(currentPeriodEnd ?? '') > now;

  async function payNow(id: string) {
    const isDone = await command.run(async () => {
      await makeDefault(id);
      await Promise.all([readCurrent(), readInvoices()]);
    });
    const { status } = useSubscription.getState().currentSubscription ?? {};
    if (isDone && status === 'active') onDone(t('Thank you, it is paid.'));
  }

  return (
    <>
      <Notice kind="warning">
        {isAhead
          ? t('You keep premium until {date}. Pay before, and nothing is interrupted.', {
              date: formatDate(currentPeriodEnd, locale),
            })
          : t('Premium is off until it is paid.')}
      </Notice>
      {command.error !== null && <Notice kind="error">{t(command.error)}</Notice>}
      {command.isDone && <Notice kind="info">{t('It is on its way. Look again in a moment.')}</Notice>}
      <div className={classes.buttons}>
        {card && (
          <BusyButton isBusy={command.isPending} busyText={t('Paying...')} onClick={() => void payNow(card._id)}>
            {t('Pay now with {card}', { card: cardName(card, t) })}
          </BusyButton>
        )}
        <Button variant="default" onClick={onAddCard}>
          {t('Pay with another card')}
        </Button>
      </div>
    </>
  );
}
