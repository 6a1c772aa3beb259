import type { MatchReason } from '#contract/discovery.ts';
import { childrenWish, shared, shareOf } from './content.ts';
import { type Candidate, isNew, type MarketStats, type Viewer } from './people.ts';
import { partsOf, scoreFrom, type Taken } from './score.ts';

export const reasonsMax = 3;
const interestsNamed = 2;
/** An interest is rare if at most one member in ten states it. */
const rareShare = 0.1;
/** From this share of answered first messages on, a member "usually replies"; newcomers are assumed to answer 0.6. */
const usually = 0.7;
const activeDays = 7;
const newcomerDays = 30;
/** Differences below this are rounding. */
const tiny = 1e-9;

function goalReason(viewer: Viewer, candidate: Candidate): MatchReason | null {
  return viewer.goal !== null && viewer.goal === candidate.goal ? { kind: 'goal', goal: viewer.goal } : null;
}

function childrenReason(viewer: Viewer, candidate: Candidate): MatchReason | null {
  const wish = childrenWish(viewer.children);
  return wish !== null && wish === childrenWish(candidate.children) ? { kind: 'children', wish } : null;
}

function interestsReason(
  viewer: Viewer,
  candidate: Candidate,
  shares: ReadonlyMap<string, number>,
): MatchReason | null {
  const both = shared(viewer.interests, candidate.interests);
  const rarestFirst = both.toSorted((one, other) => shareOf(one, shares) - shareOf(other, shares));
  const rare = rarestFirst.filter((interest) => shareOf(interest, shares) <= rareShare);
  const named = (rare.length > 0 ? rare : rarestFirst).slice(0, interestsNamed);
  return named.length === 0 ? null : { kind: 'interests', interests: named, areRare: rare.length > 0 };
}

/** Hiding activity is mutual, so both must show it. */
function activeReason(viewer: Viewer, candidate: Candidate): MatchReason | null {
  const isShown = viewer.showsLastActive && candidate.showsLastActive;
  return isShown && candidate.lastActiveDays < activeDays && candidate.replyRate >= usually ? { kind: 'active' } : null;
}

const makers: Partial<
  Record<Taken, (viewer: Viewer, candidate: Candidate, market: MarketStats) => MatchReason | null>
> = {
  goal: goalReason,
  age: ({ age }) => ({ kind: 'ages', viewerAge: age }),
  answers: (_, { answers }) => (answers === 'high' ? { kind: 'answers' } : null),
  languages: (viewer, { languages }) => ({ kind: 'languages', languages: shared(viewer.languages, languages) }),
  children: childrenReason,
  smoking: () => ({ kind: 'smoking' }),
  interests: (viewer, candidate, { interestShares }) => interestsReason(viewer, candidate, interestShares),
  activity: activeReason,
};

/** Up to this distance, living close by is mentioned. */
const nearKm = 25;

/**
 * Facts for a card without a reason, the most personal first: a shared interest, a short distance, having just joined, or else what is true
 * of every card. They reveal nothing about the rank. `shown` is the distance as the card shows it.
 */
export function factsFor(
  viewer: Viewer,
  candidate: Candidate,
  { interestShares }: MarketStats,
  shown: { distance: number | null; distanceFormatted: string | null },
): MatchReason[] {
  const { distance, distanceFormatted } = shown;
  const interests = interestsReason(viewer, candidate, interestShares);
  const facts: MatchReason[] = [
    ...(interests === null ? [] : [interests]),
    ...(distance !== null && distance < nearKm && distanceFormatted !== null
      ? [{ kind: 'near', distance: distanceFormatted } as const]
      : []),
    ...(candidate.joinedDays <= newcomerDays ? [{ kind: 'newcomer' } as const] : []),
  ];
  return facts.length > 0 ? facts : [{ kind: 'musts' }];
}

/** A reason with the part of the score behind it; null for the exploration slot. */
export interface FoundReason {
  reason: MatchReason;
  from: Taken | null;
}

/**
 * Up to three true reasons for a card, strongest first. Each comes from a part of the score that raises R, and never from something only
 * one person states. In an exploration slot, a newcomer's first reason is being new. A rank raised by premium is always disclosed, as the
 * last reason.
 */
export function reasonsFor(
  viewer: Viewer,
  candidate: Candidate,
  market: MarketStats,
  isExploration: boolean,
): FoundReason[] {
  const parts = partsOf(viewer, candidate, market);
  const { rank } = scoreFrom(parts);
  const worth = (part: Taken) => rank - scoreFrom(parts, part).rank;
  const found = (Object.keys(makers) as Exclude<Taken, 'premium'>[])
    .flatMap((from) => {
      const reason = makers[from]?.(viewer, candidate, market) ?? null;
      return reason === null ? [] : [{ from, reason, worth: worth(from) }];
    })
    .filter((entry) => entry.worth > tiny)
    .sort((one, other) => other.worth - one.worth)
    .map(({ from, reason }): FoundReason => ({ reason, from }));
  const isNewcomer = isExploration && isNew(candidate.decisionsReceived) && candidate.joinedDays <= newcomerDays;
  const first: FoundReason[] = isNewcomer ? [{ reason: { kind: 'new-here' }, from: null }] : [];
  const last: FoundReason[] = worth('premium') > tiny ? [{ reason: { kind: 'premium' }, from: 'premium' }] : [];
  return [...[...first, ...found].slice(0, reasonsMax), ...last];
}
