import { Button } from '@mantine/core';
import { IconCheck, IconHeart } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { SubscriptionView } from '#contract/subscriptions/subscriptions.ts';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { useLocale, useText } from '../../../ui/text/text.ts';
import classes from './buying.module.css';
import { useNow } from '../../../ui/data/use-now.ts';
import { isUsable, outlook } from '../plan-words.ts';
import { PlanTitle, SandboxBanner, Step } from './PlanParts.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Bone, QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { ChooseStep } from './ChooseStep.tsx';
import { PayStep } from './PayStep.tsx';
import { useCurrentSubscription } from '../use-known.ts';
import { type Offer, useOffer } from './use-offer.ts';
import { usePurchase } from './use-purchase.ts';

const added = [
  'Likes without a daily limit; without premium there are 30 a day.',
  'See who liked you.',
  'Take back any decision of the last day, not only the last one.',
  'Incognito: only people you liked see you.',
  'Look around in another city, as if you lived there.',
  'Further filters: height, children, smoking, drinking, exercise, languages, and what somebody is looking for.',
];

const promised = [
  'Writing with a match is free for both, always, with premium or without.',
  'Nobody buys their way to the front: premium lifts a place by a quarter at the very most.',
  'Nobody buys a look at what others keep to themselves: hidden times, exact places and private answers stay hidden.',
];

/** What premium adds, and what it never does. */
function Benefits() {
  const t = useText();
  return (
    <div className={classes.benefitParts}>
      <Panel title={t('What premium adds')}>
        <ul className={classes.benefitList}>
          {added.map((text) => (
            <li key={text}>
              <IconCheck size={18} stroke={2} aria-hidden="true" />
              {t(text)}
            </li>
          ))}
        </ul>
      </Panel>
      <Panel title={t('What stays the same for everybody')}>
        <ul className={classes.benefitList}>
          {promised.map((text) => (
            <li key={text}>
              <IconHeart size={18} stroke={1.75} aria-hidden="true" />
              {t(text)}
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  );
}

interface HeldPlanProps {
  subscription: SubscriptionView;
  /** It was bought a moment ago. */
  isNew: boolean;
}

/** The plan somebody has, with the way to everything that can be done about it. */
function HeldPlan({ subscription, isNew }: HeldPlanProps) {
  const t = useText();
  const locale = useLocale();
  const now = useNow(60_000);
  const { text, values } = outlook(subscription, locale);
  const title = isUsable(subscription, now) ? t('You have premium') : t('Your premium is on hold');
  return (
    <Step title={isNew ? t('Welcome to premium') : title} isNew={isNew}>
      {isNew && <p role="status">{t('Thank you. Everything premium adds is yours from now on.')}</p>}
      <PlanTitle subscription={subscription} />
      <p>{t(text, values)}</p>
      <div>
        <Button component={Link} to="/app/settings" variant={isNew ? 'default' : 'filled'}>
          {t('Your plan in Settings')}
        </Button>
      </div>
    </Step>
  );
}

interface PremiumProps {
  /** The server has said that a payment went through. */
  onPremium: () => void;
}

function Shop({ offer, onPremium }: { offer: Offer } & PremiumProps) {
  const t = useText();
  const purchase = usePurchase(onPremium);
  const [wasPaying, setWasPaying] = useState(false);
  const current = useCurrentSubscription();
  const { started } = purchase;
  const { payments, publishableKey, trialDays } = offer;
  if (started !== null && !wasPaying) setWasPaying(true);

  if (payments !== null && started !== null && !purchase.isDone) {
    return <PayStep {...{ provider: payments, publishableKey, started, trialDays, purchase }} />;
  }
  return (
    <QueryStates
      query={current}
      loadingText={t('Loading your plan...')}
      skeleton={<Bone height="36rem" />}
      errorText={(error) => t('Your plan could not be loaded: {error}', { error })}
      refreshing={current.refreshing}
    >
      {(subscription) =>
        subscription !== null ? (
          <>
            <HeldPlan subscription={subscription} isNew={purchase.isDone} />
            <Benefits />
          </>
        ) : (
          <>
            <Benefits />
            {payments === null ? (
              <Notice kind="info">{t('Premium cannot be bought here at the moment.')}</Notice>
            ) : (
              <ChooseStep offer={offer} purchase={purchase} isBack={wasPaying} />
            )}
          </>
        )
      }
    </QueryStates>
  );
}

/** What premium is, and the way to buy it: a plan, its payment, and what one has then. */
export function Premium({ onPremium }: PremiumProps) {
  const t = useText();
  const offer = useOffer();
  return (
    <div className={classes.premiumParts}>
      <QueryStates
        query={offer}
        loadingText={t('Loading the plans...')}
        skeleton={<Bone height="36rem" />}
        errorText={(error) => t('The plans could not be loaded: {error}', { error })}
      >
        {(loaded) => (
          <>
            <SandboxBanner payments={loaded.payments} />
            <Shop offer={loaded} onPremium={onPremium} />
          </>
        )}
      </QueryStates>
    </div>
  );
}
