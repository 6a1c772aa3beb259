import {
  commonAnswersMin,
  type CompatibilityAnswer,
  type CompatibilityBand,
  importanceWeights,
  questionById,
} from '#contract/compatibility.ts';

type Answers = readonly CompatibilityAnswer[];

/** One side's satisfaction depends on at least this many questions: none has more than a fifth of the weight. */
const weightSharesMin = 5;
/** With this many shared questions, the fit lies halfway between what they say and `unknownFit`; without any, it is `unknownFit`. */
const shrinkage = 20;
const unknownFit = 55;
/**
 * Limits of the bands. Most pairs are good, so that a band says little about single answers: `answers-attack.test.ts` measures how little.
 */
const [goodFrom, highFrom] = [38, 68];

/** The weight of an answer; 0 if every option is acceptable, whatever the stated importance. */
function weightOf({ questionId, accepted, importance }: CompatibilityAnswer): number {
  const acceptsAll = questionById(questionId)?.options.every(({ id }) => accepted.includes(id)) === true;
  return acceptsAll ? 0 : importanceWeights[importance];
}

/** The largest weight that leaves no question more than a fifth of the sum, once larger weights are cut to it. */
function weightLimit(weights: readonly number[]): number {
  const sorted = weights.toSorted((one, other) => other - one);
  let rest = sorted.reduce((sum, weight) => sum + weight, 0);
  let cut = 0;
  while (cut < weightSharesMin - 1 && (sorted[cut] ?? 0) > rest / (weightSharesMin - cut)) rest -= sorted[cut++] ?? 0;
  return rest / (weightSharesMin - cut);
}

/** How far the other person's answers satisfy the author of `own` (0…1), both to the same questions in the same order. */
function satisfaction(own: Answers, others: Answers): number {
  const limit = weightLimit(own.map(weightOf));
  let [met, possible] = [0, 0];
  for (const [index, given] of own.entries()) {
    const weight = Math.min(weightOf(given), limit);
    possible += weight;
    if (given.accepted.includes(others[index]?.answer ?? '')) met += weight;
  }
  return met / possible;
}

/** Caches the answers by question, because one viewer's list is compared with everyone's on a page. */
const indexes = new WeakMap<Answers, Map<string, CompatibilityAnswer>>();

function indexOf(answers: Answers): Map<string, CompatibilityAnswer> {
  const known = indexes.get(answers);
  if (known !== undefined) return known;
  const made = new Map(answers.map((given) => [given.questionId, given]));
  indexes.set(answers, made);
  return made;
}

/**
 * How well two people's answers fit, 0…100 and symmetric: the mean of how far each satisfies the other, moved towards the middle when
 * few questions are shared. Null below ten shared questions that matter to both. One answer moves it by less than a fifth. Importance is
 * weighed as by OkCupid (https://blogs.ams.org/mathgradblog/2016/06/08/okcupid-math-online-dating/). Never shown: see
 * `compatibilityBand`.
 */
export function answersFit(one: Answers, other: Answers): number | null {
  const answered = indexOf(one);
  const shared = other.flatMap((theirs) => {
    const own = answered.get(theirs.questionId);
    return own === undefined || weightOf(own) === 0 || weightOf(theirs) === 0 ? [] : [{ own, theirs }];
  });
  if (shared.length < commonAnswersMin) return null;
  const [ours, theirs] = [shared.map(({ own }) => own), shared.map((pair) => pair.theirs)];
  const fit = 50 * (satisfaction(ours, theirs) + satisfaction(theirs, ours));
  return unknownFit + (fit - unknownFit) * (shared.length / (shared.length + shrinkage));
}

/** All that members ever learn about how their answers fit; null if they share too few. */
export function compatibilityBand(one: Answers, other: Answers): CompatibilityBand | null {
  const fit = answersFit(one, other);
  if (fit === null) return null;
  return fit >= highFrom ? 'high' : fit >= goodFrom ? 'good' : 'low';
}
