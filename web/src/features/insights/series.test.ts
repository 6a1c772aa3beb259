import { describe, expect, it } from 'vitest';
import { csvRows, rate, summed } from './series.ts';

const periods = ['2026-06-01', '2026-06-02'].map((day) => ({ from: day, to: day, days: 1, isOver: true }));

describe('the downloaded file of a tile', () => {
  it('contains the drawn lines in their unit, including the comparison, and other lines unchanged', () => {
    const times = rate(
      'Average',
      { parts: [5_400_000, null], wholes: [1, 1] },
      { parts: [3_600_000, 0], wholes: [1, 1] },
    );
    const counts = { ...summed('Decisions', [1, 0]), apart: String };
    expect(csvRows([times, counts], periods, { name: 'hours', per: 3_600_000 })).toEqual([
      ['From', 'To', 'Average (hours)', 'Average (hours) before', 'Decisions'],
      ['2026-06-01', '2026-06-01', 1.5, 1, 1],
      ['2026-06-02', '2026-06-02', null, 0, 0],
    ]);
  });

  it('contains unchanged values without a unit', () => {
    expect(csvRows([summed('Joined', [3, null])], periods)[1]).toEqual(['2026-06-01', '2026-06-01', 3]);
  });
});
