import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { cardsMax, type EmptyDeck, getCards, type CardView } from '#contract/discovery.ts';
import { getUser } from '#contract/profiles/profiles.ts';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { keys } from '../../api/keys.ts';
import { live, queryClient } from '../../api/query-client.ts';
import { readDecisions, useDecidedIds, useDecisions, useNotices } from '../../features/connections/decisions.ts';

/** With this many cards left, more are loaded. */
const lowWater = 5;

interface DealtDeck {
  cards: readonly CardView[];
  empty: EmptyDeck | null;
  /** Whether there are no cards because the member's own profile is paused. */
  isPaused: boolean;
  /** The result of the last load: whether it added cards and, if not, whether the server had answered all decisions. */
  added: 'cards' | 'nothing' | 'nothing-yet';
}

const idOf = ({ user }: CardView) => user._id;
/** Whether the server has answered all decisions, so that its next response takes them into account. */
const isSettled = () => queryClient.isMutating({ mutationKey: keys.decisions }) === 0;
const readDeck = () => queryClient.getQueryData<DealtDeck>(keys.deck);

/** The known cards in their order with their latest data, followed by the new ones. */
function merged(known: readonly CardView[], dealt: readonly CardView[]): CardView[] {
  const fresh = new Map(dealt.map((card) => [idOf(card), card]));
  const knownIds = new Set(known.map(idOf));
  return [...known.map((card) => fresh.get(idOf(card)) ?? card), ...dealt.filter((card) => !knownIds.has(idOf(card)))];
}

async function loadDeck({ signal }: { signal: AbortSignal }): Promise<DealtDeck> {
  const wasSettled = isSettled();
  const decisions = readDecisions();
  const before = readDeck();
  const { data } = await call(getCards, { query: { limit: cardsMax, pictures: 'once' }, signal });
  useNotices.setState({ remainingLikes: data.remainingLikes });
  // The server knew all decisions, so if it returns someone again, the decision was undone in another tab.
  const dealtIds = new Set(data.cards.map(idOf));
  for (const { user, mutation } of wasSettled ? decisions : []) {
    if (dealtIds.has(user._id)) queryClient.getMutationCache().remove(mutation);
  }
  const knownIds = new Set(before?.cards.map(idOf));
  const hasNew = before === undefined || data.cards.some((card) => !knownIds.has(idOf(card)));
  return {
    cards: data.isPaused ? [] : merged(readDeck()?.cards ?? [], data.cards),
    empty: data.empty,
    isPaused: data.isPaused,
    added: hasNew ? 'cards' : wasSettled ? 'nothing' : 'nothing-yet',
  };
}

/** The card of a person who is not in the deck; null if they cannot be shown. */
async function loadCard(id: string): Promise<CardView | null> {
  try {
    const { privacyInfo: _, ...shown } = (await call(getUser, { params: { id } })).data;
    return { ...shown, reasons: [] };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** Whether there is anyone to decide on. True while the deck loads, so that the buttons don't appear late. */
export function useHasPeople(): boolean {
  const { data } = useQuery({ ...live, queryKey: keys.deck, queryFn: loadDeck, gcTime: 0, enabled: false });
  return useDecisions(
    (decisions) =>
      data === undefined ||
      data.empty === null ||
      data.cards.some((card) => !decisions.some(({ user }) => user._id === idOf(card))),
  );
}

/** Reloads the deck from the start. */
export function dealAgain(): void {
  void queryClient.resetQueries({ queryKey: keys.deck });
}

/** Removes a person from the deck that the member no longer sees. */
export function dropCard(id: string): void {
  queryClient.setQueryData<DealtDeck>(
    keys.deck,
    (deck) => deck && { ...deck, cards: deck.cards.filter((card) => idOf(card) !== id) },
  );
}

/**
 * The member's deck without the people they have decided on. More is loaded before it runs out, and no one is shown twice.
 * `bringBack` puts a person on top, `refresh` loads the same people with fresh picture addresses.
 */
export function useDeck() {
  // Removed when the user leaves the page, so that the next visit starts with a fresh deck.
  const query = useQuery({ ...live, queryKey: keys.deck, queryFn: loadDeck, gcTime: 0 });
  const { data, error, isFetching, refetch } = query;
  const decidedIds = useDecidedIds();
  const cards = useMemo(
    () => (data?.cards ?? []).filter((card) => !decidedIds.has(idOf(card))),
    [data?.cards, decidedIds],
  );
  const left = cards.length;
  // Answers render the deck again only when it runs low.
  const areAllAnswered = useDecisions(() => left <= lowWater && isSettled());

  // After a failure, the next decision tries again.
  const [failure, setFailure] = useState({ at: 0, left: 0 });
  if (failure.at !== query.errorUpdatedAt) setFailure({ at: query.errorUpdatedAt, left });
  const isStuck = error !== null && (left === 0 || left >= failure.left);

  const mayAdd = data?.added === 'cards' || (areAllAnswered && (data?.added === 'nothing-yet' || left === 0));
  const wantsMore = data?.empty === null && !isFetching && left <= lowWater && !isStuck && mayAdd;
  useEffect(() => {
    if (wantsMore) void refetch();
  }, [wantsMore, refetch]);

  async function bringBack(id: string): Promise<void> {
    const find = () => readDeck()?.cards.find((card) => idOf(card) === id);
    if (find() === undefined) await refetch();
    const top = find() ?? (await loadCard(id));
    if (top === null) return;
    queryClient.setQueryData<DealtDeck>(
      keys.deck,
      (deck) => deck && { ...deck, cards: [top, ...deck.cards.filter((card) => idOf(card) !== id)] },
    );
  }

  const isOver = left === 0 && Boolean(data?.empty) && areAllAnswered;
  const hasFailed = left === 0 && error !== null && !isFetching;
  return {
    query: {
      data:
        left > 0 || isOver
          ? { cards, empty: isOver ? (data?.empty ?? null) : null, isPaused: isOver && data?.isPaused === true }
          : undefined,
      error: hasFailed ? error : null,
      isFetching: !hasFailed && !isOver && left === 0,
      refetch,
    },
    loadedAt: query.dataUpdatedAt,
    refresh: () => void refetch(),
    bringBack,
  };
}
