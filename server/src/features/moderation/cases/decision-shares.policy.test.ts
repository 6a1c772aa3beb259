import { describe, expect, it } from 'vitest';
import { type DecidedRow, sharesShown } from './decision-shares.policy.ts';

const viewer = { accountId: 'me', staffRole: 'moderator' } as const;
const lead = { accountId: 'me', staffRole: 'senior' } as const;
const row = (clause: string, person: string, decided: number, month = '2026-05'): DecidedRow => ({
  ...{ clause, person, decided, month },
});
/** The rules with shares, and '*' if all rules together have them. */
const shownTo = (rows: readonly DecidedRow[], to: Parameters<typeof sharesShown>[1] = viewer) => {
  const isShown = sharesShown(rows, to);
  const clauses = [...new Set(rows.map(({ clause }) => clause))];
  return [
    ...(isShown([], { clause: '', month: '' }) ? ['*'] : []),
    ...clauses.filter((clause) => isShown(['clause'], { clause, month: '' })),
  ];
};

describe('the shares of decisions', () => {
  it.each<[string, DecidedRow[], string[]]>([
    [
      'all, if two colleagues decided by each rule',
      [row('1', 'a', 5), row('1', 'b', 5), row('2', 'a', 9), row('2', 'b', 9)],
      ['*', '1', '2'],
    ],
    ['none, if a single colleague decided besides the viewer', [row('1', 'a', 90), row('1', 'me', 90)], []],
    ['those of the viewer’s own decisions, if no one else decided', [row('1', 'me', 90)], ['*', '1']],
    ['none, if colleagues decided fewer than ten', [row('1', 'a', 5), row('1', 'b', 4), row('1', 'me', 90)], []],
    [
      'not those of a rule with few decisions, nor those of the next, from which they follow',
      [
        ...['1', '2', '3'].flatMap((clause) => ['a', 'b'].map((person) => row(clause, person, 20 * Number(clause)))),
        row('4', 'a', 2),
        row('4', 'b', 2),
      ],
      ['*', '2', '3'],
    ],
    [
      'not those of a rule by which a single colleague decided, nor those of the next',
      [
        ...['1', '2', '3'].flatMap((clause) => ['a', 'b'].map((person) => row(clause, person, 20 * Number(clause)))),
        row('4', 'a', 90),
      ],
      ['*', '2', '3'],
    ],
  ])('that a moderator sees are %s', (_, rows, shown) => {
    expect(shownTo(rows)).toEqual(shown);
  });

  it('are all shown to the leads of the team', () => {
    expect(shownTo([row('1', 'a', 90), row('2', 'me', 90), row('3', 'b', 3)], lead)).toEqual(['*', '1', '2', '3']);
  });

  it('of a rule are hidden in two months if one of them is about a single colleague', () => {
    const months = ['2026-04', '2026-05', '2026-06'];
    const rows = months.flatMap((month, at) => ['a', 'b'].map((person) => row('1', person, 30 + at, month)));
    const alone = [
      ...rows,
      ...months.flatMap((month) => ['a', 'b'].map((person) => row('2', person, 5, month))),
    ].filter(({ clause, person, month }) => clause !== '1' || person !== 'b' || month !== '2026-04');
    const isShown = sharesShown(alone, viewer);
    expect(months.map((month) => isShown(['clause', 'month'], { clause: '1', month }))).toEqual([false, false, true]);
    expect(months.map((month) => isShown(['month'], { clause: '', month }))).toEqual([true, true, true]);
  });
});
