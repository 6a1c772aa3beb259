import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CompatibilityAnswer, type Importance, importances, questions } from '#contract/compatibility.ts';
import { answersFit, compatibilityBand } from './score.ts';

/** The answer to question `index`, by option numbers: the member's own answer, the accepted answers, and the importance. */
function say(index: number, own: number, accepted: number[], importance: Importance = 'somewhat'): CompatibilityAnswer {
  const question = questions[index];
  const option = (place: number) => question?.options[place]?.id ?? '';
  return { questionId: question?.id ?? '', answer: option(own), accepted: accepted.map(option), importance };
}

/** The first `count` questions, each answered the same way. */
const first = (count: number, own: number, accepted: number[], importance?: Importance) =>
  Array.from({ length: count }, (_, index) => say(index, own, accepted, importance));

const anyAnswer = (index: number) => {
  const places = (questions[index]?.options ?? []).map((_, place) => place);
  return fc
    .tuple(fc.constantFrom(...places), fc.subarray(places, { minLength: 1 }), fc.constantFrom(...importances))
    .map(([own, accepted, importance]) => say(index, own, accepted, importance));
};
const anyAnswers = fc
  .subarray(
    questions.map((_, index) => index),
    { minLength: 0 },
  )
  .chain((indexes) => fc.tuple(...indexes.map(anyAnswer)));

/** The fit of two sheets with the same number of questions, before it is moved towards the middle. */
const unshrunk = (one: CompatibilityAnswer[], other: CompatibilityAnswer[]) => {
  const fit = answersFit(one, other);
  return fit === null ? null : 55 + (fit - 55) / (one.length / (one.length + 20));
};

describe('the fit of two people’s answers', () => {
  test('is the mean of how far each satisfies the other', () => {
    const one = first(10, 0, [0]);
    const other = [...first(4, 0, [0]), ...one.slice(4).map((_, index) => say(index + 4, 1, [0]))];
    expect(unshrunk(one, other)).toBeCloseTo(100 * ((0.4 + 1) / 2), 9);
  });

  test('is farther from the middle the more questions two people share', () => {
    const fits = [10, 20, 40].map((count) => answersFit(first(count, 0, [0]), first(count, 0, [0])));
    expect(fits.map((fit) => Math.round(fit ?? 0))).toEqual([70, 78, 85]);
  });

  test('is missing below ten shared questions', () => {
    expect(answersFit(first(9, 0, [0]), first(40, 0, [0]))).toBeNull();
    expect(answersFit(first(10, 0, [0]), first(40, 0, [0]))).not.toBeNull();
    expect(answersFit([], [])).toBeNull();
  });

  test('counts only questions that matter to both, so that one mandatory question among irrelevant ones reveals nothing', () => {
    const [matters, doesNot] = [first(40, 0, [0]), first(40, 0, [], 'irrelevant')];
    const all = questions.map(({ options }, index) =>
      say(
        index,
        0,
        options.map((_, place) => place),
        'mandatory',
      ),
    );
    for (const one of [doesNot, all]) {
      expect([answersFit(one, matters), answersFit(matters, one)]).toEqual([null, null]);
      const probing = [say(0, 0, [0], 'mandatory'), ...one.slice(1)];
      expect(answersFit(probing, matters)).toBeNull();
      expect(answersFit([...first(9, 0, [0]), ...one.slice(9)], matters)).toBeNull();
    }
  });

  test.each<[Importance, number]>([
    ['a-little', 1],
    ['somewhat', 10],
    ['very', 50],
    ['mandatory', 250],
  ])('gives an answer that is %s the weight %i, limited to a fifth of the sum', (importance, weight) => {
    const own = [say(0, 0, [1], importance), ...first(30, 0, [0], 'somewhat').slice(1)];
    const share = Math.min(weight / (weight + 290), 0.2);
    expect(unshrunk(own, first(30, 0, [0]))).toBeCloseTo(50 * (1 - share) + 50, 9);
  });

  test('is symmetric and between 0 and 100', () => {
    fc.assert(
      fc.property(anyAnswers, anyAnswers, (one, other) => {
        const fit = answersFit(one, other);
        expect(answersFit(other, one) ?? -1).toBeCloseTo(fit ?? -1, 9);
        if (fit !== null) expect(fit >= 0 && fit <= 100).toBe(true);
      }),
    );
  });

  test('changes by at most a fifth when one answer changes', () => {
    const all = fc.tuple(...questions.slice(0, 12).map((_, index) => anyAnswer(index)));
    fc.assert(
      fc.property(all, all, fc.nat(11), fc.nat(2), (one, other, index, place) => {
        const options = questions[index]?.options ?? [];
        const changed = other.map((given, at) =>
          at === index ? { ...given, answer: options[place % options.length]?.id ?? '' } : given,
        );
        const [before, after] = [answersFit(one, other), answersFit(one, changed)];
        expect(Math.abs((before ?? 0) - (after ?? 0))).toBeLessThanOrEqual(20);
      }),
    );
  });

  test('never drops when the other person gives an accepted answer', () => {
    fc.assert(
      fc.property(anyAnswers, anyAnswers, (one, other) => {
        const pleasing = other.map((answer) => {
          const wish = one.find(({ questionId }) => questionId === answer.questionId)?.accepted[0];
          return wish === undefined ? answer : { ...answer, answer: wish };
        });
        expect(answersFit(one, pleasing) ?? 0).toBeGreaterThanOrEqual((answersFit(one, other) ?? 0) - 1e-9);
      }),
    );
  });
});

describe('the compatibility band', () => {
  test('is low, good or high from ten shared questions on, and missing below', () => {
    expect(compatibilityBand(first(10, 0, [0]), first(10, 0, [0]))).toBe('high');
    expect(compatibilityBand(first(20, 0, [0]), first(20, 0, [1]))).toBe('good');
    expect(compatibilityBand(first(10, 0, [0]), first(10, 1, [1]))).toBe('low');
    expect(compatibilityBand(first(9, 0, [0]), first(9, 0, [0]))).toBeNull();
  });
});
