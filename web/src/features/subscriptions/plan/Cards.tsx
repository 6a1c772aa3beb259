import { Button } from '@mantine/core';
import { IconCreditCard } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { PaymentMethodView, SetupIntentView } from '#contract/subscriptions/subscriptions.ts';
import { useRead } from '../../../api/use-read.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Bone, QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { useLocale, useText } from '../../../ui/text/text.ts';
import classes from './plan.module.css';
import { cardName } from '../plan-words.ts';
import { loadPayer, type PaymentSecret, type PaymentsProvider, waitFor } from '../payers/payer.ts';
import { PaymentForm } from '../buying/PaymentForm.tsx';
import { beginCard, dropCardIntent, makeDefault, removeCard } from '../subscription-commands.ts';
import { readCurrent, readInvoices, readPaymentMethods } from '../subscription-reads.ts';
import { useSubscription } from '../subscription-store.ts';
import { formatExpiry } from '../../../ui/text/format-payment.ts';
import { Tag } from '../../../ui/data/Tag.tsx';
import { useCommand } from '../../../api/use-command.ts';
import { PlanPart } from '../buying/PlanParts.tsx';
import { usePaymentMethods } from '../use-known.ts';

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
function AddCard({ provider, publishableKey, onEnd }: AddCardProps) {
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

interface KeptCardProps {
  card: PaymentMethodView;
  onDefault: (name: string) => void;
  onRemove: (name: string) => void;
}

/** A card is good until the end of its month, wherever that ends last. */
const hasExpired = ({ expMonth, expYear }: PaymentMethodView) => Date.UTC(expYear, expMonth, 2) < Date.now();

/** One kept card; removing it is asked about in place. */
function KeptCard({ card, onDefault, onRemove }: KeptCardProps) {
  const t = useText();
  const locale = useLocale();
  const [isAsking, setAsking] = useState(false);
  const words = useRef<HTMLParagraphElement>(null);
  const name = cardName(card, t);

  useEffect(() => {
    if (isAsking) words.current?.focus();
  }, [isAsking]);

  return (
    <li className={classes.card}>
      <IconCreditCard size={24} stroke={1.5} aria-hidden="true" />
      <div className={classes.cardText}>
        <p ref={words} tabIndex={-1} className={classes.cardName}>
          {isAsking ? t('Remove {card}?', { card: name }) : name}{' '}
          {card.isDefault && <Tag tone="positive">{t('Pays')}</Tag>}{' '}
          {hasExpired(card) && <Tag tone="attention">{t('Expired')}</Tag>}
        </p>
        <p className={classes.cardExpiry}>{t('Expires {month}', { month: formatExpiry(card, locale) })}</p>
      </div>
      <div className={classes.cardButtons}>
        {isAsking ? (
          <>
            <Button
              size="xs"
              onClick={() => {
                setAsking(false);
                onRemove(name);
              }}
            >
              {t('Yes, remove it')}
            </Button>
            <Button variant="default" size="xs" onClick={() => setAsking(false)}>
              {t('Keep it')}
            </Button>
          </>
        ) : (
          <>
            {!card.isDefault && (
              <Button
                variant="default"
                size="xs"
                aria-label={t('Make default: {card}', { card: name })}
                onClick={() => onDefault(name)}
              >
                {t('Make default')}
              </Button>
            )}
            <Button
              variant="default"
              size="xs"
              aria-label={t('Remove {card}', { card: name })}
              onClick={() => setAsking(true)}
            >
              {t('Remove')}
            </Button>
          </>
        )}
      </div>
    </li>
  );
}

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
      <div ref={place} tabIndex={-1} className={classes.cardPlace}>
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
              <p className={classes.cardNone}>{t('No card is kept.')}</p>
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
