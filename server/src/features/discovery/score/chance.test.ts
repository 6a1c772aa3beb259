import { describe, expect, test } from 'vitest';
import { aCandidate, aViewer, nothingKnown } from '../../../../test/discovery-rows.ts';
import {
  ageBand,
  alikeness,
  alikeSegment,
  boostOf,
  bucketOf,
  bucketsCount,
  capacity,
  capacityFloor,
  certainty,
  chance,
  expectedReads,
  inboxPenalty,
  logSigmoid,
  rankOf,
  replyRate,
  scoreOf,
  segmentOf,
  sigmoid,
} from './score.ts';

describe('the chance of a like', () => {
  test.each<[number, number, number, number, number]>([
    [0, 0, 0, 0, 0.5],
    [Math.log(3), 0, 0, 0, 0.75],
    [0, Math.log(3), 0, 0, 0.75],
    [0, 0, Math.log(3), 0, 0.75],
    [0, 0, 0, Math.log(3), 0.75],
    [-1, 0.5, 0.25, 0.25, 0.5],
  ])('is, with base %f, selectivity %f, appeal %f and content %f, %f', (base, selectivity, appeal, content, p) => {
    expect(chance(base, selectivity, appeal, content)).toBeCloseTo(p, 12);
  });

  test('has an exact logarithm for chances near 0 or 1', () => {
    expect(logSigmoid(0)).toBeCloseTo(Math.log(0.5), 12);
    expect(logSigmoid(-800)).toBe(-800);
    expect(logSigmoid(40)).toBeCloseTo(-Math.exp(-40), 30);
    expect(logSigmoid(-2)).toBeCloseTo(Math.log(sigmoid(-2)), 12);
  });
});

describe('similarity in appeal', () => {
  const rankOfAppeal = (own: number, other: number, weight: number) => {
    const viewer = aViewer({ memberScore: { man: { appeal: own, selectivity: 0 } } });
    const candidate = aCandidate({ memberScore: { appeal: other, selectivity: 0 } });
    return scoreOf(viewer, candidate, { ...nothingKnown, alike: new Map([[alikeSegment('woman', 'man'), weight]]) })
      .rank;
  };

  test('is 0 at the usual difference, and the same in both directions', () => {
    expect([alikeness(1, 0.2), alikeness(0.2, 1), alikeness(0.5, 0.5)]).toEqual([0, 0, 0.8]);
  });

  test('ranks members of similar appeal higher once it is known to matter', () => {
    expect(rankOfAppeal(-1, -1, 0)).toBeLessThan(rankOfAppeal(-1, 1, 0));
    expect(rankOfAppeal(-1, -1, 1.5)).toBeGreaterThan(rankOfAppeal(-1, 1, 1.5));
    expect(rankOfAppeal(1, 1, 1.5)).toBeGreaterThan(rankOfAppeal(1, -1, 1.5));
  });
});

describe('the rank', () => {
  test('is the product of both chances, the inbox factor and the boost, as a logarithm', () => {
    const rank = rankOf(1, -2, inboxPenalty(6, 3), 1.25);
    expect(Math.exp(rank)).toBeCloseTo((sigmoid(1) * sigmoid(-2) * 1.25) / 3, 12);
  });

  test('takes the second chance as 1 if the candidate already likes the viewer', () => {
    expect(Math.exp(rankOf(1, certainty, 0, 1))).toBeCloseTo(sigmoid(1), 12);
  });

  test('falls with the days since the last visit, from the second week on', () => {
    const rankAfter = (lastActiveDays: number, likesViewer = false) =>
      scoreOf(aViewer(), aCandidate({ lastActiveDays, likesViewer }), nothingKnown).rank;
    expect(rankAfter(7)).toBe(rankAfter(0));
    expect(rankAfter(14)).toBeCloseTo(rankAfter(0) - Math.log(2), 12);
    expect(rankAfter(28)).toBeCloseTo(rankAfter(0) - Math.log(4), 12);
    expect(rankAfter(28, true)).toBe(rankAfter(0, true));
    // Staff may ask for the rank of members who never visited.
    expect(rankAfter(Infinity)).toBe(rankAfter(30));
  });

  test.each([
    [false, 1.25, 0, 1],
    [true, 1.25, 0, 1.25],
    [true, 1.25, 13.9, 1.25],
    [true, 1.25, 14, 1],
    [true, 1.25, 29, 1],
    [true, 1.1, 0, 1.1],
    [true, 9, 0, 1.25],
    [true, 0.5, 0, 1],
  ])(
    'is, with premium %s, a requested boost × %f and %f days away, raised by a boost × %f',
    (isVip, factor, days, boost) => {
      expect(boostOf(isVip, factor, days)).toBe(boost);
    },
  );
});

describe('a segment', () => {
  test('consists of both genders and the age band of the candidate', () => {
    expect(segmentOf('woman', 'man', 26)).toBe('woman>man:26-35');
    expect(segmentOf('man', 'non-binary', 70)).toBe('man>non-binary:56+');
    expect([18, 25, 26, 35, 36, 45, 46, 55, 56, 120].map(ageBand)).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
  });
});

describe('the weekly inbox capacity', () => {
  test('follows the number of cards decided on per day, and is at least three', () => {
    expect(expectedReads(0, 28)).toBe(3);
    expect(expectedReads(28 * 60, 28)).toBeGreaterThan(2 * expectedReads(28 * 20, 28));
  });

  test('is the same for every newcomer, and hardly changes on the first day', () => {
    expect(expectedReads(0, 0)).toBeGreaterThan(3);
    expect(expectedReads(20, 1)).toBeLessThan(1.25 * expectedReads(0, 0));
    expect(expectedReads(28 * 10, 28)).toBeCloseTo(expectedReads(0, 0), 12);
  });

  test.each([
    [0, 0, 0.6],
    [5, 5, 0.8],
    [0, 5, 0.3],
    [995, 995, 0.998],
  ])('turns %i of %i answers into a reply rate of %f', (answered, received, rate) => {
    expect(replyRate(answered, received)).toBeCloseTo(rate, 12);
  });

  test('is scaled by 0.7 to 1.2 with the reply rate, and by 1 for a newcomer', () => {
    expect(capacity(10, 0)).toBeCloseTo(7, 12);
    expect(capacity(10, 1)).toBeCloseTo(12, 12);
    expect(capacity(10, replyRate(0, 0))).toBeCloseTo(10, 12);
    expect(capacity(0, 0)).toBeCloseTo(capacityFloor, 12);
  });
});

describe('the bucket of a score', () => {
  const part = { baseThere: -1, baseBack: -2, appeal: 0, selectivity: 0, inboxPenalty: 0, boost: 1 };

  test('rises with appeal, selectivity and premium, and falls with a full inbox', () => {
    const middle = bucketOf(part);
    expect(bucketOf({ ...part, appeal: 1 })).toBeGreaterThan(middle);
    expect(bucketOf({ ...part, selectivity: 1 })).toBeGreaterThan(middle);
    expect(bucketOf({ ...part, boost: 1.25 })).toBeGreaterThan(middle);
    expect(bucketOf({ ...part, inboxPenalty: inboxPenalty(9, 3) })).toBeLessThan(middle);
  });

  test('is always an integer from 0 to 63', () => {
    expect(bucketOf({ ...part, baseThere: -50 })).toBe(0);
    expect(bucketOf({ ...part, baseThere: 50, baseBack: 50 })).toBe(bucketsCount - 1);
    expect(Number.isInteger(bucketOf(part))).toBe(true);
  });
});
