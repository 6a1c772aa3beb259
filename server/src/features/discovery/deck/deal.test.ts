import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aCandidate, aViewer, nothingKnown } from '../../../../test/discovery-rows.ts';
import { dealPage, rankedFor, varied } from './page.ts';
import { type Candidate, isEligible, type Viewer } from '../score/people.ts';
import { scoreOf } from '../score/score.ts';

describe('the score', () => {
  test('takes b from the segment of each side, and S and A from the score of each member', () => {
    const viewer = aViewer({
      memberScore: { man: { selectivity: 0.5, appeal: -0.25 }, woman: { selectivity: 9, appeal: 9 } },
    });
    const candidate = aCandidate({ memberScore: { selectivity: 0.75, appeal: 1 } });
    const base = new Map([
      ['woman>man:26-35', -1.5],
      ['man>woman:26-35', -0.5],
    ]);
    const { chanceThere, chanceBack, rank } = scoreOf(viewer, candidate, { ...nothingKnown, base });
    expect([chanceThere, chanceBack]).toEqual([0.5, 0.5]);
    expect(rank).toBeCloseTo(2 * Math.log(0.5), 12);
  });

  test('assumes a like rate of one in five when nothing is known', () => {
    expect(scoreOf(aViewer(), aCandidate(), nothingKnown).chanceThere).toBeCloseTo(0.2, 12);
  });

  test('treats a like as certain if the candidate already likes the viewer', () => {
    const { chanceBack, chanceThere, rank } = scoreOf(aViewer(), aCandidate({ likesViewer: true }), nothingKnown);
    expect(chanceBack).toBe(1);
    expect(rank).toBeCloseTo(Math.log(chanceThere), 12);
  });

  test('falls with waiting likes, less for members who read more of them', () => {
    const rank = (row: Partial<Candidate>) => scoreOf(aViewer(), aCandidate(row), nothingKnown).rank;
    const free = rank({});
    expect(rank({ pendingLikes: 3, readsWeekly: 3 })).toBeCloseTo(free - Math.log(2), 12);
    expect(rank({ pendingLikes: 3, readsWeekly: 9 })).toBeCloseTo(free - Math.log(4 / 3), 12);
    expect(rank({ isVip: true })).toBeCloseTo(free + Math.log(1.25), 12);
  });
});

describe('isEligible', () => {
  const ages = { min: 30, max: 36, required: true };
  const near = { maxKm: 20, required: true };
  test.each<[boolean, string, Partial<Viewer>, Partial<Candidate>]>([
    [true, 'who seek each other', {}, {}],
    [false, 'where the viewer seeks another gender', { seeking: ['woman'] }, {}],
    [false, 'where the candidate seeks another gender', {}, { seeking: ['man'] }],
    [true, 'at the edge of both ages', { age: 30, agePreference: ages }, { age: 36, agePreference: ages }],
    [false, 'beyond the viewer’s ages', { agePreference: ages }, { age: 37 }],
    [false, 'below the candidate’s ages', { age: 29 }, { agePreference: ages }],
    [
      true,
      'outside ages that are only preferred',
      {},
      { agePreference: { ...ages, min: 40, max: 50, required: false } },
    ],
    [true, 'as far as both allow', { distancePreference: near }, { distanceKm: 20, distancePreference: near }],
    [false, 'farther than the viewer allows', { distancePreference: near }, { distanceKm: 20.1 }],
    [false, 'farther than the candidate allows', {}, { distanceKm: 21, distancePreference: near }],
    [false, 'of unknown distance where it matters', { distancePreference: near }, { distanceKm: null }],
    [true, 'of unknown distance where it does not', {}, { distancePreference: { ...near, required: false } }],
    [true, 'after 29 inactive days', {}, { lastActiveDays: 29 }],
    [false, 'after 30 inactive days', {}, { lastActiveDays: 30 }],
  ])('returns %s for two people %s', (may, _, viewer, candidate) => {
    expect(isEligible(aViewer(viewer), aCandidate(candidate))).toBe(may);
  });
});

describe('neighbouring cards', () => {
  const order = (...cards: string[][]) =>
    varied(cards.map((kinds, card) => ({ card, kinds }))).map(({ card, kinds }) => [card, ...kinds]);

  test('start with different reasons if they have several', () => {
    expect(order(['goal', 'ages'], ['goal', 'smoking'], ['goal'])).toEqual([
      [0, 'goal', 'ages'],
      [1, 'smoking', 'goal'],
      [2, 'goal'],
    ]);
  });

  test('are reordered if they have only the same reason', () => {
    expect(order(['goal'], ['goal'], ['ages'])).toEqual([
      [0, 'goal'],
      [2, 'ages'],
      [1, 'goal'],
    ]);
  });

  test('show no reason if there is no other way', () => {
    expect(order(['goal'], ['goal'], ['goal'])).toEqual([[0, 'goal'], [1], [2, 'goal']]);
  });

  test('never start with the same reason, and no card is lost', () => {
    const kinds = fc.subarray(['goal', 'ages', 'languages']);
    fc.assert(
      fc.property(fc.array(kinds, { maxLength: 25 }), (cards) => {
        const result = order(...cards);
        expect(result.map(([card]) => card).toSorted((a, b) => Number(a) - Number(b))).toEqual(
          cards.map((_, card) => card),
        );
        for (const [place, [, first]] of result.entries()) {
          if (first !== undefined) expect(result[place - 1]?.[1]).not.toBe(first);
        }
      }),
    );
  });
});

describe('a page of cards', () => {
  const people = Array.from({ length: 50 }, (_, number) =>
    aCandidate({
      id: `p${number}`,
      goal: number % 2 === 0 ? 'long-term' : null,
      languages: ['cs'],
      memberScore: { appeal: 1 - number / 25, selectivity: 0 },
      likesViewer: number === 45,
      isVip: number === 3,
    }),
  );
  const viewer = aViewer({ goal: 'long-term', languages: ['cs'] });
  const ranked = rankedFor(viewer, people, nothingKnown);

  test('is ordered by score, has reasons, and is the same for the same seed', () => {
    const cards = dealPage(viewer, ranked, nothingKnown, 7);
    expect(cards).toEqual(dealPage(viewer, ranked, nothingKnown, 7));
    expect(cards).toHaveLength(20);
    expect(cards.find(({ slot }) => slot === 'liker')?.candidate.id).toBe('p45');
    expect(cards.filter(({ slot }) => slot === 'exploration')).toHaveLength(2);
    for (const { candidate, rank } of cards) expect(rank).toBe(scoreOf(viewer, candidate, nothingKnown).rank);
  });

  test('never gives two neighbours the same first reason, and labels premium', () => {
    const cards = dealPage(viewer, ranked, nothingKnown, 7);
    const first = cards.map(({ reasons }) => reasons[0]?.reason.kind);
    for (const [place, kind] of first.entries()) if (kind !== undefined) expect(first[place - 1]).not.toBe(kind);
    const vip = cards.find(({ candidate }) => candidate.isVip);
    expect(vip?.reasons.at(-1)?.reason).toEqual({ kind: 'premium' });
  });
});
