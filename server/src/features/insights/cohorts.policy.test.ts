import { describe, expect, it } from 'vitest';
import { randomOf } from '../../../test/random.ts';
import { isTooFew } from '#platform/db/small-groups.policy.ts';
import { type CohortRow, figuresOf } from './cohorts.policy.ts';

const times = [0, 1, 2];
const row = (gender: string, elapsed: number, people: number): CohortRow => ({
  month: '2026-05-01',
  step: 'messaged',
  ...{ gender, elapsed, people },
});
/** The figures of everyone, then of each gender, by the time until which they count. */
const shownOf = (rows: CohortRow[], genders: string[]) =>
  [undefined, ...genders].map((gender) => times.map((until) => figuresOf(rows)(until, gender)));

describe('the figures of a step', () => {
  it.each<[string, CohortRow[], string]>([
    ['all, if each time has enough', [row('a', 0, 30), row('a', 1, 10), row('b', 2, 12)], '30 40 52, 30 40 40, 0 0 12'],
    ['none, if too few reached it', [row('a', 0, 5), row('b', 0, 4)], '- - -, - - -, - - -'],
    ['no gender, if one has too few', [row('a', 0, 40), row('b', 0, 4)], '44 44 44, - - -, - - -'],
    [
      'no time between, if too few reached it then',
      [row('a', 0, 20), row('a', 1, 4), row('a', 2, 30)],
      '- 24 54, - 24 54, 0 0 0',
    ],
    ['zeros', [row('a', 0, 0), row('b', 0, 12)], '12 12 12, 0 0 0, 12 12 12'],
  ])('are %s', (_, rows, expected) => {
    const lines = shownOf(rows, ['a', 'b']).map((figures) => figures.map((figure) => figure ?? '-').join(' '));
    expect(lines.join(', ')).toBe(expected);
  });

  it('never reveal a few people, even when they are added or subtracted', () => {
    let shown = 0;
    for (let seed = 0; seed < 400; seed += 1) {
      const random = randomOf(seed);
      const genders = ['a', 'b', 'c', 'd'].slice(0, 1 + random.below(4));
      const people = () => (random.chance(0.2) ? 0 : random.below(random.chance(0.4) ? 12 : 60));
      const rows = genders.flatMap((gender) => times.map((elapsed) => row(gender, elapsed, people())));
      const [all = [], ...each] = shownOf(rows, genders);
      /** The figures of a gender up to a time; the last are those of all hidden genders. */
      const columns = [all, ...each];
      const rest = all.map((value, at) => {
        const own = each.map((figures) => figures[at] ?? 0);
        return value === null ? null : value - own.reduce((sum, one) => sum + one, 0);
      });
      for (const column of [...columns, rest])
        for (const [at, value] of column.entries())
          for (const before of [0, ...column.slice(0, at)]) {
            if (value === null || before === null) continue;
            // The rest of all genders is a group only while the same ones are shown.
            const isSame =
              column !== rest || each.every((own) => (own[at] === null) === (own[column.indexOf(before)] === null));
            if (isSame || before === 0)
              expect(isTooFew(value - before), `${seed}: ${JSON.stringify(columns)}`).toBe(false);
          }
      shown += columns.flat().filter((value) => value !== null && value > 0).length;
    }
    expect(shown).toBeGreaterThan(1000);
  });
});
