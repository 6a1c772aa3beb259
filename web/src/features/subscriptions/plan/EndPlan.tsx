import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { SubscriptionView } from '#contract/subscriptions/subscriptions.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { useLocale, useText } from '../../../ui/text/text.ts';
import classes from './OwnPlan.module.css';
import { cancel } from '../subscription-commands.ts';
import { useSubscription } from '../subscription-store.ts';

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
