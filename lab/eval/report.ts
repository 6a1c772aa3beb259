import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mean, spread } from './figures.ts';
import { byTruth, figuresIn, type Judged, ratiosTo } from './gates.ts';
import type { SeedFigures } from './measure.ts';
import type { PolicyName } from './policies.ts';

const shown: readonly PolicyName[] = ['random', 'one-sided + inbox', 'shipped', 'live', 'oracle'];

/** Rows of cells, the first being the head, as a Markdown table. */
function markdown(all: readonly string[][]): string {
  const widths = (all[0] ?? []).map((_, column) => Math.max(3, ...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...rows] = all;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** The mean over the seeds with its standard deviation. */
const around = (values: readonly number[]) => `${mean(values).toFixed(2)} ± ${spread(values).toFixed(2)}`;

/** Matches per 100 cards of each policy in each truth, and the gates, of which missed ones are bold. */
export function tablesOf(seeds: readonly SeedFigures[], judged: readonly Judged[]): string {
  const truths = byTruth(seeds);
  const rows = [...truths].map(([truth, own]) => [
    `\`${truth}\``,
    ...shown.map((policy) => {
      const isSimulated = own[0]?.policies[policy] !== undefined;
      return isSimulated ? around(figuresIn(own, policy).map((figures) => figures.matchesPer100Cards)) : '';
    }),
    around(ratiosTo(own, 'random')),
    around(ratiosTo(own, 'one-sided + inbox')),
  ]);
  const gates = judged.map(({ gate, goal, found }) => [
    gate,
    ...[...truths.keys()].map((truth) => {
      const { value, isKept } = found[truth] ?? {};
      const text = value?.toFixed(2) ?? '';
      return isKept === false ? `**${text}**` : text;
    }),
    goal,
  ]);
  return [
    markdown([['truth', ...shown, 'shipped / random', 'shipped / one-sided + inbox'], ...rows]),
    markdown([['gate', ...[...truths.keys()].map((truth) => `\`${truth}\``), 'goal'], ...gates]),
  ].join('\n\n');
}

const results = join(import.meta.dirname, 'results.txt');

/** Replaces the tables that docs/matching.md refers to. */
export function writeResults(text: string): void {
  writeFileSync(results, `${text}\n`);
}
