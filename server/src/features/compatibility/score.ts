import {
  commonAnswersMin,
  type CompatibilityAnswer,
  importanceWeights,
} from '#contract/compatibility/compatibility.ts';
import { questionById } from '#contract/compatibility/questions.ts';

type Answers = readonly CompatibilityAnswer[];

/** The weight of an answer; 0 if every option is acceptable, whatever the stated importance. */
function weightOf({ questionId, accepted, importance }: CompatibilityAnswer): number {
  const acceptsAll = questionById(questionId)?.options.every(({ id }) => accepted.includes(id)) === true;
  return acceptsAll ? 0 : importanceWeights[importance];
}

const weigh = (answers: Answers) => answers.reduce((sum, answer) => sum + weightOf(answer), 0);

/**
 * How far the other person's answers satisfy the author of `own`: the weight of acceptably answered questions as a share (0…1) of the
 * weight of all shared questions, and their number. The share is null if none of them matters to the author.
 */
export function satisfaction(own: Answers, others: Answers): { common: number; share: number | null } {
  const answered = new Map(others.map(({ questionId, answer }) => [questionId, answer]));
  const common = own.filter(({ questionId }) => answered.has(questionId));
  const met = common.filter(({ questionId, accepted }) => accepted.includes(answered.get(questionId) ?? ''));
  const possible = weigh(common);
  return { common: common.length, share: possible === 0 ? null : weigh(met) / possible };
}

/**
 * How well two people's answers fit, symmetric: a whole number 0…100, or null below five shared answers or if none of them matters to
 * one of the two. OkCupid's method: the geometric mean of the two satisfactions, in
 * percent, less 100/n for the chance in n common answers (its FAQ 'Match percentages';
 * https://blogs.ams.org/mathgradblog/2016/06/08/okcupid-math-online-dating/).
 */
export function compatibilityScore(one: Answers, other: Answers): number | null {
  const there = satisfaction(one, other);
  const back = satisfaction(other, one);
  if (there.common < commonAnswersMin || there.share === null || back.share === null) return null;
  return Math.max(0, Math.round(100 * Math.sqrt(there.share * back.share) - 100 / there.common));
}
