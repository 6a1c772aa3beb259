import { Button } from '@mantine/core';
import { useState } from 'react';
import type { SubscriptionView } from '#contract/subscriptions/subscriptions.ts';
import { Link } from '../../../ui/layout/Link.tsx';
import { Bone, QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { useText } from '../../../ui/text/text.ts';
import { InvoiceList } from '../invoices/InvoiceList.tsx';
import { KeptCards } from '../cards/KeptCards.tsx';
import classes from './OwnPlan.module.css';
import { PlanStanding } from './PlanStanding.tsx';
import { SandboxBanner } from '../buying/SandboxBanner.tsx';
import { useCurrentSubscription } from '../use-known.ts';
import { type Offer, useOffer } from '../buying/use-offer.ts';

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
