import type { MatchReason } from '#contract/discovery/match-reasons.ts';
import { composePage, type Slot } from '../serve/page.ts';
import type { Deck } from './shortlist.ts';
import { reasonsFor, type FoundReason } from '../serve/reasons.ts';
import type { Candidate, Surroundings, Viewer } from './rows.ts';
import { scoreOf } from '../score/score.ts';
import { varied } from './variety.ts';

/** One card of a page: the person, their rank, the reasons, and the score feature behind each reason. */
export interface Card {
  candidate: Candidate;
  rank: number;
  slot: Slot;
  reasons: FoundReason[];
}

/** A candidate with R, and what the daily random term and preferences add to it. */
export interface Ranked {
  candidate: Candidate;
  rank: number;
}

/** Each of the candidates with its rank for the viewer. */
export function rankedFor(viewer: Viewer, candidates: readonly Candidate[], around: Surroundings): Ranked[] {
  return candidates.map((candidate) => {
    return { candidate, rank: scoreOf(viewer, candidate, around).rank + (candidate.extra ?? 0) };
  });
}

const flag = (isSet: boolean) => (isSet ? 1 : 0);

/** The candidates as the columns that `composePage` reads. */
function deckOf(ranked: readonly Ranked[]): Deck {
  return {
    count: ranked.length,
    rank: ranked.map(({ rank }) => rank),
    likesViewer: ranked.map(({ candidate }) => flag(candidate.likesViewer)),
    isVip: ranked.map(({ candidate }) => flag(candidate.isVip)),
    impressionsInWeek: ranked.map(({ candidate }) => candidate.impressionsInWeek),
    decisionsReceived: ranked.map(({ candidate }) => candidate.decisionsReceived),
  };
}

const isLabel = ({ kind }: MatchReason) => kind === 'premium';

/**
 * A page for the viewer from ranked, eligible candidates (`isEligible` plus the database's conditions). Neighbouring cards start with
 * different reasons. The same seed gives the same page.
 */
export function dealPage(viewer: Viewer, ranked: readonly Ranked[], around: Surroundings, seed: number): Card[] {
  const cards = composePage(deckOf(ranked), seed).flatMap(({ index, slot }): Card[] => {
    const placed = ranked[index];
    if (placed === undefined) return [];
    return [{ ...placed, slot, reasons: reasonsFor(viewer, placed.candidate, around, slot === 'exploration') }];
  });
  const told = cards.map((card) => ({
    card,
    kinds: card.reasons.flatMap(({ reason }) => (isLabel(reason) ? [] : [reason.kind])),
  }));
  return varied(told).map(({ card, kinds }) => ({
    ...card,
    reasons: [
      ...kinds.flatMap((kind) => card.reasons.filter(({ reason }) => reason.kind === kind)),
      ...card.reasons.filter(({ reason }) => isLabel(reason)),
    ],
  }));
}
