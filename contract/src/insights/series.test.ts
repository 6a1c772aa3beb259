import { describe, expect, it } from 'vitest';
import { getFunnel } from './cohorts.ts';
import { getGrowth, getRevenueSeries, getSafetySeries } from './series.ts';

const edges: [day: string, isAccepted: boolean][] = [
  ['0001-01-01', false],
  ['1999-12-31', false],
  ['2000-01-01', true],
  ['2199-12-31', true],
  ['2200-01-01', false],
  ['9999-12-31', false],
];

describe('the days that figures are computed for', () => {
  it.each(edges)('are rejected unless the years before and after them have four digits too: %s', (day, isAccepted) => {
    const range = { from: day, to: day, by: 'day', compare: 'lastYear' };
    for (const { query } of [getGrowth, getRevenueSeries, getSafetySeries])
      expect(query.safeParse(range).success).toBe(isAccepted);
    expect(getFunnel.query.safeParse({ month: day.slice(0, 7) }).success).toBe(isAccepted);
  });

  it.each(['0000-01', '2026-13', '2026-1', '2026', '2026-10-01', ' 2026-10'])(
    'cannot be in a month like "%s"',
    (month) => {
      expect(getFunnel.query.safeParse({ month }).success).toBe(false);
    },
  );
});
