import {
  type Statement,
  type TransparencyReport,
  type TransparencyFigure,
  transparencyFigures,
  type TransparencyShare,
  transparencyShares,
} from '#contract/moderation/transparency.ts';
import { groupsShown, isTooFew, valuesShown } from '#platform/db/small-groups.policy.ts';

/** The number of rows of a figure in one of its groups. */
export interface FigureCount {
  figure: TransparencyFigure;
  name: string;
  count: number;
}

/** How long the cases of a year took, in milliseconds. */
export interface TimesRow {
  what: TransparencyReport['times'][number]['what'];
  cases: number;
  median: number;
  p90: number;
}

const dimensions = ['month', 'kind', 'rule', 'source', 'detection', 'measures', 'content', 'category'] as const;

/** The words that the statements of reasons of some decisions share; empty without a statement. */
type StatementValues = Record<(typeof dimensions)[number], string>;
export type StatementRow = StatementValues & { count: number };

const sum = (rows: readonly { count: number }[]) => rows.reduce((all, { count }) => all + count, 0);

/** A figure with its sufficiently large groups, and the others combined. */
function figureOf(figure: TransparencyFigure, rows: readonly FigureCount[]): TransparencyReport['figures'][number] {
  const total = sum(rows);
  if (isTooFew(total)) return { figure, total: null, groups: [], other: 0 };
  const isShown = groupsShown([{ names: ['name'], rows, peopleIn: sum }]);
  const groups = rows.filter(({ name }) => isShown(['name'], { name })).map(({ name, count }) => ({ name, count }));
  return { figure, total, groups, other: total - sum(groups) };
}

/** The groups that a share counts, and the groups it is a share of. */
const sharesOf: Record<TransparencyShare, { figure: TransparencyFigure; of: string[]; among: string[] }> = {
  ruleErrors: { figure: 'ruleHits.outcome', of: ['cleared'], among: ['cleared', 'confirmed'] },
  appealsOverturned: {
    figure: 'appeals.result',
    of: ['overturned', 'partly_overturned'],
    among: ['overturned', 'partly_overturned', 'upheld'],
  },
  secondLooksAgreed: { figure: 'secondLooks.result', of: ['agreed'], among: ['agreed', 'differed'] },
};

/** A share in whole percent; null if it is about too few, or if the rest is. */
function percentOf(share: TransparencyShare, counts: readonly FigureCount[]): number | null {
  const { figure, of, among } = sharesOf[share];
  const count = (names: string[]) => sum(counts.filter((one) => one.figure === figure && names.includes(one.name)));
  const [part, all] = [count(of), count(among)];
  return all === 0 || [part, all - part, all].some(isTooFew) ? null : Math.round((100 * part) / all);
}

const minutes = (ms: number) => Math.round(ms / 60_000);

/** The content of a report from the counted rows of a year. */
export function figuresOf(
  counts: readonly FigureCount[],
  times: readonly TimesRow[],
): Pick<TransparencyReport, 'figures' | 'shares' | 'times'> {
  return {
    figures: transparencyFigures.map((figure) =>
      figureOf(
        figure,
        counts.filter((one) => one.figure === figure),
      ),
    ),
    shares: transparencyShares.map((share) => ({ share, percent: percentOf(share, counts) })),
    times: (['response', 'decision', 'appeal'] as const).map((what) => {
      const { cases = 0, median = 0, p90 = 0 } = times.find((one) => one.what === what) ?? {};
      return cases === 0 || isTooFew(cases)
        ? { what, cases: cases === 0 ? 0 : null, medianMinutes: null, p90Minutes: null }
        : { what, cases, medianMinutes: minutes(median), p90Minutes: minutes(p90) };
    }),
  };
}

/** The positions of `total` statements in random order, each with the number of its row. */
function shuffled(rows: readonly StatementRow[], below: (limit: number) => number): Uint32Array {
  const order = new Uint32Array(sum(rows));
  let from = 0;
  for (const [row, { count }] of rows.entries()) order.fill(row, from, (from += count));
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = below(last + 1);
    [order[last], order[other]] = [order[other] ?? 0, order[last] ?? 0];
  }
  return order;
}

/**
 * One statement for each decision, without features that fewer than ten have in common; in random order, so that the order reveals nothing,
 * and one after another, because a year may have hundreds of thousands. `newId` gives each an id, and `below` draws a number below its
 * argument.
 */
export function* statementsOf(
  rows: readonly StatementRow[],
  year: number,
  { newId, below }: { newId: () => string; below: (limit: number) => number },
): Generator<Statement> {
  if (isTooFew(sum(rows))) return;
  const shown = valuesShown({ names: dimensions, rows, peopleIn: sum });
  for (const at of shuffled(rows, below)) {
    const row = rows[at] as StatementRow;
    const value = (name: keyof StatementValues) => (shown.get(name)?.has(row[name]) === true ? row[name] : null);
    const words = (name: keyof StatementValues) => value(name)?.split(' ').filter(Boolean) ?? null;
    yield {
      id: newId(),
      year,
      month: value('month'),
      kind: value('kind') as Statement['kind'],
      ground: 'terms',
      rule: value('rule'),
      category: value('category'),
      measures: words('measures'),
      contentTypes: words('content'),
      source: value('source'),
      detectionAutomated: value('detection') === null ? null : value('detection') === 'true',
      decisionAutomated: 'none',
      redress: 'internal appeal',
    };
  }
}
