import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { useCommand } from '../../../api/use-command.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Bone, QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { PlanPart } from '../plan/PlanPart.tsx';
import { useText } from '../../../ui/text/text.ts';
import { AddCard } from './AddCard.tsx';
import { KeptCard } from './KeptCard.tsx';
import classes from './KeptCards.module.css';
import type { PaymentsProvider } from '../buying/payer.ts';
import { makeDefault, removeCard } from '../subscription-commands.ts';
import { readCurrent, readPaymentMethods } from '../subscription-reads.ts';
import { usePaymentMethods } from '../use-known.ts';

interface KeptCardsProps {
  provider: PaymentsProvider;
  publishableKey: string | null;
  /** Without a plan only cards that are there are shown. */
  hasPlan: boolean;
  isAdding: boolean;
  onAdding: (isAdding: boolean) => void;
  onChange: () => void;
}

/** The cards that can pay: which one does, which go, and the way to another one. */
export function KeptCards({ provider, publishableKey, hasPlan, isAdding, onAdding, onChange }: KeptCardsProps) {
  const t = useText();
  const query = usePaymentMethods();
  const command = useCommand();
  const place = useRef<HTMLDivElement>(null);
  const [news, setNews] = useState<string | null>(null);
  if (!hasPlan && (query.data ?? []).length === 0) return null;

  async function run(task: () => Promise<void>, words: string) {
    setNews(null);
    place.current?.focus();
    if (await command.run(task)) setNews(words);
    else void readPaymentMethods();
    // A card that is made the default is asked for what is owed.
    void readCurrent();
    onChange();
  }

  function begin() {
    setNews(null);
    command.reset();
    onAdding(true);
  }

  function end(words: string | null) {
    setNews(words);
    onAdding(false);
    place.current?.focus();
    if (words !== null) onChange();
  }

  return (
    <PlanPart title={t('Cards')}>
      <div ref={place} tabIndex={-1} className={classes.place}>
        {news !== null && <Notice kind="success">{news}</Notice>}
        {command.error !== null && <Notice kind="error">{t(command.error)}</Notice>}
        <QueryStates
          query={query}
          loadingText={t('Loading your cards...')}
          skeleton={<Bone height="4rem" />}
          errorText={(error) => t('Your cards could not be loaded: {error}', { error })}
          refreshing={query.refreshing}
        >
          {(cards) =>
            cards.length === 0 ? (
              <p className={classes.none}>{t('No card is kept.')}</p>
            ) : (
              <ul className={classes.cards}>
                {cards.map((card) => (
                  <KeptCard
                    key={card._id}
                    card={card}
                    onDefault={(name) =>
                      void run(() => makeDefault(card._id), t('{card} pays from now on.', { card: name }))
                    }
                    onRemove={(name) => void run(() => removeCard(card._id), t('{card} is removed.', { card: name }))}
                  />
                ))}
              </ul>
            )
          }
        </QueryStates>
        {isAdding ? (
          <AddCard provider={provider} publishableKey={publishableKey} onEnd={end} />
        ) : (
          <div>
            <Button variant="default" onClick={begin}>
              {t('Add a card')}
            </Button>
          </div>
        )}
      </div>
    </PlanPart>
  );
}
