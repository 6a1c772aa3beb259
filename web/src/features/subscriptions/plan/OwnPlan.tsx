import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import type { SubscriptionView } from '#contract/subscriptions/subscriptions.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { QueryStates, Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';
import { PlanTitle, SandboxBanner } from '../buying/PlanParts.tsx';
import { outlook } from '../plan-words.ts';
import { currentSubscriptionQuery, type Offer, readCurrent, refreshingOf, useOffer } from '../queries.ts';
import { Cards } from './Cards.tsx';
import { ChangePlan } from './ChangePlan.tsx';
import { InvoiceList } from './InvoiceList.tsx';
import classes from './plan.module.css';
import { CancelPlan, FailedPayment, ReactivatePlan, PendingChange } from './PlanActions.tsx';

interface PlanStatusProps {
  subscription: SubscriptionView;
  offer: Offer;
  onAddCard: () => void;
  onChange: () => void;
}

/** The state of the member's plan, and the next steps: change it, cancel it, take that back, pay what failed. */
function PlanStatus({ subscription, offer, onAddCard, onChange }: PlanStatusProps) {
  const [asked, setAsked] = useState<'change' | 'end' | null>(null);
  const [message, setMessage] = useState<string | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const { status, cancelAtPeriodEnd, currentPeriodEnd } = subscription;
  const { text, values } = outlook(subscription);
  const willRenew = (status === 'active' || status === 'trialing') && !cancelAtPeriodEnd;
  const isOwed = status === 'past_due' || status === 'unpaid';

  function ask(next: typeof asked) {
    setMessage(null);
    setAsked(next);
  }

  function close() {
    setAsked(null);
    place.current?.focus();
  }

  function done(words: string) {
    close();
    setMessage(words);
    void readCurrent();
    onChange();
  }

  return (
    <div ref={place} tabIndex={-1} className={classes.place}>
      {message !== null && <Notice kind="success">{message}</Notice>}
      <PlanTitle subscription={subscription} />
      <p className={classes.text}>{t(text, values)}</p>
      {isOwed && <FailedPayment subscription={subscription} onAddCard={onAddCard} onDone={done} />}
      {subscription.pendingPlan !== null && willRenew && asked === null && (
        <PendingChange subscription={subscription} pendingPlan={subscription.pendingPlan} onDone={done} />
      )}
      {asked === 'change' && <ChangePlan subscription={subscription} offer={offer} onDone={done} onKeep={close} />}
      {asked === 'end' && (
        <CancelPlan
          subscription={subscription}
          onKeep={close}
          onDone={() =>
            done(
              willRenew
                ? t('Premium is cancelled. You keep it until {date}.', { date: formatDate(currentPeriodEnd) })
                : t('Premium is cancelled. Nothing more is charged.'),
            )
          }
        />
      )}
      {asked === null && (
        <div className={classes.buttons}>
          {cancelAtPeriodEnd && status !== 'canceled' && (
            <ReactivatePlan onDone={() => done(t('Premium continues as before.'))} />
          )}
          {willRenew && status === 'active' && offer.payments !== null && (
            <Button variant="default" onClick={() => ask('change')}>
              {t('Change plan')}
            </Button>
          )}
          {(willRenew || isOwed) && !cancelAtPeriodEnd && (
            <Button variant="default" onClick={() => ask('end')}>
              {t('Cancel premium')}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

function NoPlan({ canBuy }: { canBuy: boolean }) {
  return (
    <>
      <p className={classes.text}>{t('You have no plan. Heartwood is free, and so is messaging a match.')}</p>
      {canBuy && (
        <div>
          <Button component={Link} to="/app/premium" variant="default">
            {t('What premium adds')}
          </Button>
        </div>
      )}
    </>
  );
}

interface PlanProps {
  offer: Offer;
  subscription: SubscriptionView | null;
  onChange: () => void;
}

function Plan({ offer, subscription, onChange }: PlanProps) {
  const [isAdding, setAdding] = useState(false);
  const { payments, publishableKey } = offer;
  const hasPlan = subscription !== null;
  return (
    <>
      <SandboxBanner payments={payments} />
      {subscription === null ? (
        <NoPlan canBuy={payments !== null} />
      ) : (
        <PlanStatus subscription={subscription} offer={offer} onAddCard={() => setAdding(true)} onChange={onChange} />
      )}
      {payments !== null && (
        <Cards
          provider={payments}
          publishableKey={publishableKey}
          hasPlan={hasPlan}
          isAdding={isAdding}
          onAdding={setAdding}
          onChange={onChange}
        />
      )}
      <InvoiceList hasPlan={hasPlan} />
    </>
  );
}

/** The member's plan, cards and invoices, and everything that can be done about them. `onChange` is called after each change. */
export function OwnPlan({ onChange }: { onChange: () => void }) {
  const offer = useOffer();
  const current = useQuery(currentSubscriptionQuery);
  const skeleton = <Skeleton height="10rem" />;
  return (
    <div className={classes.parts}>
      <QueryStates
        query={offer}
        loadingText={t('Loading your plan...')}
        skeleton={skeleton}
        errorText={(text) => t("Couldn't load your plan: {error}", { error: text })}
      >
        {(loaded) => (
          <QueryStates
            query={current}
            loadingText={t('Loading your plan...')}
            skeleton={skeleton}
            errorText={(text) => t("Couldn't load your plan: {error}", { error: text })}
            refreshing={refreshingOf(current)}
          >
            {(subscription) => <Plan offer={loaded} subscription={subscription} onChange={onChange} />}
          </QueryStates>
        )}
      </QueryStates>
    </div>
  );
}
