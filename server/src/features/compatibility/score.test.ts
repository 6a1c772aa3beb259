import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CompatibilityAnswer, type Importance, importances } from '#contract/compatibility/compatibility.ts';
import { questions } from '#contract/compatibility/questions.ts';
import { compatibilityScore, satisfaction } from './score.ts';

/** The answer to question `index` by option number: own, those that are fine, how important. */
function say(index: number, own: number, accepted: number[], importance: Importance = 'somewhat'): CompatibilityAnswer {
  const question = questions[index];
  const option = (place: number) => question?.options[place]?.id ?? '';
  return { questionId: question?.id ?? '', answer: option(own), accepted: accepted.map(option), importance };
}

/** The first `count` questions, each answered alike. */
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

describe('how far a member’s answers satisfy another', () => {
  test('is the satisfied weight divided by the weight both answered', () => {
    const own = [
      say(0, 0, [1], 'very'),
      say(1, 0, [1], 'somewhat'),
      say(2, 0, [1], 'a-little'),
      say(3, 0, [1], 'very'),
    ];
    const other = [say(0, 1, [0]), say(1, 0, [0]), say(2, 1, [0])];
    expect(satisfaction(own, other)).toEqual({ common: 3, share: 51 / 61 });
  });

  test.each<[Importance, number]>([
    ['irrelevant', 0],
    ['a-little', 1],
    ['somewhat', 10],
    ['very', 50],
    ['mandatory', 250],
  ])('weighs what is %s as %i', (importance, weight) => {
    const own = [say(0, 0, [1], importance), say(1, 0, [1], 'a-little')];
    expect(satisfaction(own, [say(0, 1, [0]), say(1, 0, [0])]).share).toBe(weight / (weight + 1));
  });

  test('does not count a question to which every answer is fine, however important it is called', () => {
    const all = questions[0]?.options.map((_, place) => place) ?? [];
    const own = [say(0, 0, all, 'mandatory'), say(1, 0, [1], 'a-little')];
    expect(satisfaction(own, [say(0, 1, [0]), say(1, 0, [0])])).toEqual({ common: 2, share: 0 });
  });

  test('is null when nothing matters or nothing is in common', () => {
    expect(satisfaction(first(6, 0, [], 'irrelevant'), first(6, 0, [0]))).toEqual({ common: 6, share: null });
    expect(satisfaction([say(0, 0, [0])], [say(1, 0, [0])])).toEqual({ common: 0, share: null });
  });
});

describe('the score of two people', () => {
  test('of full agreement is 100 minus the margin for few answers', () => {
    expect(compatibilityScore(first(5, 0, [0]), first(5, 0, [0]))).toBe(80);
    expect(compatibilityScore(first(40, 0, [0]), first(40, 0, [0]))).toBe(98);
  });

  test('is the geometric mean of both sides, minus that margin', () => {
    const one = first(10, 0, [0]);
    const other = [...first(4, 0, [0]), ...one.slice(4).map((_, index) => say(index + 4, 1, [0]))];
    expect(satisfaction(one, other).share).toBe(0.4);
    expect(satisfaction(other, one).share).toBe(1);
    expect(compatibilityScore(one, other)).toBe(Math.round(100 * Math.sqrt(0.4) - 10));
  });

  test('needs five answers in common', () => {
    expect(compatibilityScore(first(4, 0, [0]), first(4, 0, [0]))).toBeNull();
    expect(compatibilityScore(first(4, 0, [0]), first(40, 0, [0]))).toBeNull();
    expect(compatibilityScore([], [])).toBeNull();
  });

  test('is null when nothing matters to one of them', () => {
    expect(compatibilityScore(first(9, 0, [], 'irrelevant'), first(9, 0, [0]))).toBeNull();
  });

  test('is 0 and never less when nothing fits', () => {
    expect(compatibilityScore(first(9, 0, [0]), first(9, 1, [1]))).toBe(0);
  });

  test('is symmetric, an integer, and from 0 to 100', () => {
    fc.assert(
      fc.property(anyAnswers, anyAnswers, (one, other) => {
        const score = compatibilityScore(one, other);
        expect(compatibilityScore(other, one)).toBe(score);
        if (score === null) return;
        expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true);
      }),
    );
  });

  test('never drops when the other gives an accepted answer', () => {
    fc.assert(
      fc.property(anyAnswers, anyAnswers, (one, other) => {
        const pleasing = other.map((answer) => {
          const wish = one.find(({ questionId }) => questionId === answer.questionId)?.accepted[0];
          return wish === undefined ? answer : { ...answer, answer: wish };
        });
        expect(compatibilityScore(one, pleasing) ?? 0).toBeGreaterThanOrEqual(compatibilityScore(one, other) ?? 0);
      }),
    );
  });
});
