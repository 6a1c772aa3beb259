import type { Outcome } from '../../server/test/proofs/http.ts';

let missed = 0;

function line(what: string, figure: string, limit: string, isKept: boolean): void {
  if (!isKept) missed += 1;
  process.stdout.write(`${isKept ? ' ok   ' : ' MISS '} ${what.padEnd(58)} ${figure.padEnd(14)} ${limit}\n`);
}

/** Prints a heading. */
export function heading(text: string): void {
  process.stdout.write(`\n${text}\n`);
}

/** Prints a figure that must be at most `most`; the benchmark fails above it. */
export function reportAtMost(what: string, value: number, most: number, unit = ''): void {
  line(what, `${value.toFixed(2)}${unit}`, `≤ ${most}${unit}`, value <= most);
}

/** Prints a figure that must be at least `least`. */
export function reportAtLeast(what: string, value: number, least: number): void {
  line(what, value.toFixed(2), `≥ ${least}`, value >= least);
}

/** Prints a figure that has no limit. */
export function remark(what: string, figure: string): void {
  process.stdout.write(`       ${what.padEnd(58)} ${figure}\n`);
}

/** The number of missed figures so far. */
export const missedFigures = (): number => missed;

/** The value below which `share` (0…1) of all values lie. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

/** How often a call is sent by `reportTimes`. */
export const rounds = 100;

/** Sends a call again and again, one after another, and prints its median and its p99, which must be at most `most` milliseconds. */
export async function reportTimes(name: string, most: number, ask: (at: number) => Promise<Outcome>): Promise<void> {
  const times: number[] = [];
  for (let at = 0; at < rounds + 5; at += 1) {
    const outcome = await ask(at);
    if (outcome.kind !== 'answered' || outcome.status !== 200)
      throw new Error(`${name}: ${outcome.kind === 'answered' ? outcome.text.slice(0, 200) : outcome.kind}`);
    // The first calls compile code and fill caches.
    if (at >= 5) times.push(outcome.ms);
  }
  remark(name, `median ${quantile(times, 0.5).toFixed(1)} ms`);
  reportAtMost(`${name}, p99`, quantile(times, 0.99), most, ' ms');
}
