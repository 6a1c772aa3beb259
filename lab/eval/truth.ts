import type { CompatibilityAnswer } from '#contract/compatibility.ts';
import type { MatchReason } from '#contract/discovery.ts';
import type { Point } from '../../server/src/features/profiles/place/distance.ts';
import type { Person } from './people.ts';

// Checks the claims of cards against what members stated, implemented independently of production, so that a mistake in production
// is not repeated in the check.

const earthRadiusKm = 6371;
/** Two formulas for the same distance differ by rounding. */
const roundingKm = 0.001;

function kmBetween(one: Point, other: Point): number {
  const [a, b] = [one, other].map(({ latitude, longitude }) => {
    const [north, east] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
    return { x: Math.cos(north) * Math.cos(east), y: Math.cos(north) * Math.sin(east), z: Math.sin(north) };
  });
  if (a === undefined || b === undefined) return 0;
  const chord = Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z);
  return 2 * earthRadiusKm * Math.asin(Math.min(1, chord / 2));
}

/** The filters of a person that another member does not meet, as text; empty if they may be shown. */
function refusals(seeker: Person, shown: Person): string[] {
  const found: string[] = [];
  if (!seeker.seeking.some((gender) => gender === shown.gender)) found.push('gender');
  const ages = seeker.agePreference;
  if (ages?.required && !(ages.min <= shown.age && shown.age <= ages.max)) found.push('age');
  const far = seeker.distancePreference;
  if (far?.required) {
    const km = seeker.place === null || shown.place === null ? Infinity : kmBetween(seeker.place, shown.place);
    if (km > far.maxKm + roundingKm) found.push('distance');
  }
  return found;
}

/** The hard filters that a card of `shown` for `viewer` violates. */
export function violations(viewer: Person, shown: Person): string[] {
  const silent = shown.lastActiveDays >= 30 ? ['inactive for 30 days'] : [];
  return [...silent, ...refusals(viewer, shown), ...refusals(shown, viewer).map((wish) => `their ${wish}`)];
}

const weightOf = { irrelevant: 0, 'a-little': 1, somewhat: 10, very: 50, mandatory: 250 };

/** The questions that matter to the author of a sheet. */
const mattering = (sheet: readonly CompatibilityAnswer[], optionsOf: Map<string, number>) =>
  sheet.filter(
    ({ questionId, accepted, importance }) =>
      weightOf[importance] > 0 && accepted.length < (optionsOf.get(questionId) ?? Infinity),
  );

/** The share of weight that another sheet's answers meet. Weights are cut until no question has more than a fifth of the total. */
function shareMet(own: readonly CompatibilityAnswer[], other: readonly CompatibilityAnswer[]): number {
  let weights = own.map(({ importance }): number => weightOf[importance]);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  for (let round = 0; round < 200; round += 1) {
    const most = sum(weights) / 5;
    weights = weights.map((weight) => Math.min(weight, most));
  }
  const met = own.map(({ questionId, accepted }) =>
    other.some((given) => given.questionId === questionId && accepted.includes(given.answer)),
  );
  return sum(weights.filter((_, index) => met[index])) / sum(weights);
}

/**
 * Whether the answers of two people fit very well: at least 68 of 100 on average, after moving towards 55 as if there
 * were 20 more questions with that fit.
 */
function fitsHighly(one: Person, other: Person, optionsOf: Map<string, number>): boolean {
  const [own, theirs] = [mattering(one.answerSheet, optionsOf), mattering(other.answerSheet, optionsOf)];
  const isIn = (sheet: readonly CompatibilityAnswer[]) => (given: CompatibilityAnswer) =>
    sheet.some(({ questionId }) => questionId === given.questionId);
  const [ours, back] = [own.filter(isIn(theirs)), theirs.filter(isIn(own))];
  const common = ours.length;
  if (common < 10) return false;
  const mean = 50 * (shareMet(ours, back) + shareMet(back, ours));
  return (mean * common + 55 * 20) / (common + 20) >= 68 - 1e-6;
}

const within = (age: number, wish: Person['agePreference']) => wish !== null && wish.min <= age && age <= wish.max;
const wantsChildren = ['want', 'have-and-want-more'];
const speaks = (person: Person, words: readonly string[]) => words.every((word) => person.languages.includes(word));
const likes = (person: Person, words: readonly string[]) =>
  words.every((word) => (person.interests as readonly string[]).includes(word));

/** The data a reason is checked against, besides the two people. */
export interface Known {
  /** How many options each question has. */
  optionsOf: Map<string, number>;
  /** How many members state each interest, and how many there are. */
  stated: Map<string, number>;
  members: number;
  isExploration: boolean;
}

/** Whether a reason holds for both, from what they stated or did. */
export function isTrue(reason: MatchReason, viewer: Person, shown: Person, known: Known): boolean {
  const both = [viewer, shown];
  switch (reason.kind) {
    case 'goal':
      return both.every(({ goal }) => goal === reason.goal);
    case 'ages':
      return (
        reason.viewerAge === viewer.age &&
        within(viewer.age, shown.agePreference) &&
        within(shown.age, viewer.agePreference)
      );
    case 'answers':
      return fitsHighly(viewer, shown, known.optionsOf);
    case 'languages':
      return reason.languages.length > 0 && both.every((person) => speaks(person, reason.languages));
    case 'children':
      return both.every(({ children }) =>
        reason.wish === 'want' ? wantsChildren.includes(children ?? '') : children === 'do-not-want',
      );
    case 'smoking':
      return both.every(({ smoking }) => smoking === 'never');
    case 'interests': {
      const rare = reason.interests.every((word) => (known.stated.get(word) ?? 0) <= 0.1 * known.members);
      return (
        reason.interests.length > 0 &&
        both.every((person) => likes(person, reason.interests)) &&
        rare === reason.areRare
      );
    }
    case 'active':
      return both.every((person) => person.showsLastActive) && shown.lastActiveDays < 7 && shown.replyRate >= 0.7;
    case 'new-here':
      return known.isExploration && shown.decisionsReceived < 10 && shown.joinedDays <= 30;
    case 'premium':
      return shown.isVip;
  }
}
