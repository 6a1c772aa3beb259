import { describe, expect, test } from 'vitest';
import { chance, sigmoid, unknownBase } from '../score/score.ts';
import {
  alikeWeightOf,
  baseOf,
  countAlike,
  decayed,
  information,
  learnFrom,
  learnFromMatch,
  moved,
  nothingLearned,
  memberScoreMax,
  warmthSd,
} from './learning.ts';
import { outcomesOf } from './outcomes.ts';

const first = {
  liked: true,
  base: 0,
  content: 0,
  alike: 0,
  alikeWeight: 0,
  selectivity: nothingLearned,
  selectivityDays: 0,
  appeal: nothingLearned,
  appealDays: 0,
};

describe('the tendency to like people of similar appeal', () => {
  /** What is learned from decisions at these chances, for a true weight. */
  function learnedFor(weight: number): number {
    const counts = { information: 0, evidence: 0 };
    for (let turn = 0; turn < 6000; turn += 1) {
      const alike = 0.8 - (turn % 17) / 8;
      const p = sigmoid(-1 + weight * alike);
      const known = alikeWeightOf(counts);
      const expected = sigmoid(-1 + known * alike);
      const added = countAlike(alike, known, p - expected, information(expected));
      counts.information += added.information;
      counts.evidence += added.evidence;
    }
    return alikeWeightOf(counts);
  }

  test('is learned from decisions, and slightly underestimated', () => {
    expect(learnedFor(1)).toBeGreaterThan(0.65);
    expect(learnedFor(1)).toBeLessThan(1);
  });

  test('is 0 at first, where it does not matter, and where the opposite is true', () => {
    expect([alikeWeightOf({ information: 0, evidence: 0 }), learnedFor(-1)]).toEqual([0, 0]);
    expect(learnedFor(0)).toBe(0);
    expect(alikeWeightOf({ information: 400, evidence: 39 })).toBe(0);
  });

  test('changes the chance that a decision is compared with', () => {
    const likely = learnFrom({ ...first, alike: 0.8, alikeWeight: 1 });
    expect(likely.appeal.value).toBeLessThan(learnFrom(first).appeal.value);
    const p = sigmoid(0.8);
    const gained = p * (1 - p) * 0.64;
    expect(likely.alike.information).toBeCloseTo(gained, 12);
    expect(likely.alike.evidence).toBeCloseTo((1 - p) * 0.8 + gained, 12);
  });
});

describe('a decision', () => {
  test('moves the scores of both by the residual over their weight: W + 1/1.15² and W + 1/1.02²', () => {
    const { selectivity, appeal } = learnFrom(first);
    expect(selectivity).toEqual({ value: 0.5 / (0.25 + 1 / 1.15 ** 2), weight: 0.25 });
    expect(appeal).toEqual({ value: 0.5 / (0.25 + 1 / 1.02 ** 2), weight: 0.25 });
  });

  test('moves the scores down by the same amount for a pass at even chances', () => {
    expect(learnFrom({ ...first, liked: false }).appeal.value).toBeCloseTo(-learnFrom(first).appeal.value, 12);
  });

  test('moves the scores little when it was expected, and much when it was surprising', () => {
    const expected = learnFrom({ ...first, base: 3 }).appeal.value;
    const surprising = learnFrom({ ...first, base: -3 }).appeal.value;
    expect(expected).toBeLessThan(0.06);
    expect(surprising).toBeGreaterThan(15 * expected);
  });

  test('has less effect the more is known', () => {
    const known = learnFrom({ ...first, appeal: { value: 0, weight: 20 } });
    expect(known.appeal.value).toBeCloseTo(0.5 / (20.25 + 1 / 1.02 ** 2), 12);
    expect(known.selectivity.value).toBe(learnFrom(first).selectivity.value);
  });

  test('never moves a score beyond ± 2', () => {
    const edge = { value: memberScoreMax, weight: 0 };
    expect(learnFrom({ ...first, base: -6, appeal: edge, selectivity: edge })).toMatchObject({
      appeal: { value: 2 },
      selectivity: { value: 2 },
    });
    const bottom = { value: -memberScoreMax, weight: 0 };
    expect(learnFrom({ ...first, base: 6, liked: false, appeal: bottom }).appeal.value).toBe(-2);
  });

  test('counts half after 90 days', () => {
    expect(decayed(8, 90)).toBe(4);
    expect(decayed(8, 0)).toBe(8);
    const late = learnFrom({ ...first, appeal: { value: 0, weight: 8 }, appealDays: 90 });
    expect(late.appeal.weight).toBeCloseTo(4 + 0.25, 12);
  });
});

