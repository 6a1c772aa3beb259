import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Gate } from './gates.ts';

const path = join(import.meta.dirname, 'report.json');
const states = { true: 'kept', false: 'MISSED', null: 'not measured' };

/** The gates as a Markdown table. */
export function tableOf(gates: readonly Gate[]): string {
  const rows = gates.map(({ gate, measured, goal, isKept }) => [gate, measured, goal, states[`${isKept}`]]);
  const all = [['gate', 'measured', 'goal', ''], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = line(widths.map((width) => '-'.repeat(Math.max(3, width))));
  return [line(all[0] ?? []), rule, ...rows.map(line)].join('\n');
}

/** Writes everything measured to `eval/report.json` and returns the file's path. */
export function writeReport(report: object): string {
  writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`);
  return path;
}
