import { boostOf, certainty, likeLogOdds, rankOf, segmentOf, sigmoid, unknownBase } from './discovery.chance.ts';
import { contentOf, contentTerms, type ContentTerms, type Feature } from './discovery.content.ts';
import { capacity, capacityFloor, inboxPenalty } from './discovery.inbox.ts';
import type { Candidate, Surroundings, Viewer } from './discovery.rows.ts';

const atTheMean = { appeal: 0, selectivity: 0 };

/** What can be taken out of a score to see what it was worth. */
export type Taken = Feature | 'activity' | 'premium';

/** A card's place, and what it came from. */
export interface Score {
  /** R: higher comes first. */
  rank: number;
  /** p(viewer→candidate), 0…1. */
  chanceThere: number;
  /** p(candidate→viewer), 0…1; 1 where they like the viewer already. */
  chanceBack: number;
  termsThere: ContentTerms;
  termsBack: ContentTerms;
}

/**
 * R and its parts for one viewer and one candidate (matching.md, section 2), without one part if so asked: a feature of what they
 * state, how active the candidate is, or premium.
 */
export function scoreOf(viewer: Viewer, candidate: Candidate, around: Surroundings, without?: Taken): Score {
  const terms = contentTerms(viewer, candidate, around.interestShares);
  const feature = without === 'activity' || without === 'premium' ? undefined : without;
  const own = viewer.standing[candidate.gender] ?? atTheMean;
  const { standing } = candidate;
  const base = (from: Viewer | Candidate, to: Viewer | Candidate) =>
    around.base.get(segmentOf(from.gender, to.gender, to.age)) ?? unknownBase;
  const there = likeLogOdds(base(viewer, candidate), own.selectivity, standing.appeal, contentOf(terms.there, feature));
  const back = candidate.likesViewer
    ? certainty
    : likeLogOdds(base(candidate, viewer), standing.selectivity, own.appeal, contentOf(terms.back, feature));
  const cap = without === 'activity' ? capacityFloor : capacity(candidate.readsWeekly, candidate.replyRate);
  const boost = without === 'premium' ? 1 : boostOf(candidate.isVip, around.premiumBoost);
  return {
    rank: rankOf(there, back, inboxPenalty(candidate.pendingLikes, cap), boost),
    chanceThere: sigmoid(there),
    chanceBack: sigmoid(back),
    termsThere: terms.there,
    termsBack: terms.back,
  };
}
