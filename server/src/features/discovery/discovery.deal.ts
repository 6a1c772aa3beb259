import type { MatchReason } from '#contract/match-reasons.ts';
import { composePage, type Deck, type Slot } from './discovery.page.ts';
import { reasonsFor, type FoundReason } from './discovery.reasons.ts';
import type { Candidate, Surroundings, Viewer } from './discovery.rows.ts';
import { scoreOf } from './discovery.score.ts';
import { varied } from './discovery.variety.ts';

/** One card of a page: whom it shows, where R put them, why, and what of the score each reason came from. */
export interface Card {
  candidate: Candidate;
  rank: number;
  slot: Slot;
  reasons: FoundReason[];
}

const flag = (isSet: boolean) => (isSet ? 1 : 0);

/** The candidates with their ranks as the columns that `composePage` reads. */
export function deckOf(candidates: readonly Candidate[], ranks: readonly number[]): Deck {
  return {
    count: candidates.length,
    rank: ranks,
    likesViewer: candidates.map(({ likesViewer }) => flag(likesViewer)),
    isVip: candidates.map(({ isVip }) => flag(isVip)),
    impressionsInWeek: candidates.map(({ impressionsInWeek }) => impressionsInWeek),
    decisionsReceived: candidates.map(({ decisionsReceived }) => decisionsReceived),
  };
}

const isLabel = ({ kind }: MatchReason) => kind === 'premium';

/**
 * A page for the viewer out of candidates that are all eligible (`isEligible`, and what the database knows): scored, composed,
 * with reasons such that neighbours do not begin alike. The same seed deals the same page (matching.md, section 2).
 */
export function dealPage(viewer: Viewer, candidates: readonly Candidate[], around: Surroundings, seed: number): Card[] {
  const ranks = candidates.map((candidate) => scoreOf(viewer, candidate, around).rank + (candidate.extra ?? 0));
  const cards = composePage(deckOf(candidates, ranks), seed).flatMap(({ index, slot }): Card[] => {
    const candidate = candidates[index];
    if (candidate === undefined) return [];
    const reasons = reasonsFor(viewer, candidate, around, slot === 'exploration');
    return [{ candidate, rank: ranks[index] ?? 0, slot, reasons }];
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
