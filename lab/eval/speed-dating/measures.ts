import { wilcoxonRankSum } from 'simple-statistics';
import type { Random } from '../../chaos/random.ts';

/** Scores with outcomes, raters and evenings, as arrays of equal length. */
export interface Scored {
  scores: number[];
  isCase: boolean[];
  people: number[];
  waves: string[];
}

const resamples = 500;
const lowestOf95Percent = 0.025;
const topCount = 3;
const datesLeast = 9;
const fifths = 5;

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

function groups<K>(keys: readonly K[]): number[][] {
  const found = new Map<K, number[]>();
  for (const [index, key] of keys.entries()) {
    const list = found.get(key);
    if (list === undefined) found.set(key, [index]);
    else list.push(index);
  }
  return [...found.values()];
}

const areaOf = ({ scores, isCase }: Pick<Scored, 'scores' | 'isCase'>, indexes: readonly number[]) =>
  areaUnderCurve(
    indexes.map((index) => scores[index] ?? 0),
    indexes.map((index) => isCase[index] === true),
  );

/** The area under the curve over all cases. */
export function overall({ scores, isCase }: Scored): number {
  return areaUnderCurve(scores, isCase) ?? 0.5;
}

/** The mean area under the curve within each rater, weighted by how many pairs of a yes and a no they have. */
export function within(scored: Scored): number {
  let [sum, count] = [0, 0];
  for (const indexes of groups(scored.people)) {
    const area = areaOf(scored, indexes);
    if (area === null) continue;
    const yes = indexes.filter((index) => scored.isCase[index] === true).length;
    const pairs = yes * (indexes.length - yes);
    sum += area * pairs;
    count += pairs;
  }
  return count === 0 ? 0.5 : sum / count;
}

/** How many times likelier than average a rater's three best-scored cases come true, among raters with enough dates to choose from. */
export function topLift({ scores, isCase, people }: Scored): number {
  const asked = groups(people).filter((indexes) => indexes.length >= datesLeast);
  const top = asked.flatMap((indexes) =>
    indexes.toSorted((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0)).slice(0, topCount),
  );
  const rate = (indexes: readonly number[]) => mean(indexes.map((index) => (isCase[index] === true ? 1 : 0)));
  return rate(top) / rate(asked.flat());
}

/** The largest gap between predicted and actual rate, over fifths of the predictions. */
export function worstFifth({ scores, isCase }: Scored): number {
  const order = scores.map((_, index) => index).sort((one, other) => (scores[one] ?? 0) - (scores[other] ?? 0));
  const gaps = Array.from({ length: fifths }, (_, part) => {
    const size = order.length / fifths;
    const indexes = order.slice(Math.round(part * size), Math.round((part + 1) * size));
    return Math.abs(
      mean(indexes.map((index) => scores[index] ?? 0)) - mean(indexes.map((index) => (isCase[index] === true ? 1 : 0))),
    );
  });
  return Math.max(...gaps);
}

/** The lower bound of 95 % of the difference in area between two scores of the same cases, resampling whole evenings. */
export function lowerBoundOfGain(better: Scored, worse: Scored, random: Random): number {
  const evenings = groups(better.waves);
  const gains = Array.from({ length: resamples }, () => {
    const indexes = evenings.flatMap(() => evenings[Math.floor(random.next() * evenings.length)] ?? []);
    return (areaOf(better, indexes) ?? 0.5) - (areaOf(worse, indexes) ?? 0.5);
  });
  gains.sort((one, other) => one - other);
  return gains[Math.floor(lowestOf95Percent * resamples)] ?? 0;
}

/**
 * The chance that a value of `cases` is higher than one of `others`, with ties counting half: the area under the ROC
 * curve. 0.5 means that nothing separates the two. Throws if one of them is empty.
 */
export function areaBetween(cases: number[], others: number[]): number {
  // Mann and Whitney's U, from the rank sum, as a share of all pairs.
  return (wilcoxonRankSum(cases, others) - (cases.length * (cases.length + 1)) / 2) / (cases.length * others.length);
}

/** The area under the ROC curve of scores and their outcomes; null if there is only one kind of outcome. */
export function areaUnderCurve(scores: readonly number[], isCase: readonly boolean[]): number | null {
  const cases = scores.filter((_, index) => isCase[index] === true);
  const others = scores.filter((_, index) => isCase[index] !== true);
  return cases.length === 0 || others.length === 0 ? null : areaBetween(cases, others);
}
