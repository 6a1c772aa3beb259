import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Gate } from './gates.ts';

const path = join(import.meta.dirname, 'report.json');
const states = { true: 'kept', false: 'MISSED', null: 'not measured' };

/** Rows of cells, the first being the head, as a Markdown table. */
export function markdown(all: readonly string[][]): string {
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
