import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import type { SubscriptionView } from '#contract/subscriptions/subscriptions.ts';
import { formatDate } from '../../../ui/text/format.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { useLocale, useText } from '../../../ui/text/text.ts';
import { ChangePlan } from './ChangePlan.tsx';
import { EndPlan, FailedPayment, ReactivatePlan, WaitingChange } from './PlanActions.tsx';
import classes from './plan.module.css';
import { outlook } from '../plan-words.ts';
import { PlanTitle, SandboxBanner } from '../buying/PlanParts.tsx';
import { resetCommand } from '../subscription-commands.ts';
import { readCurrent } from '../subscription-reads.ts';
import { type Offer, useOffer } from '../buying/use-offer.ts';
import { Bone, QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { InvoiceList } from './InvoiceList.tsx';
import { KeptCards } from './Cards.tsx';
import { useCurrentSubscription } from '../use-known.ts';

interface PlanStandingProps {
  subscription: SubscriptionView;
  offer: Offer;
  onAddCard: () => void;
  onChange: () => void;
}

/** How the member's plan stands, in words, and the next steps: change it, end it, take that back, pay what failed. */
function PlanStanding({ subscription, offer, onAddCard, onChange }: PlanStandingProps) {
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

function NoPlan({ canBuy }: { canBuy: boolean }) {
  const t = useText();
  return (
    <>
      <p className={classes.text}>{t('You have no plan. Heartwood is free, and so is writing with a match.')}</p>
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
        <PlanStanding subscription={subscription} offer={offer} onAddCard={() => setAdding(true)} onChange={onChange} />
      )}
      {payments !== null && (
        <KeptCards
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

/** The member's plan, their cards and invoices, and all that can be done about them; `onChange` hears of what the server changed. */
export function OwnPlan({ onChange }: { onChange: () => void }) {
  const t = useText();
  const offer = useOffer();
  const current = useCurrentSubscription();
  const skeleton = <Bone height="10rem" />;
  return (
    <div className={classes.parts}>
      <QueryStates
        query={offer}
        loadingText={t('Loading your plan...')}
        skeleton={skeleton}
        errorText={(text) => t('Your plan could not be loaded: {error}', { error: text })}
      >
        {(loaded) => (
          <QueryStates
            query={current}
            loadingText={t('Loading your plan...')}
            skeleton={skeleton}
            errorText={(text) => t('Your plan could not be loaded: {error}', { error: text })}
            refreshing={current.refreshing}
          >
            {(subscription) => <Plan offer={loaded} subscription={subscription} onChange={onChange} />}
          </QueryStates>
        )}
      </QueryStates>
    </div>
  );
}
