import { boostOf, certainty, likeLogOdds, rankOf, segmentOf, sigmoid, unknownBase } from './chance.ts';
import { contentOf, contentTerms, type ContentTerms, type Feature } from './content.ts';
import { capacity, capacityFloor, inboxPenalty } from './inbox.ts';
import type { Candidate, Surroundings, Viewer } from '../deck/rows.ts';

const atTheMean = { appeal: 0, selectivity: 0 };

/** A part that can be left out of a score to measure its contribution. */
export type Taken = Feature | 'activity' | 'premium';

/** A card's rank and its parts. */
export interface Score {
  /** R: higher comes first. */
  rank: number;
  /** p(viewer→candidate), 0…1. */
  chanceThere: number;
  /** p(candidate→viewer), 0…1; 1 if they already like the viewer. */
  chanceBack: number;
  termsThere: ContentTerms;
  termsBack: ContentTerms;
}

/** The parts of R for one viewer and one candidate. */
export interface Parts {
  candidate: Candidate;
  terms: { there: ContentTerms; back: ContentTerms };
  /** Log-odds of a like without C, both ways. */
  there: number;
  back: number;
  capacity: number;
  boost: number;
}

/** All parts of a score: stated facts, learned values, the candidate's inbox and premium. */
export function partsOf(viewer: Viewer, candidate: Candidate, around: Surroundings): Parts {
  const own = viewer.standing[candidate.gender] ?? atTheMean;
  const { standing } = candidate;
  const base = (from: Viewer | Candidate, to: Viewer | Candidate) =>
    around.base.get(segmentOf(from.gender, to.gender, to.age)) ?? unknownBase;
  return {
    candidate,
    terms: contentTerms(viewer, candidate, around.interestShares),
    there: likeLogOdds(base(viewer, candidate), own.selectivity, standing.appeal, 0),
    back: likeLogOdds(base(candidate, viewer), standing.selectivity, own.appeal, 0),
    capacity: capacity(candidate.readsWeekly, candidate.replyRate),
    boost: boostOf(candidate.isVip, around.premiumBoost),
  };
}

/** R from these parts, optionally without one: a content feature, the candidate's activity, or premium. */
export function scoreFrom({ candidate, terms, ...parts }: Parts, without?: Taken): Score {
  const feature = without === 'activity' || without === 'premium' ? undefined : without;
  const there = parts.there + contentOf(terms.there, feature);
  const back = candidate.likesViewer ? certainty : parts.back + contentOf(terms.back, feature);
  const cap = without === 'activity' ? capacityFloor : parts.capacity;
  const boost = without === 'premium' ? 1 : parts.boost;
  return {
    rank: rankOf(there, back, inboxPenalty(candidate.pendingLikes, cap), boost),
    chanceThere: sigmoid(there),
    chanceBack: sigmoid(back),
    termsThere: terms.there,
    termsBack: terms.back,
  };
}

/** R and its parts for one viewer and one candidate. */
export function scoreOf(viewer: Viewer, candidate: Candidate, around: Surroundings): Score {
  return scoreFrom(partsOf(viewer, candidate, around));
}
