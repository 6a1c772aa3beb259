import type { Candidate, Stated, MarketStats, Viewer } from '../src/features/discovery/score/people.ts';

const silent: Stated = {
  gender: 'woman',
  seeking: ['man', 'woman'],
  age: 33,
  agePreference: null,
  distancePreference: null,
  goal: null,
  children: null,
  smoking: null,
  drinking: null,
  exercise: null,
  languages: [],
  interests: [],
  showsLastActive: true,
};

/** A woman of 33 with only the given details. */
export function aViewer(stated: Partial<Viewer> = {}): Viewer {
  return { ...silent, memberScore: {}, ...stated };
}

/** A man of 33 with only the given details: well known to the ranker, active today, without pending likes. */
export function aCandidate(stated: Partial<Candidate> = {}): Candidate {
  return {
    ...silent,
    id: 'someone',
    gender: 'man',
    memberScore: { appeal: 0, selectivity: 0 },
    distanceKm: null,
    answers: null,
    likesViewer: false,
    pendingLikes: 0,
    readsWeekly: 3,
    replyRate: 0.6,
    impressionsInWeek: 0,
    decisionsReceived: 100,
    joinedDays: 100,
    lastActiveDays: 0,
    isVip: false,
    ...stated,
  };
}

/** No figures about segments and interests; premium has its maximum effect. */
export const nothingKnown: MarketStats = {
  base: new Map(),
  interestShares: new Map(),
  alike: new Map(),
  premiumBoost: 1.25,
};
