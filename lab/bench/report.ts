import { median, p99, type Times } from './measure.ts';

let missed = 0;

const inMs = (milliseconds: number) => `${milliseconds.toFixed(1)} ms`;

function line(what: string, figures: string, limit: string, isKept: boolean): void {
  if (!isKept) missed += 1;
  process.stdout.write(`${isKept ? ' ok   ' : ' MISS '} ${what.padEnd(58)} ${figures.padEnd(34)} ${limit}\n`);
}

/** Prints a heading. */
export function heading(text: string): void {
  process.stdout.write(`\n${text}\n`);
}

/** Prints median, p99 and their limit; the bench fails above it. */
export function reportTimes(what: string, times: Times, p99LimitMs: number): void {
  const figures = `median ${inMs(median(times))}, p99 ${inMs(p99(times))}`;
  line(what, figures, `p99 ≤ ${p99LimitMs} ms (${times.length} requests)`, p99(times) <= p99LimitMs);
}

/** Prints a ratio that must be at most `most`. */
export function reportAtMost(what: string, value: number, most: number, unit = ''): void {
  line(what, `${value.toFixed(2)}${unit}`, `≤ ${most}${unit}`, value <= most);
}

/** Prints a ratio that must be at least `least`. */
export function reportAtLeast(what: string, value: number, least: number): void {
  line(what, value.toFixed(2), `≥ ${least}`, value >= least);
}

/** Prints a figure that has no limit. */
export function remark(what: string, figure: string): void {
  process.stdout.write(`       ${what.padEnd(58)} ${figure}\n`);
}

/** Prints median and p99 of times that have no limit. */
export const remarkTimes = (what: string, times: Times): void =>
  remark(what, `median ${inMs(median(times))}, p99 ${inMs(p99(times))}`);

/** The number of missed figures so far. */
export const missedFigures = (): number => missed;
