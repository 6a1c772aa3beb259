import { t } from '@lingui/core/macro';
import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { IconCreditCard } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { PaymentMethodView, SetupIntentView } from '#contract/subscriptions/subscriptions.ts';
import { keys } from '../../../api/keys.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Tag } from '../../../ui/data/Tag.tsx';
import { ErrorNotice, Notice } from '../../../ui/feedback/Notice.tsx';
import { QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { Part } from '../../../ui/layout/Page.tsx';
import { Buttons, Rows } from '../../../ui/layout/Rows.tsx';
import { formatExpiry } from '../../../ui/text/format-payment.ts';
import { PaymentForm } from '../buying/PaymentForm.tsx';
import {
  dropCardIntent,
  makeDefault,
  paymentMethodsQuery,
  readCurrent,
  readInvoices,
  readPaymentMethods,
  refreshingOf,
  removeCard,
  startCard,
} from '../queries.ts';
import { loadPayer } from '../payers/load-payer.ts';
import { type PaymentSecret, type PaymentsProvider, waitFor } from '../payers/payer.ts';
import { cardName } from '../plan-words.ts';

interface AddCardProps {
  provider: PaymentsProvider;
  publishableKey: string | null;
  /** Called with the result as text, or with null if it was canceled. */
  onEnd: (result: string | null) => void;
}

const secretOfCard = ({ setupIntentId, clientSecret }: SetupIntentView): PaymentSecret => ({
  kind: 'setup',
  intentId: setupIntentId,
  clientSecret,
});

/** Saves another card, which becomes the default. If saving was started before a reload, it is resumed. */
function AddCard({ provider, publishableKey, onEnd }: AddCardProps) {
  const [isAgain, setAgain] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const query = useQuery({
    queryKey: keys.setupIntent,
    queryFn: async () => {
      const [payer, intent] = await Promise.all([loadPayer(provider, publishableKey), startCard()]);
      return { payer, secret: secretOfCard(intent) };
    },
    // Reloading the form would discard what was typed.
    staleTime: Infinity,
    gcTime: 0,
  });

  useEffect(() => place.current?.focus(), []);

  /** Waits until the card is the default, which the provider reports a moment later. */
  async function saved() {
    const earlier = new Set(queryClient.getQueryData(paymentMethodsQuery.queryKey)?.map(({ _id }) => _id));
    dropCardIntent();
    const isNew = ({ _id }: PaymentMethodView) => !earlier.has(_id);
    const cards = await waitFor(readPaymentMethods, (all) => all.some((card) => card.isDefault && isNew(card)));
    const card = cards?.find(isNew);
    await Promise.all([readCurrent(), readInvoices()]);
    onEnd(
      card?.isDefault === true
        ? t`${{ card: cardName(card) }} was saved and is now your default card.`
        : t`The card was saved. It appears here in a moment.`,
    );
  }

  function startOver() {
    dropCardIntent();
    setAgain(true);
    return query.refetch();
  }

  return (
    <Stack
      ref={place}
      role="group"
      aria-label={t`Add a card`}
      tabIndex={-1}
      py="1rem"
      px="1.1rem"
      bd="1px solid var(--hw-line)"
      bdrs="md"
      bg="var(--hw-sunken)"
    >
      {isAgain && <Notice kind="warning">{t`That timed out, so we started over. Please try again.`}</Notice>}
      <QueryStates
        query={query}
        loadingText={t`Loading the card form...`}
        skeleton="14rem"
        errorText={(error) => t`Couldn't load the card form: ${error}`}
      >
        {({ payer, secret }) => (
          <PaymentForm
            payer={payer}
            secret={secret}
            cards={[]}
            text={t`Save card`}
            busyText={t`Saving...`}
            terms={
              <p>
                {t`It pays for your plan from now on, and for anything still due. Otherwise you won't be charged today.`}
              </p>
            }
            onPaid={saved}
            onExpired={startOver}
          >
            <Button variant="default" onClick={() => onEnd(null)}>
              {t`Cancel`}
            </Button>
          </PaymentForm>
        )}
      </QueryStates>
    </Stack>
  );
}

interface SavedCardProps {
  card: PaymentMethodView;
  onDefault: (name: string) => void;
  onRemove: (name: string) => void;
}

/** Whether a card's last month has ended in every time zone. */
const hasExpired = ({ expMonth, expYear }: PaymentMethodView) => Date.UTC(expYear, expMonth, 2) < Date.now();

/** One saved card, with a confirmation in place before it is removed. */
function SavedCard({ card, onDefault, onRemove }: SavedCardProps) {
  const [isAsking, setAsking] = useState(false);
  const words = useRef<HTMLParagraphElement>(null);
  const name = cardName(card);

  useEffect(() => {
    if (isAsking) words.current?.focus();
  }, [isAsking]);

  return (
    <Group component="li" gap="0.5rem 0.85rem">
      <IconCreditCard size={24} stroke={1.5} aria-hidden="true" />
      <Box flex="1 1 12rem" miw={0}>
        <Text ref={words} tabIndex={-1} fw={600}>
          {isAsking ? t`Remove ${{ card: name }}?` : name} {card.isDefault && <Tag tone="positive">{t`Default`}</Tag>}{' '}
          {hasExpired(card) && <Tag tone="attention">{t`Expired`}</Tag>}
        </Text>
        {card.expYear && card.expMonth && <Hint>{t`Expires ${{ month: formatExpiry(card) }}`}</Hint>}
      </Box>
      <Buttons gap="0.5rem">
        {isAsking ? (
          <>
            <Button
              size="xs"
              onClick={() => {
                setAsking(false);
                onRemove(name);
              }}
            >
              {t`Yes, remove it`}
            </Button>
            <Button variant="default" size="xs" onClick={() => setAsking(false)}>
              {t`Keep it`}
            </Button>
          </>
        ) : (
          <>
            {!card.isDefault && (
              <Button
                variant="default"
                size="xs"
                aria-label={t`Make default: ${{ card: name }}`}
                onClick={() => onDefault(name)}
              >
                {t`Make default`}
              </Button>
            )}
            <Button
              variant="default"
              size="xs"
              aria-label={t`Remove ${{ card: name }}`}
              onClick={() => setAsking(true)}
            >
              {t`Remove`}
            </Button>
          </>
        )}
      </Buttons>
    </Group>
  );
}

interface CardsProps {
  provider: PaymentsProvider;
  publishableKey: string | null;
  /** Without a plan, this section is only shown if there are cards. */
  hasPlan: boolean;
  isAdding: boolean;
  onAdding: (isAdding: boolean) => void;
  onChange: () => void;
}

/** The saved cards: the member can choose the default one, and remove or add cards. */
export function Cards({ provider, publishableKey, hasPlan, isAdding, onAdding, onChange }: CardsProps) {
  const query = useQuery(paymentMethodsQuery);
  const command = useMutation({
    mutationFn: (change: { send: () => Promise<void>; done: string }) => change.send(),
    onMutate: () => setMessage(null),
    onSuccess: (_, { done }) => setMessage(done),
    onError: () => void readPaymentMethods(),
    onSettled: () => {
      // A new default card is charged for what is due, so the subscription may have changed.
      void readCurrent();
      onChange();
    },
  });
  const place = useRef<HTMLDivElement>(null);
  const [message, setMessage] = useState<string | null>(null);
  if (!hasPlan && (query.data ?? []).length === 0) return null;

  function change(send: () => Promise<void>, done: string) {
    place.current?.focus();
    if (!command.isPending) command.mutate({ send, done });
  }

  function startAdding() {
    setMessage(null);
    command.reset();
    onAdding(true);
  }

  function end(result: string | null) {
    setMessage(result);
    onAdding(false);
    place.current?.focus();
    if (result !== null) onChange();
  }

  return (
    <Part title={t`Cards`}>
      <Stack ref={place} tabIndex={-1}>
        {message !== null && <Notice kind="success">{message}</Notice>}
        <ErrorNotice error={command.error} />
        <QueryStates
          query={query}
          loadingText={t`Loading your cards...`}
          skeleton="4rem"
          errorText={(error) => t`Couldn't load your cards: ${error}`}
          refreshing={refreshingOf(query)}
        >
          {(cards) =>
            cards.length === 0 ? (
              <Hint>{t`No saved cards.`}</Hint>
            ) : (
              <Rows>
                {cards.map((card) => (
                  <SavedCard
                    key={card._id}
                    card={card}
                    onDefault={(name) =>
                      change(() => makeDefault(card._id), t`${{ card: name }} is now your default card.`)
                    }
                    onRemove={(name) => change(() => removeCard(card._id), t`${{ card: name }} was removed.`)}
                  />
                ))}
              </Rows>
            )
          }
        </QueryStates>
        {isAdding ? (
          <AddCard provider={provider} publishableKey={publishableKey} onEnd={end} />
        ) : (
          <div>
            <Button variant="default" onClick={startAdding}>
              {t`Add a card`}
            </Button>
          </div>
        )}
      </Stack>
    </Part>
  );
}
