import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { childrenAnswers, relationshipGoals, smokingAnswers } from '#contract/profiles/profile-details.ts';
import { aCandidate, aViewer } from '../../../../test/discovery-rows.ts';
import { answersTerm, centrality, contentOf, contentTerms, distanceTerm, features, type Feature } from './content.ts';
import type { Candidate, Stated } from './people.ts';

const noShares = new Map<string, number>();
const terms = (viewer: Partial<Stated>, candidate: Partial<Candidate>, shares = noShares) =>
  contentTerms(aViewer(viewer), aCandidate(candidate), shares);
/** The term of two people who state only one thing. */
const termOf = (feature: Feature, viewer: Partial<Stated>, candidate: Partial<Candidate>) => {
  const all = terms(viewer, candidate);
  expect(features.filter((other) => other !== feature).map((other) => all[other])).toEqual(
    features.slice(1).map(() => 0),
  );
  return all[feature];
};

describe('the content term', () => {
  test.each([
    ['long-term', 'long-term', 0.35],
    ['open-to-see', 'open-to-see', 0.35],
    ['long-term', 'open-to-see', 0.1],
    ['open-to-see', 'friendship', 0.1],
    ['long-term', 'short-term', -0.6],
    ['friendship', 'long-term', -0.6],
    ['long-term', null, 0],
    [null, null, 0],
  ] as const)('of the goals %s and %s is %f', (one, other, weight) => {
    expect(termOf('goal', { goal: one }, { goal: other })).toBe(weight);
    expect(termOf('goal', { goal: other }, { goal: one })).toBe(weight);
  });

  test.each([
    ['want', 'do-not-want', -0.6],
    ['have-and-want-more', 'do-not-want', -0.6],
    ['want', 'have-and-want-more', 0.05],
    ['do-not-want', 'do-not-want', 0.05],
    ['have', 'do-not-want', 0],
    ['open', 'want', 0],
    ['want', null, 0],
  ] as const)('of the answers on children %s and %s is %f', (one, other, weight) => {
    expect(termOf('children', { children: one }, { children: other })).toBe(weight);
    expect(termOf('children', { children: other }, { children: one })).toBe(weight);
  });

  test.each([
    ['never', 'regularly', -0.25],
    ['sometimes', 'never', -0.25],
    ['never', 'never', 0.05],
    ['never', 'quitting', 0],
    ['sometimes', 'regularly', 0],
    ['never', null, 0],
  ] as const)('of smoking %s and %s is %f', (one, other, weight) => {
    expect(termOf('smoking', { smoking: one }, { smoking: other })).toBe(weight);
  });

  test.each([
    [['cs'], ['es'], -0.8],
    [['cs', 'es'], ['en', 'cs'], 0.05],
    [['cs'], [], 0],
  ])('of the languages %j and %j is %f', (one, other, weight) => {
    expect(termOf('languages', { languages: one }, { languages: other })).toBe(weight);
  });

  test.each([
    ['never', 'often', -0.1],
    ['rarely', 'socially', -0.1 / 3],
    ['often', 'often', 0],
    [null, 'often', 0],
  ] as const)('of drinking %s and %s is %f', (one, other, weight) => {
    expect(termOf('drinking', { drinking: one }, { drinking: other })).toBeCloseTo(weight, 12);
  });

  test.each([
    ['never', 'daily', -0.1],
    ['weekly', 'daily', -0.1 / 3],
    ['weekly', 'weekly', 0],
  ] as const)('of exercise %s and %s is %f', (one, other, weight) => {
    expect(termOf('exercise', { exercise: one }, { exercise: other })).toBeCloseTo(weight, 12);
  });

  test.each([
    [0, 0],
    [4.9, 0],
    [5, -0.2 * Math.log2(1.5)],
    [9.9, -0.2 * Math.log2(1.5)],
    [24, -0.2],
    [30, -0.2 * Math.log2(3.5)],
    [50, -0.2 * Math.log2(6)],
    [5000, -0.2 * Math.log2(6)],
    [null, 0],
  ])('of a distance of %f km depends on its band and is %f', (km, weight) => {
    expect(distanceTerm(km)).toBeCloseTo(weight, 12);
    expect(termOf('distance', {}, { distanceKm: km })).toBeCloseTo(weight, 12);
  });
});

