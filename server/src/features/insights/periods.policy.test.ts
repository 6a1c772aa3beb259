import { describe, expect, it } from 'vitest';
import type { Aggregation } from '#contract/insights/series.ts';
import { bitsByMonth, monthsBetween } from './days.ts';
import { comparedPeriods, daysIn, periodsOf } from './periods.policy.ts';

const ranges = (periods: { from: string; to: string; days: number }[] | null) =>
  periods?.map(({ from, to, days }) => `${from} ${to} ${days}`);

describe('the periods that divide a range', () => {
  it('are whole weeks from Monday and whole months, and count days up to the current one', () => {
    const range = { from: '2026-06-03', to: '2026-06-15' };
    expect(ranges(periodsOf({ ...range, by: 'week' }, '2026-06-15'))).toEqual([
      '2026-06-01 2026-06-07 7',
      '2026-06-08 2026-06-14 7',
      '2026-06-15 2026-06-21 1',
    ]);
    expect(ranges(periodsOf({ ...range, by: 'month' }, '2026-06-15'))).toEqual(['2026-06-01 2026-06-30 15']);
    expect(periodsOf({ ...range, by: 'day' }, '2026-06-15')).toHaveLength(13);
  });

  it('contain no future days, and are not complete on their last day', () => {
    const [today, tomorrow] = periodsOf({ from: '2026-06-15', to: '2026-06-16', by: 'day' }, '2026-06-15');
    expect(today).toMatchObject({ days: 1, isOver: false });
    expect(tomorrow).toMatchObject({ days: 0, isOver: false });
  });
});

describe('the periods that a range is compared with', () => {
  const march = periodsOf({ from: '2026-03-01', to: '2026-03-30', by: 'month' }, '2026-03-30');

  it('come just before it, with the same number of days if the range is not complete', () => {
    expect(ranges(comparedPeriods(march, { by: 'month', compare: 'previous' }))).toEqual(['2026-02-01 2026-02-28 28']);
    const days = periodsOf({ from: '2026-06-14', to: '2026-06-15', by: 'day' }, '2026-06-20');
    expect(ranges(comparedPeriods(days, { by: 'day', compare: 'previous' }))).toEqual([
      '2026-06-12 2026-06-12 1',
      '2026-06-13 2026-06-13 1',
    ]);
  });

  it('are a year earlier: the same weekdays for days, the same month for months', () => {
    expect(ranges(comparedPeriods(march, { by: 'month', compare: 'lastYear' }))).toEqual(['2025-03-01 2025-03-31 30']);
    const [day] = periodsOf({ from: '2026-06-15', to: '2026-06-15', by: 'day' }, '2026-06-20');
    if (day === undefined) throw new Error('no day');
    expect(ranges(comparedPeriods([day], { by: 'day', compare: 'lastYear' }))).toEqual(['2025-06-16 2025-06-16 1']);
    expect(comparedPeriods([day], { by: 'day', compare: 'none' })).toBeNull();
  });
});

describe('the days that a figure adds up', () => {
  const daysOf = (counted: string, aggregation: Aggregation) =>
    periodsOf({ from: '2026-06-08', to: '2026-06-08', by: 'week' }, counted).flatMap((week) =>
      daysIn(week, aggregation),
    );

  it('are the counted days of the period, only the last of them, or the day before', () => {
    expect(daysOf('2026-06-10', 'sum')).toEqual(['2026-06-08', '2026-06-09', '2026-06-10']);
    expect(daysOf('2026-06-10', 'last')).toEqual(['2026-06-10']);
    expect(daysOf('2026-06-10', 'before')).toEqual(['2026-06-07']);
  });

  it('are missing in a period without counted days', () => {
    for (const aggregation of ['sum', 'last', 'before'] as const) expect(daysOf('2026-06-07', aggregation)).toEqual([]);
  });
});

describe('days stored as bits', () => {
  it('are grouped by month, with the first day in the lowest bit', () => {
    expect([...bitsByMonth('2026-06-02', 3)]).toEqual([
      ['2026-06-01', 0b11],
      ['2026-05-01', 2 ** 30],
    ]);
    expect(monthsBetween('2025-11-30', '2026-02-01')).toBe(3);
  });
});
