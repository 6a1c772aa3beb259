import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Bone, QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { useText } from '../../../ui/text/text.ts';
import { useState } from 'react';
import { Benefits } from './Benefits.tsx';
import { ChooseStep } from './ChooseStep.tsx';
import { HeldPlan } from '../plan/HeldPlan.tsx';
import { PayStep } from './PayStep.tsx';
import classes from './Premium.module.css';
import { SandboxBanner } from './SandboxBanner.tsx';
import { useCurrentSubscription } from '../use-known.ts';
import { type Offer, useOffer } from './use-offer.ts';
import { usePurchase } from './use-purchase.ts';

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
    <div className={classes.parts}>
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
