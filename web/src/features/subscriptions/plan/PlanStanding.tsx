import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import type { SubscriptionView } from '#contract/subscriptions/subscriptions.ts';
import { formatDate } from '../../../ui/text/format.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { useLocale, useText } from '../../../ui/text/text.ts';
import { ChangePlan } from './ChangePlan.tsx';
import { EndPlan } from './EndPlan.tsx';
import { FailedPayment } from './FailedPayment.tsx';
import classes from './OwnPlan.module.css';
import { outlook } from '../plan-words.ts';
import { PlanTitle } from '../buying/PlanTitle.tsx';
import { ReactivatePlan } from './ReactivatePlan.tsx';
import { resetCommand } from '../subscription-commands.ts';
import { readCurrent } from '../subscription-reads.ts';
import type { Offer } from '../buying/use-offer.ts';
import { WaitingChange } from './WaitingChange.tsx';

interface PlanStandingProps {
  subscription: SubscriptionView;
  offer: Offer;
  onAddCard: () => void;
  onChange: () => void;
}

/** How the member's plan stands, in words, and the next steps: change it, end it, take that back, pay what failed. */
export function PlanStanding({ subscription, offer, onAddCard, onChange }: PlanStandingProps) {
  const t = useText();
  const locale = useLocale();
  const [asked, setAsked] = useState<'change' | 'end' | null>(null);
  const [news, setNews] = useState<string | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const { status, cancelAtPeriodEnd, currentPeriodEnd } = subscription;
  const { text, values } = outlook(subscription, locale);
  const goesOn = (status === 'active' || status === 'trialing') && !cancelAtPeriodEnd;
  const isOwed = status === 'past_due' || status === 'unpaid';

  function ask(next: typeof asked) {
    for (const name of ['update', 'cancel', 'reactivate', 'confirm'] as const) resetCommand(name);
    setNews(null);
    setAsked(next);
  }

  function close() {
    setAsked(null);
    place.current?.focus();
  }

  function done(words: string) {
    close();
    setNews(words);
    void readCurrent();
    onChange();
  }

  return (
    <div ref={place} tabIndex={-1} className={classes.place}>
      {news !== null && <Notice kind="success">{news}</Notice>}
      <PlanTitle subscription={subscription} />
      <p className={classes.text}>{t(text, values)}</p>
      {isOwed && <FailedPayment subscription={subscription} onAddCard={onAddCard} onDone={done} />}
      {subscription.pendingPlan !== null && goesOn && asked === null && (
        <WaitingChange subscription={subscription} pendingPlan={subscription.pendingPlan} onDone={done} />
      )}
      {asked === 'change' && <ChangePlan subscription={subscription} offer={offer} onDone={done} onKeep={close} />}
      {asked === 'end' && (
        <EndPlan
          subscription={subscription}
          onKeep={close}
          onDone={() =>
            done(
              goesOn
                ? t('Premium is cancelled. You keep it until {date}.', { date: formatDate(currentPeriodEnd, locale) })
                : t('Premium is cancelled. Nothing more is charged.'),
            )
          }
        />
      )}
      {asked === null && (
        <div className={classes.buttons}>
          {cancelAtPeriodEnd && status !== 'canceled' && (
            <ReactivatePlan onDone={() => done(t('Premium goes on as before.'))} />
          )}
          {goesOn && status === 'active' && offer.payments !== null && (
            <Button variant="default" onClick={() => ask('change')}>
              {t('Change plan')}
            </Button>
          )}
          {(goesOn || isOwed) && !cancelAtPeriodEnd && (
            <Button variant="default" onClick={() => ask('end')}>
              {t('Cancel premium')}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