describe('a match that is a week old', () => {
  const unknown = { ...nothingLearned, days: 0 };
  const kept = { talked: false, ended: false, low_left: false, high_left: false };

  test('moves the scores of both by the difference from what was expected', () => {
    const by = 0.5 / (0.25 + 1 / warmthSd ** 2);
    expect(learnFromMatch(0, [unknown, unknown], [1, 1])).toEqual([
      { value: by, weight: 0.25 },
      { value: by, weight: 0.25 },
    ]);
    expect(learnFromMatch(0, [unknown, unknown], [0, 0])[1].value).toBeCloseTo(-by, 12);
    const expected = learnFromMatch(0, [unknown, { ...unknown, value: 2 }], [1, 1]);
    expect(expected[0].value).toBeLessThan(by / 2);
  });

  test('changes nothing for a member it says nothing about, and halves older evidence after 90 days', () => {
    const old = { value: 0.5, weight: 8, days: 90 };
    expect(learnFromMatch(0, [old, unknown], [null, 0])[0]).toEqual({ value: 0.5, weight: 4 });
    expect(learnFromMatch(0, [old, unknown], [1, 0])[0].weight).toBeCloseTo(4 + 0.235, 3);
  });

  test('counts for both members if it became a conversation, and against the member who stopped writing', () => {
    expect(outcomesOf({ ...kept, talked: true })).toEqual([1, 1]);
    expect(outcomesOf(kept)).toEqual([0, 0]);
    expect(outcomesOf({ ...kept, talked: true, ended: true, low_left: true })).toEqual([null, 0]);
    expect(outcomesOf({ ...kept, talked: true, ended: true, low_left: true, high_left: true })).toEqual([0, 0]);
    expect(outcomesOf({ ...kept, talked: true, ended: true })).toEqual([null, null]);
  });
});

describe('the base log-odds of a segment', () => {
  test('are the log-odds of the share of likes, with a default before any decision', () => {
    expect(baseOf(0, 0)).toBeCloseTo(unknownBase, 12);
    expect(sigmoid(baseOf(60, 42))).toBeCloseTo(0.5, 12);
    expect(sigmoid(baseOf(1e6, 3.5e5))).toBeCloseTo(0.35, 4);
    expect(sigmoid(baseOf(1e6, 0))).toBeGreaterThan(0);
  });
});

describe('learning from many decisions', () => {
  /** A member liked by exactly `share` of viewers, shown `cards` times at a base log-odds. */
  const learnedAppeal = (share: number, base: number, cards: number) => {
    let appeal = 0;
    let weight = 0;
    for (let card = 0; card < cards; card += 1) {
      const p = chance(base, 0, appeal, 0);
      weight += information(p);
      appeal = moved(appeal, weight, share - p, 1.02);
    }
    return appeal;
  };

  test('makes the predicted chance converge to the actual rate', () => {
    expect(sigmoid(-1 + learnedAppeal(0.5, -1, 500))).toBeCloseTo(0.5, 1);
    expect(sigmoid(-1 + learnedAppeal(0.1, -1, 500))).toBeCloseTo(0.1, 1);
  });

  test('gives the same appeal whether the viewers are picky or not', () => {
    const easy = learnedAppeal(sigmoid(1 + 0.5), 1, 500);
    const picky = learnedAppeal(sigmoid(-1 + 0.5), -1, 500);
    expect(easy).toBeCloseTo(picky, 1);
  });
});
