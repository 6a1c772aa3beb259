import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { cardsMax, type EmptyDeck, getCards } from '#contract/discovery/discovery.ts';
import { getUser } from '#contract/profiles/profiles.ts';
import { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import type { DrawnCard } from './card-words.ts';

/** With so many cards left, more are asked for. */
const lowWater = 5;

interface DeckOptions {
  /** Whom the member has decided on here; they are not shown, whatever an answer says that was on its way. */
  hidden: ReadonlySet<string>;
  /** Every decision has its answer, so that what the server tells includes them all. */
  isSettled: boolean;
  onRemainingLikes: (remainingLikes: number | null) => void;
  /** The server deals people who were hidden: they have not been decided on after all. */
  onDealtAgain: (userIds: readonly string[]) => void;
}

interface Asked {
  /** Rises with each asking. */
  round: number;
  isAnew: boolean;
  /** Who has to be on top. */
  first: string | null;
}

interface Dealt {
  cards: readonly DrawnCard[] | undefined;
  empty: EmptyDeck | null;
  error: Error | null;
  /** How many were to be seen when asking failed. */
  failedAt: number;
  /** What the last asking for more brought: something, or nothing, with all decisions answered or not. */
  lastBrought: 'cards' | 'nothing' | 'nothing-yet';
  /** Rises with each answer. */
  answers: number;
  isFetching: boolean;
}

const start: Dealt = {
  cards: undefined,
  empty: null,
  error: null,
  failedAt: 0,
  lastBrought: 'cards',
  answers: 0,
  isFetching: true,
};

const idOf = ({ user }: DrawnCard) => user._id;

/** Those known as they are now, then those that are new. */
function merged(known: readonly DrawnCard[], dealt: readonly DrawnCard[]): DrawnCard[] {
  const fresh = new Map(dealt.map((card) => [idOf(card), card]));
  const knownIds = new Set(known.map(idOf));
  return [...known.map((card) => fresh.get(idOf(card)) ?? card), ...dealt.filter((card) => !knownIds.has(idOf(card)))];
}

/** The card of somebody who is in no deck any more; null where they may not be shown. */
async function cardOf(id: string, signal: AbortSignal): Promise<DrawnCard | null> {
  try {
    const { privacyInfo: _, ...told } = (await call(getUser, { params: { id }, signal })).data;
    return { ...told, commonAnswers: null, reasons: [] };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** With this one on top, fetched by themselves where nobody has dealt them. */
async function withFirst(cards: readonly DrawnCard[], first: string | null, signal: AbortSignal): Promise<DrawnCard[]> {
  const top = first === null ? null : (cards.find((card) => idOf(card) === first) ?? (await cardOf(first, signal)));
  return top === null ? [...cards] : [top, ...cards.filter((card) => idOf(card) !== idOf(top))];
}

/**
 * The member's deck, read ahead: more is asked for before it runs out, and nobody is shown twice. `deal` reads it anew,
 * `bringBack` puts somebody on top, `refresh` asks for the same people again, since their pictures' addresses run out.
 */
export function useDeck({ hidden, isSettled, onRemainingLikes, onDealtAgain }: DeckOptions) {
  const [asked, setAsked] = useState<Asked>({ round: 0, isAnew: true, first: null });
  const [dealt, setDealt] = useState(start);
  const visible = useMemo(() => (dealt.cards ?? []).filter((card) => !hidden.has(idOf(card))), [dealt.cards, hidden]);
  const left = visible.length;

  const ask = useEffectEvent(async ({ isAnew, first }: Asked, signal: AbortSignal): Promise<Partial<Dealt>> => {
    const [hiddenBefore, wasSettled] = [hidden, isSettled];
    const { data } = await call(getCards, { query: { limit: cardsMax }, signal });
    const known = new Set((dealt.cards ?? []).map(idOf));
    const cards = await withFirst(data.cards, first, signal);
    if (signal.aborted) return {};
    onRemainingLikes(data.remainingLikes);
    if (wasSettled) onDealtAgain(cards.map(idOf).filter((id) => hiddenBefore.has(id)));
    const hasNew = isAnew || cards.some((card) => !known.has(idOf(card)));
    return { cards, empty: data.empty, lastBrought: hasNew ? 'cards' : wasSettled ? 'nothing' : 'nothing-yet' };
  });

  const fail = useEffectEvent((error: unknown) => {
    const failure = error instanceof Error ? error : new Error(String(error));
    setDealt((before) => ({ ...before, error: failure, failedAt: left, isFetching: false }));
  });

  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    setDealt((before) =>
      asked.isAnew ? { ...start, answers: before.answers } : { ...before, error: null, isFetching: true },
    );
    ask(asked, signal).then(
      (brought) => {
        if (signal.aborted) return;
        setDealt((before) => ({
          ...before,
          ...brought,
          cards: asked.isAnew ? brought.cards : merged(before.cards ?? [], brought.cards ?? []),
          answers: before.answers + 1,
          isFetching: false,
        }));
      },
      (error: unknown) => {
        if (!signal.aborted) fail(error);
      },
    );
    return () => leaving.abort();
  }, [asked]);

  const isStuck = dealt.error !== null && (left === 0 || left >= dealt.failedAt);
  const mayBringMore =
    dealt.lastBrought === 'cards' || (isSettled && (dealt.lastBrought === 'nothing-yet' || left === 0));
  const wantsMore =
    dealt.cards !== undefined &&
    dealt.empty === null &&
    !dealt.isFetching &&
    left <= lowWater &&
    !isStuck &&
    mayBringMore;
  useEffect(() => {
    if (wantsMore) setAsked(({ round }) => ({ round: round + 1, isAnew: false, first: null }));
  }, [wantsMore]);

  const askAgain = (isAnew: boolean, first: string | null = null) =>
    setAsked(({ round }) => ({ round: round + 1, isAnew, first }));

  function bringBack(id: string) {
    const top = dealt.cards?.find((card) => idOf(card) === id);
    if (top === undefined) return askAgain(true, id);
    setDealt((before) => ({ ...before, cards: [top, ...(before.cards ?? []).filter((card) => card !== top)] }));
  }

  const isOver = left === 0 && dealt.empty !== null && isSettled;
  const hasFailed = left === 0 && dealt.error !== null;
  return {
    query: {
      data: left > 0 || isOver ? { cards: visible, empty: isOver ? dealt.empty : null } : undefined,
      error: hasFailed ? dealt.error : null,
      isFetching: !hasFailed && !isOver && left === 0,
      refetch: () => askAgain(dealt.cards === undefined),
    },
    answers: dealt.answers,
    deal: () => askAgain(true),
    refresh: () => askAgain(false),
    bringBack,
  };
}
