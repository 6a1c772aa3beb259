import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { SetupIntentView } from '#contract/subscriptions/subscriptions.ts';
import { useRead } from '../../../api/use-read.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Bone, QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { useText } from '../../../ui/text/text.ts';
import classes from '../plan/OwnPlan.module.css';
import { cardName } from './card-name.ts';
import { loadPayer, type PaymentSecret, type PaymentsProvider } from '../buying/payer.ts';
import { PaymentForm } from '../buying/PaymentForm.tsx';
import { beginCard, dropCardIntent } from '../subscription-commands.ts';
import { readCurrent, readInvoices, readPaymentMethods } from '../subscription-reads.ts';
import { useSubscription } from '../subscription-store.ts';
import { waitFor } from '../buying/wait-for.ts';

interface AddCardProps {
  provider: PaymentsProvider;
  publishableKey: string | null;
  /** With what came of it in words, or null when it was given up. */
  onEnd: (words: string | null) => void;
}

const secretOfCard = ({ setupIntentId, clientSecret }: SetupIntentView): PaymentSecret => ({
  kind: 'setup',
  intentId: setupIntentId,
  clientSecret,
});

/** Keeps another card, which then pays; what was begun before a reload is gone on with. */
export function AddCard({ provider, publishableKey, onEnd }: AddCardProps) {
  const t = useText();
  const [isAgain, setAgain] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const query = useRead('card', async () => {
    const [payer, intent] = await Promise.all([loadPayer(provider, publishableKey), beginCard()]);
    return { payer, secret: secretOfCard(intent) };
  });

  useEffect(() => place.current?.focus(), []);

  /** That it is the default is the provider's word to the server, which comes by itself. */
  async function kept() {
    const earlier = new Set(useSubscription.getState().paymentMethods.map(({ _id }) => _id));
    dropCardIntent();
    await waitFor(readPaymentMethods, (cards) => cards.some(({ _id, isDefault }) => isDefault && !earlier.has(_id)));
    const card = useSubscription.getState().paymentMethods.find(({ _id }) => !earlier.has(_id));
    await Promise.all([readCurrent(), readInvoices()]);
    onEnd(
      card?.isDefault === true
        ? t('{card} is kept and pays from now on.', { card: cardName(card, t) })
        : t('The card is kept. It appears here in a moment.'),
    );
  }

  function beginAnew() {
    dropCardIntent();
    setAgain(true);
    query.refetch();
  }

  return (
    <div ref={place} role="group" aria-label={t('Add a card')} tabIndex={-1} className={classes.asking}>
      {isAgain && <Notice kind="warning">{t('That took too long, and was begun anew. Please try once more.')}</Notice>}
      <QueryStates
        query={query}
        loadingText={t('Loading the card form...')}
        skeleton={<Bone height="14rem" />}
        errorText={(error) => t('The card form could not be loaded: {error}', { error })}
      >
        {({ payer, secret }) => (
          <PaymentForm
            payer={payer}
            secret={secret}
            cards={[]}
            text={t('Keep this card')}
            busyText={t('Keeping the card...')}
            terms={
              <p className={classes.text}>
                {t('It pays your plan from now on, and what may still be owed. Otherwise nothing is charged today.')}
              </p>
            }
            onPaid={kept}
            onGone={beginAnew}
          >
            <Button variant="default" onClick={() => onEnd(null)}>
              {t('Cancel')}
            </Button>
          </PaymentForm>
        )}
      </QueryStates>
    </div>
  );
}
