import type { CompatibilityAnswer } from '#contract/compatibility/compatibility.ts';
import type { MatchReason } from '#contract/discovery/match-reasons.ts';
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

/** The filters of a person that another member does not meet, in words; empty if they may be shown. */
function refusals(wisher: Person, shown: Person): string[] {
  const found: string[] = [];
  if (!wisher.seeking.some((gender) => gender === shown.gender)) found.push('gender');
  const ages = wisher.agePreference;
  if (ages?.required && !(ages.min <= shown.age && shown.age <= ages.max)) found.push('age');
  const far = wisher.distancePreference;
  if (far?.required) {
    const km = wisher.place === null || shown.place === null ? Infinity : kmBetween(wisher.place, shown.place);
    if (km > far.maxKm + roundingKm) found.push('distance');
  }
  return found;
}

/** The hard filters that a card of `shown` for `viewer` violates. */
export function violations(viewer: Person, shown: Person): string[] {
  const silent = shown.lastActiveDays >= 30 ? ['silent for 30 days'] : [];
  return [...silent, ...refusals(viewer, shown), ...refusals(shown, viewer).map((wish) => `their ${wish}`)];
}

const weightOf = { irrelevant: 0, 'a-little': 1, somewhat: 10, very: 50, mandatory: 250 };

/** The weight of accepted answers minus that of rejected ones in another sheet, and the common answers. */
function balance(
  own: readonly CompatibilityAnswer[],
  other: readonly CompatibilityAnswer[],
  optionsOf: Map<string, number>,
) {
  let [sum, common] = [0, 0];
  for (const wish of own) {
    const given = other.find(({ questionId }) => questionId === wish.questionId);
    if (given === undefined) continue;
    common += 1;
    if (wish.accepted.length === optionsOf.get(wish.questionId)) continue;
    sum += wish.accepted.includes(given.answer) ? weightOf[wish.importance] : -weightOf[wish.importance];
  }
  return { sum, common };
}

const within = (age: number, wish: Person['agePreference']) => wish !== null && wish.min <= age && age <= wish.max;
const wantsChildren = ['want', 'have-and-want-more'];
const speaks = (person: Person, words: readonly string[]) => words.every((word) => person.languages.includes(word));
const likes = (person: Person, words: readonly string[]) =>
  words.every((word) => (person.interests as readonly string[]).includes(word));

/** The data a reason is checked against besides the two people. */
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
    case 'answers': {
      const [there, back] = [
        balance(viewer.answerSheet, shown.answerSheet, known.optionsOf),
        balance(shown.answerSheet, viewer.answerSheet, known.optionsOf),
      ];
      return reason.common === there.common && reason.common >= 5 && there.sum > 0 && back.sum > 0;
    }
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
