import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mean, spread } from './figures.ts';
import { byTruth, figuresIn, type Gate, ratiosTo, simulating, truthTable } from './gates.ts';
import type { SeedFigures } from './measure.ts';
import type { Policy } from './policies.ts';

const path = join(import.meta.dirname, 'report.json');
const states = { true: 'kept', false: 'MISSED', null: 'not measured' };

/** Rows of cells, the first being the head, as a Markdown table. */
function markdown(all: readonly string[][]): string {
  const widths = (all[0] ?? []).map((_, column) => Math.max(3, ...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...rows] = all;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** The gates as a Markdown table. */
export function tableOf(gates: readonly Gate[]): string {
  const rows = gates.map(({ gate, measured, goal, isKept }) => [gate, measured, goal, states[`${isKept}`]]);
  return markdown([['gate', 'measured', 'goal', ''], ...rows]);
}

/** Writes everything measured to `eval/report.json` and returns the file's path. */
export function writeReport(report: object): string {
  writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`);
  return path;
}

/** The mean with its standard deviation, which a single one of several seeds doesn't have. */
const around = (values: readonly number[], seeds = values.length) =>
  mean(values).toFixed(2) + (values.length < seeds ? '' : ` ± ${spread(values).toFixed(2)}`);
const shown: readonly Policy[] = ['random', 'one-sided + inbox', 'shipped', 'live', 'oracle'];

/**
 * Matches per 100 cards and the gates, each with one row or column for a truth, and each truth's policies: means over the seeds, with
 * their standard deviation.
 */
export function pageTables(seeds: readonly SeedFigures[], gates: readonly Gate[]): string {
  const truths = byTruth(seeds);
  const rows = [...truths].map(([truth, own]) => [
    `\`${truth}\``,
    ...shown.map((policy) => {
      const figures = figuresIn(simulating(own, policy), policy).map(({ matchesPer100Cards }) => matchesPer100Cards);
      return figures.length === 0 ? '' : around(figures, own.length);
    }),
    around(ratiosTo(own, 'random')),
    around(ratiosTo(own, 'one-sided + inbox')),
  ]);
  const judged = gates.map(({ gate, goal, measured, isKept, byTruth: found }) => [
    gate,
    ...[...truths.keys()].map((truth, column) => {
      const one = found === undefined && column === 0 ? { text: measured, isKept } : found?.[truth];
      return one === undefined ? '' : one.isKept === false ? `**${one.text}**` : one.text;
    }),
    goal,
  ]);
  return [
    markdown([['truth', ...shown, 'shipped / random', 'shipped / one-sided + inbox'], ...rows]),
    markdown([['gate', ...[...truths.keys()].map((truth) => `\`${truth}\``), 'goal'], ...judged]),
    ...[...truths].map(([truth, own]) => `Every policy in \`${truth}\`:\n\n${markdown(truthTable(own))}`),
  ].join('\n\n');
}

const results = join(import.meta.dirname, 'results.txt');

/** Replaces the tables that docs/matching.md refers to. */
export function writeResults(text: string): void {
  writeFileSync(results, `${text}\n`);
}
