import { describe, expect, it } from 'vitest';
import { monthsAfter } from '#contract/subscriptions/plan.ts';
import { periodEndOf, unusedShare } from './billing-period.ts';

const day = (text: string) => new Date(`${text}T23:30:00.000Z`);

describe('monthsAfter', () => {
  it.each([
    ['2026-01-15', 1, '2026-02-15'],
    ['2026-01-31', 1, '2026-02-28'],
    ['2028-01-31', 1, '2028-02-29'],
    ['2026-01-31', 2, '2026-03-31'],
    ['2026-01-31', 3, '2026-04-30'],
    ['2026-11-30', 3, '2027-02-28'],
    ['2028-02-29', 12, '2029-02-28'],
    ['2028-02-29', 48, '2032-02-29'],
    ['2026-12-31', 2, '2027-02-28'],
    ['2026-06-15', 0, '2026-06-15'],
  ])('%s and %i: %s', (first, months, after) => {
    expect(monthsAfter(day(first), months)).toEqual(day(after));
  });
});

describe('monthsAfter with the day of the first period', () => {
  it.each([
    ['2026-02-28', 1, 31, '2026-03-31'],
    ['2026-02-28', 2, 31, '2026-04-30'],
    ['2026-04-30', 1, 31, '2026-05-31'],
    ['2028-01-31', 1, 31, '2028-02-29'],
    ['2027-02-28', 12, 29, '2028-02-29'],
    ['2028-02-29', 1, 30, '2028-03-30'],
    ['2026-11-30', 3, 31, '2027-02-28'],
    ['2026-02-28', 0, 31, '2026-02-28'],
  ])('%s and %i on day %i: %s', (from, months, anchorDay, after) => {
    expect(monthsAfter(day(from), months, anchorDay)).toEqual(day(after));
  });
});

describe('periodEndOf', () => {
  it('returns to the original day of the month after a shorter month', () => {
    const first = day('2027-10-31');
    const ends = [first];
    for (let count = 0; count < 6; count += 1) ends.push(periodEndOf(first, ends.at(-1) ?? first, 1));
    expect(ends.slice(1)).toEqual(
      ['2027-11-30', '2027-12-31', '2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30'].map(day),
    );
  });

  it('adds the number of months of the plan', () => {
    expect(periodEndOf(day('2026-08-31'), day('2026-08-31'), 3)).toEqual(day('2026-11-30'));
    expect(periodEndOf(day('2026-08-31'), day('2026-11-30'), 3)).toEqual(day('2027-02-28'));
    expect(periodEndOf(day('2028-02-29'), day('2031-02-28'), 12)).toEqual(day('2032-02-29'));
  });
});

describe('unusedShare', () => {
  it.each([
    ['2026-06-01', 1],
    ['2026-06-16', 0.5],
    ['2026-07-01', 0],
    ['2026-05-01', 1],
    ['2026-08-01', 0],
  ])('on %s, for a period of June, is %d', (at, share) => {
    expect(unusedShare(day('2026-06-01'), day('2026-07-01'), day(at))).toBeCloseTo(share, 10);
  });
});
