import { distanceBands } from '#contract/constants.ts';
import {
  type ChildrenAnswer,
  drinkingAnswers,
  exerciseAnswers,
  type ProfileDetails,
  type RelationshipGoal,
} from '#contract/profiles/profile-details.ts';
import type { Candidate, Stated, Viewer } from '../deck/rows.ts';

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

/** What each feature adds to the log-odds of a like; 0 where either of the two states nothing. */
export type ContentTerms = Record<Feature, number>;

/** C never leaves ± 0.8: content must not outvote history. */
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
  answers: 0.8,
  lifestyleDistance: -0.1,
  interestsMost: 0.15,
  /** Agreeing on children, smoking or a language: hardly anything, yet what may be told as a reason has to count. */
  agreement: 0.05,
} as const;

/** So many common answers weigh half of what endlessly many would. */
const answersShrinkage = 8;
const kmOfNoDistance = 10;
/** The surprise (−ln of its share) of shared interests that reaches the most they may weigh: four that one in twelve has. */
const interestsEnough = 10;
const shareOfUnknownInterest = 0.05;

/** Same +0.35, compatible +0.10, conflicting −0.60; who is open to see gets on with every goal. */
export function goalTerm(one: RelationshipGoal | null, other: RelationshipGoal | null): number {
  if (one === null || other === null) return 0;
  if (one === other) return weights.goalSame;
  return one === 'open-to-see' || other === 'open-to-see' ? weights.goalCompatible : weights.goalConflicting;
}

/** The wish for children that an answer tells, if it tells one. */
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

/** Who is about to quit is no mismatch for anybody, and no agreement. */
function smokingTerm(one: Smoking, other: Smoking): number {
  if (one === 'never' && other === 'never') return weights.agreement;
  return (one === 'never' && smokes(other)) || (other === 'never' && smokes(one)) ? weights.smokingMismatch : 0;
}

/** How central an age is in a wished range: 1 in its middle half, falling to 0 at its edges and beyond. */
export function centrality(age: number, { min, max }: { min: number; max: number }): number {
  if (min === max) return age === min ? 1 : 0;
  const away = Math.abs(age - (min + max) / 2) / ((max - min) / 2);
  return Math.min(1, Math.max(0, 2 - 2 * away));
}

/** +0.20 where both stand in the middle of what the other wishes, 0 where one stands at an edge. */
function ageTerm(one: Stated, other: Stated): number {
  if (one.ageWish === null || other.ageWish === null) return 0;
  return weights.ageMiddle * Math.min(centrality(other.age, one.ageWish), centrality(one.age, other.ageWish));
}

/** −0.20·log2(1 + km/10) of the lower bound of the band that is shown, so that order tells no more than the screen. */
export function distanceTerm(distanceKm: number | null): number {
  if (distanceKm === null) return 0;
  const band = distanceBands.findLast(({ fromKm }) => fromKm <= distanceKm) ?? distanceBands[0];
  return band.fromKm === 0 ? 0 : weights.distancePerDoubling * Math.log2(1 + band.fromKm / kmOfNoDistance);
}

/** What both state, in the order of the first. */
export function shared<T>(one: readonly T[], other: readonly T[]): T[] {
  return one.filter((word) => other.includes(word));
}

function languagesTerm(one: readonly string[], other: readonly string[]): number {
  if (one.length === 0 || other.length === 0) return 0;
  return shared(one, other).length > 0 ? weights.agreement : weights.noCommonLanguage;
}

/** 0.8·(sat − 0.5)·n/(n + 8), where `satisfied` says how far the other's answers satisfy who decides. */
export function answersTerm(satisfied: number | null, common: number): number {
  return satisfied === null ? 0 : weights.answers * (satisfied - 0.5) * (common / (common + answersShrinkage));
}

/** −0.10 from one end of the scale to the other, and in proportion between. */
function habitTerm<T extends string>(scale: readonly T[], one: T | null, other: T | null): number {
  if (one === null || other === null || one === other) return 0;
  return (weights.lifestyleDistance * Math.abs(scale.indexOf(one) - scale.indexOf(other))) / (scale.length - 1);
}

/** The share (0…1) of members who state an interest, as far as it is known. */
export function shareOf(interest: string, shares: ReadonlyMap<string, number>): number {
  return shares.get(interest) ?? shareOfUnknownInterest;
}

function interestsTerm(both: readonly string[], shares: ReadonlyMap<string, number>): number {
  const surprise = both.reduce((sum, interest) => sum - Math.log(shareOf(interest, shares)), 0);
  return weights.interestsMost * Math.min(1, surprise / interestsEnough);
}

/**
 * The named parts of C_ij and C_ji, from nothing but what both profiles state. They differ only by the
 * answers, which may satisfy one more than the other.
 */
export function contentTerms(
  viewer: Viewer,
  candidate: Candidate,
  interestShares: ReadonlyMap<string, number>,
): { there: ContentTerms; back: ContentTerms } {
  const { answers } = candidate;
  const common = answers?.common ?? 0;
  const there: ContentTerms = {
    goal: goalTerm(viewer.goal, candidate.goal),
    children: childrenTerm(viewer.children, candidate.children),
    smoking: smokingTerm(viewer.smoking, candidate.smoking),
    age: ageTerm(viewer, candidate),
    distance: distanceTerm(candidate.distanceKm),
    languages: languagesTerm(viewer.languages, candidate.languages),
    answers: answersTerm(answers?.viewerSatisfied ?? null, common),
    drinking: habitTerm(drinkingAnswers, viewer.drinking, candidate.drinking),
    exercise: habitTerm(exerciseAnswers, viewer.exercise, candidate.exercise),
    interests: interestsTerm(shared(viewer.interests, candidate.interests), interestShares),
  };
  return { there, back: { ...there, answers: answersTerm(answers?.candidateSatisfied ?? null, common) } };
}

/** C: the sum of the terms, without one of them if so asked, within ± 0.8. */
export function contentOf(terms: ContentTerms, without?: Feature): number {
  const sum = features.reduce((total, feature) => (feature === without ? total : total + terms[feature]), 0);
  return Math.min(contentMax, Math.max(-contentMax, sum));
}
