import type { CompatibilityBand } from '#contract/compatibility.ts';
import { distanceBands } from '#contract/constants.ts';
import {
  type ChildrenAnswer,
  drinkingAnswers,
  exerciseAnswers,
  type ProfileDetails,
  type RelationshipGoal,
} from '#contract/profiles/profile-details.ts';
import type { Candidate, Stated } from './people.ts';

/** The parts of a card's content score. */
export const features = [
  'goal',
  'children',
  'smoking',
  'age',
  'distance',
  'languages',
  'answers',
  'drinking',
  'exercise',
  'interests',
] as const;
export type Feature = (typeof features)[number];

/** What each feature adds to the log-odds of a like; 0 if either person states nothing. */
export type ContentTerms = Record<Feature, number>;

/** C stays within ± 0.8: content must not outvote experience. */
export const contentMax = 0.8;

/** The weight of each part of C, in log-odds. */
export const weights = {
  goalSame: 0.35,
  goalCompatible: 0.1,
  goalConflicting: -0.6,
  childrenConflict: -0.6,
  smokingMismatch: -0.25,
  ageMiddle: 0.2,
  distancePerDoubling: -0.2,
  noCommonLanguage: -0.8,
  answersHigh: 0.4,
  answersLow: -0.4,
  lifestyleDistance: -0.1,
  interestsMost: 0.15,
  /**
   * The weight of agreeing on children, smoking or a language. It is small, but not 0, because a reason shown to members must have an
   * effect.
   */
  agreement: 0.05,
} as const;

const kmOfNoDistance = 10;
/** The total surprise (−ln of each share) at which shared interests reach their maximum: about four interests of one in twelve members. */
const interestsEnough = 10;
const shareOfUnknownInterest = 0.05;

/** Same +0.35, compatible +0.10, conflicting −0.60; "open to see" is compatible with every goal. */
export function goalTerm(one: RelationshipGoal | null, other: RelationshipGoal | null): number {
  if (one === null || other === null) return 0;
  if (one === other) return weights.goalSame;
  return one === 'open-to-see' || other === 'open-to-see' ? weights.goalCompatible : weights.goalConflicting;
}

/**
 * Whether an answer says that someone wants (more) children or doesn't; null if it says neither.
 */
export function childrenWish(answer: ChildrenAnswer | null): 'want' | 'do-not-want' | null {
  if (answer === 'want' || answer === 'have-and-want-more') return 'want';
  return answer === 'do-not-want' ? answer : null;
}

function childrenTerm(one: ChildrenAnswer | null, other: ChildrenAnswer | null): number {
  const [wish, otherWish] = [childrenWish(one), childrenWish(other)];
  if (wish === null || otherWish === null) return 0;
  return wish === otherWish ? weights.agreement : weights.childrenConflict;
}

type Smoking = ProfileDetails['smoking'];
const smokes = (answer: Smoking) => answer === 'sometimes' || answer === 'regularly';

/** "Quitting" counts neither as a mismatch nor as an agreement. */
function smokingTerm(one: Smoking, other: Smoking): number {
  if (one === 'never' && other === 'never') return weights.agreement;
  return (one === 'never' && smokes(other)) || (other === 'never' && smokes(one)) ? weights.smokingMismatch : 0;
}

/** How central an age is in a preferred range: 1 in the middle half, falling to 0 at the edges. */
export function centrality(age: number, { min, max }: { min: number; max: number }): number {
  if (min === max) return age === min ? 1 : 0;
  const away = Math.abs(age - (min + max) / 2) / ((max - min) / 2);
  return Math.min(1, Math.max(0, 2 - 2 * away));
}

/** +0.20 if both are in the middle of the other's range, 0 if one is at an edge. */
function ageTerm(one: Stated, other: Stated): number {
  if (one.agePreference === null || other.agePreference === null) return 0;
  return (
    weights.ageMiddle * Math.min(centrality(other.age, one.agePreference), centrality(one.age, other.agePreference))
  );
}

/** −0.20·log2(1 + km/10) from the lower bound of the displayed band, so that the order reveals no more than the screen. */
export function distanceTerm(distanceKm: number | null): number {
  if (distanceKm === null) return 0;
  const band = distanceBands.findLast(({ fromKm }) => fromKm <= distanceKm) ?? distanceBands[0];
  return band.fromKm === 0 ? 0 : weights.distancePerDoubling * Math.log2(1 + band.fromKm / kmOfNoDistance);
}

/** The values that both state, in the order of the first list. */
export function shared<T>(one: readonly T[], other: readonly T[]): T[] {
  return one.filter((word) => other.includes(word));
}

function languagesTerm(one: readonly string[], other: readonly string[]): number {
  if (one.length === 0 || other.length === 0) return 0;
  return shared(one, other).length > 0 ? weights.agreement : weights.noCommonLanguage;
}

/** Uses only the band: anything finer would reveal private answers in the order of a deck. */
export function answersTerm(band: CompatibilityBand | null): number {
  return band === 'high' ? weights.answersHigh : band === 'low' ? weights.answersLow : 0;
}

/** −0.10 for opposite ends of the scale, proportionally less in between. */
function habitTerm<T extends string>(scale: readonly T[], one: T | null, other: T | null): number {
  if (one === null || other === null || one === other) return 0;
  return (weights.lifestyleDistance * Math.abs(scale.indexOf(one) - scale.indexOf(other))) / (scale.length - 1);
}

/** The known or assumed share (0…1) of members who state an interest. */
export function shareOf(interest: string, shares: ReadonlyMap<string, number>): number {
  return shares.get(interest) ?? shareOfUnknownInterest;
}

function interestsTerm(both: readonly string[], shares: ReadonlyMap<string, number>): number {
  const surprise = both.reduce((sum, interest) => sum - Math.log(shareOf(interest, shares)), 0);
  return weights.interestsMost * Math.min(1, surprise / interestsEnough);
}

/** The named parts of C, the same both ways, computed only from what both profiles state. */
export function contentTerms(
  viewer: Stated,
  candidate: Stated & Pick<Candidate, 'answers' | 'distanceKm'>,
  interestShares: ReadonlyMap<string, number>,
): ContentTerms {
  return {
    goal: goalTerm(viewer.goal, candidate.goal),
    children: childrenTerm(viewer.children, candidate.children),
    smoking: smokingTerm(viewer.smoking, candidate.smoking),
    age: ageTerm(viewer, candidate),
    distance: distanceTerm(candidate.distanceKm),
    languages: languagesTerm(viewer.languages, candidate.languages),
    answers: answersTerm(candidate.answers),
    drinking: habitTerm(drinkingAnswers, viewer.drinking, candidate.drinking),
    exercise: habitTerm(exerciseAnswers, viewer.exercise, candidate.exercise),
    interests: interestsTerm(shared(viewer.interests, candidate.interests), interestShares),
  };
}

/** C: the sum of the terms, optionally without one of them, within ± 0.8. */
export function contentOf(terms: ContentTerms, without?: Feature): number {
  const sum = features.reduce((total, feature) => (feature === without ? total : total + terms[feature]), 0);
  return Math.min(contentMax, Math.max(-contentMax, sum));
}
