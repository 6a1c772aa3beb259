import type { Gender } from '#contract/profiles/gender.ts';
import type { ProfileDetails } from '#contract/profiles/profile-details.ts';

/** What a member states of themselves and of whom they seek, as far as the order of a deck looks at it. */
export interface Stated extends Pick<
  ProfileDetails,
  'goal' | 'children' | 'smoking' | 'drinking' | 'exercise' | 'languages' | 'interests'
> {
  gender: Gender;
  seeking: readonly Gender[];
  age: number;
  /** The ages they wish for; a required range keeps others away. */
  ageWish: { min: number; max: number; required: boolean } | null;
  /** How far away somebody may live. */
  distanceWish: { maxKm: number; required: boolean } | null;
  /** False where somebody hides when they are active: then it is told neither of them nor to them. */
  showsLastActive: boolean;
}

/** What decisions have taught about a member towards people of one gender, in log-odds from the mean of their segment. */
export interface Standing {
  /** A: how much likelier than others they are liked. */
  appeal: number;
  /** S: how much likelier than others they like. */
  selectivity: number;
}

/** Whom the cards are for. */
export interface Viewer extends Stated {
  /** By the gender of the other person; none where nothing is known yet. */
  standing: Partial<Record<Gender, Standing>>;
}

/** Somebody who may become a card, as this viewer meets them. */
export interface Candidate extends Stated {
  id: string;
  /** Towards people of the viewer's gender. */
  standing: Standing;
  /** Between the centres of the two place cells; null where either is unknown. */
  distanceKm: number | null;
  /** How far each one's answers satisfy the other (0…1, null where nothing matters to them), and how many both gave. */
  answers: { viewerSatisfied: number | null; candidateSatisfied: number | null; common: number } | null;
  /** Likes the viewer, who has not decided yet. */
  likesViewer: boolean;
  /** Likes that wait for this candidate's decision. */
  pendingLikes: number;
  /** `expectedReads` of the candidate. */
  readsWeekly: number;
  /** `replyRate` of the candidate. */
  replyRate: number;
  impressionsInWeek: number;
  /** Decisions made about them, `decayed` like everything learned, so that whoever returns is explored again. */
  decisionsReceived: number;
  joinedDays: number;
  lastActiveDays: number;
  isVip: boolean;
  /** Beside the score: what the viewer's wishes, and the day's chance, add to R. Nothing where absent. */
  extra?: number;
}

/** What the score knows of everybody together. */
export interface Surroundings {
  /** b: the base log-odds of a like, by `segmentOf`. */
  base: ReadonlyMap<string, number>;
  /** The share (0…1) of members who state an interest. */
  interestShares: ReadonlyMap<string, number>;
  /** v: what premium multiplies a place with; `boostOf` keeps it within its bounds. */
  premiumBoost: number;
}
