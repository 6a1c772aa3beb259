import type { CompatibilityBand } from '#contract/compatibility.ts';
import type { Gender, ProfileDetails } from '#contract/profiles/profile-details.ts';

/** What a member states about themselves and the people they seek, as far as ranking needs it. */
export interface Stated extends Pick<
  ProfileDetails,
  'goal' | 'children' | 'smoking' | 'drinking' | 'exercise' | 'languages' | 'interests'
> {
  gender: Gender;
  seeking: readonly Gender[];
  age: number;
  /** Preferred ages; a required range excludes others. */
  agePreference: { min: number; max: number; required: boolean } | null;
  /** The preferred maximum distance. */
  distancePreference: { maxKm: number; required: boolean } | null;
  /** False if the member hides their activity; then they don't see other people's activity either. */
  showsLastActive: boolean;
}

/** What was learned about a member towards one gender, in log-odds relative to the segment's mean. */
interface MemberScore {
  /** A, appeal: how much more likely than average they are liked. */
  appeal: number;
  /** S, selectivity: how much more likely than average they like. */
  selectivity: number;
  /** T: how much more often than average their matches become conversations; 0 if absent. */
  warmth?: number;
}

/** The member the cards are for. */
export interface Viewer extends Stated {
  /** By the other person's gender; missing if nothing is known yet. */
  memberScore: Partial<Record<Gender, MemberScore>>;
}

/** A person who may become a card for this viewer. */
export interface Candidate extends Stated {
  id: string;
  /** Towards people of the viewer's gender. */
  memberScore: MemberScore;
  /** Between the centres of the two place cells; null if either is unknown. */
  distanceKm: number | null;
  /** How well the answers of both fit; null if they share too few. Nothing finer may influence an order or a reason. */
  answers: CompatibilityBand | null;
  /** Whether they have a pending like for the viewer. */
  likesViewer: boolean;
  /** Whether they are a decoy: they get a place like people who like the viewer, so that those stay hidden. */
  isDecoy?: boolean;
  /** Pending likes this candidate hasn't decided on. */
  pendingLikes: number;
  /** The result of `expectedReads` for the candidate. */
  readsWeekly: number;
  /** The result of `replyRate` for the candidate. */
  replyRate: number;
  impressionsInWeek: number;
  /** Number of decisions about them, `decayed` like all learned values, so that returning members are explored again. */
  decisionsReceived: number;
  joinedDays: number;
  lastActiveDays: number;
  isVip: boolean;
  /** What the viewer's preferences and the daily random term add to R; 0 if absent. */
  extra?: number;
}

/** Market-wide values the score needs. */
export interface MarketStats {
  /** b: the base log-odds of a like, by `segmentOf`. */
  base: ReadonlyMap<string, number>;
  /** How strongly people prefer others of similar appeal, by `alikeSegment`; a missing segment is 0. */
  alike: ReadonlyMap<string, number>;
  /** The share (0…1) of members who state an interest. */
  interestShares: ReadonlyMap<string, number>;
  /** v: the premium factor; `boostOf` limits it. */
  premiumBoost: number;
}

/** Days of inactivity after which a member leaves discovery. */
export const silentDaysMax = 30;

function wants(
  { seeking, agePreference, distancePreference }: Stated,
  other: Stated,
  distanceKm: number | null,
): boolean {
  if (!seeking.includes(other.gender)) return false;
  if (agePreference?.required === true && (other.age < agePreference.min || other.age > agePreference.max))
    return false;
  return distancePreference?.required !== true || (distanceKm !== null && distanceKm <= distancePreference.maxKm);
}

/**
 * Whether two people may see each other: gender, required ages and required distance fit both ways, and the candidate was active
 * within 30 days. The database checks blocks, earlier decisions and visibility.
 */
export function isEligible(viewer: Viewer, candidate: Candidate): boolean {
  const { distanceKm, lastActiveDays } = candidate;
  return lastActiveDays < silentDaysMax && wants(viewer, candidate, distanceKm) && wants(candidate, viewer, distanceKm);
}

/** Members with fewer received decisions are new, and so are members who return after theirs have decayed. */
const knownFromDecisions = 10;

/** Whether a member gets exploration slots because too little is known about them: fewer than ten decisions. */
export function isNew(decisionsReceived: number): boolean {
  return decisionsReceived < knownFromDecisions;
}
