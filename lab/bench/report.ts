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