describe('the age term', () => {
  const wish = { min: 30, max: 40, required: true };

  test.each([
    [35, 1],
    [33, 1],
    [37.5, 1],
    [38, 0.8],
    [39, 0.4],
    [30, 0],
    [40, 0],
    [29, 0],
    [60, 0],
  ])('gives the age %f the position %f in a range of 30 to 40', (age, share) => {
    expect(centrality(age, wish)).toBeCloseTo(share, 12);
  });

  test('is up to +0.20 in the middle of both ranges, follows the less central age, and is 0 unless both set a range', () => {
    const middle = { age: 35, agePreference: wish };
    expect(termOf('age', middle, middle)).toBeCloseTo(0.2, 12);
    expect(termOf('age', middle, { age: 38, agePreference: wish })).toBeCloseTo(0.16, 12);
    expect(termOf('age', middle, { age: 35, agePreference: { ...wish, min: 20, max: 34 } })).toBe(0);
    expect(termOf('age', middle, { age: 35 })).toBe(0);
    expect(centrality(35, { min: 35, max: 35 })).toBe(1);
  });
});

describe('the term of compatibility answers', () => {
  test.each([
    ['high', 0.4],
    ['good', 0],
    ['low', -0.4],
    [null, 0],
  ] as const)('is, for the band %s, %f', (band, weight) => {
    expect(answersTerm(band)).toBe(weight);
  });
});

describe('the term of shared interests', () => {
  const shares = new Map([
    ['hiking', 0.4],
    ['beekeeping', 0.01],
  ]);
  const worth = (...interests: string[]) => terms({ interests }, { interests }, shares).interests;

  test('grows with rarity, up to 0.15 together', () => {
    expect(worth('beekeeping')).toBeCloseTo((0.15 * -Math.log(0.01)) / 10, 12);
    expect(worth('beekeeping')).toBeGreaterThan(worth('hiking'));
    expect(worth('hiking', 'beekeeping')).toBeCloseTo(worth('hiking') + worth('beekeeping'), 12);
    expect(worth('beekeeping', 'opera', 'chess', 'radio', 'tea')).toBe(0.15);
  });

  test('is 0 if only one person states them', () => {
    expect(terms({ interests: ['chess'] }, { interests: ['tea'] }).interests).toBe(0);
  });
});

describe('the content of a pair', () => {
  test('is the sum of its terms, optionally without one', () => {
    const there = terms({ goal: 'long-term', smoking: 'never' }, { goal: 'long-term', smoking: 'regularly' });
    expect(contentOf(there)).toBeCloseTo(0.1, 12);
    expect(contentOf(there, 'smoking')).toBeCloseTo(0.35, 12);
  });

  test('stays within ± 0.8', () => {
    const apart = terms(
      { goal: 'long-term', children: 'want', languages: ['cs'] },
      { goal: 'short-term', children: 'do-not-want', languages: ['es'] },
    );
    expect(contentOf(apart)).toBe(-0.8);
    const together = { ...apart, goal: 0.35, children: 0.05, languages: 0.05, answers: 0.4, interests: 0.15 };
    expect(contentOf(together)).toBe(0.8);
  });

  test('is symmetric and always within its bounds', () => {
    const said = <T>(words: readonly T[]) => fc.option(fc.constantFrom(...words));
    const stated = fc.record({
      goal: said(relationshipGoals),
      children: said(childrenAnswers),
      smoking: said(smokingAnswers),
      languages: fc.subarray(['cs', 'es', 'en']),
      interests: fc.subarray(['hiking', 'chess', 'tea']),
      age: fc.integer({ min: 18, max: 99 }),
    });
    fc.assert(
      fc.property(stated, stated, (one, other) => {
        const [forth, turned] = [terms(one, other), terms(other, one)];
        for (const feature of features) expect(forth[feature]).toBeCloseTo(turned[feature], 12);
        expect(Math.abs(contentOf(forth))).toBeLessThanOrEqual(0.8);
      }),
    );
  });
});
