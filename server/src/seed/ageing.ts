import { minimumAgeYears } from '#contract/constants.ts';
import { before, dayMs, dayOf, earliest, yearsBefore } from './calendar.ts';
import { evenly, type Random } from './random.ts';

/** How many members are of an age, against each other; straight lines between. */
const ageCurve: readonly (readonly [ageYears: number, weight: number])[] = [
  [18, 0.55],
  [22, 0.9],
  [28, 1.25],
  [33, 1.1],
  [40, 0.72],
  [48, 0.5],
  [55, 0.36],
  [65, 0.17],
  [75, 0.06],
  [80, 0.02],
];
const oldestYears = 80;
const ages = Array.from({ length: oldestYears - minimumAgeYears + 1 }, (_, i) => minimumAgeYears + i);
const weights = ages.map(weightOf);
const totalWeight = weights.reduce((sum, weight) => sum + weight);

/** A birth date by the age curve for member `number`, who was of age on joining. */
export function drawBirthDate(number: number, random: Random, now: Date, joinedAt: Date): string {
  const age = ageAt(evenly(number, 'plastic'));
  const daysIntoTheYear = random.below(365);
  const born = before(yearsBefore(now, age), daysIntoTheYear * dayMs);
  const latestBirth = before(yearsBefore(joinedAt, minimumAgeYears), random.below(200) * dayMs);
  return dayOf(earliest(born, latestBirth));
}

function ageAt(position: number): number {
  let left = position * totalWeight;
  for (const [i, weight] of weights.entries()) {
    if (left < weight) return minimumAgeYears + i;
    left -= weight;
  }
  return oldestYears;
}

function weightOf(age: number): number {
  const upper = ageCurve.findIndex(([years]) => years >= age);
  const [toYears, toWeight] = ageCurve[upper] ?? [oldestYears, 0];
  const [fromYears, fromWeight] = ageCurve[upper - 1] ?? [toYears - 1, toWeight];
  return fromWeight + ((age - fromYears) / (toYears - fromYears)) * (toWeight - fromWeight);
}
