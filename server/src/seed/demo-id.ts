import { mixBits } from './random.ts';

/** How the identifier of every generated member ends, and of no other account (2⁻⁴⁸). */
export const demoIdEnding = '000000000000';

/** 2³² divided by the golden ratio, made odd: multiples of it spread evenly over 32 bits and never repeat. */
const goldenStep = 0x9e3779b9;

/**
 * The identifier of member `number` (below 2³²): always the same, a valid version-4 UUID. Its first 32 bits spread the members
 * evenly, so that any range of identifiers holds its share of them.
 */
export function demoId(number: number): string {
  const first = hex(Math.imul(number + 1, goldenStep) >>> 0, 8);
  const rest = hex(mixBits(number), 8) + hex(mixBits(number ^ 0x6a09e667), 8);
  return `${first}-${rest.slice(0, 4)}-4${rest.slice(4, 7)}-8${rest.slice(7, 10)}-${demoIdEnding}`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

/** A range of identifiers: `from` belongs to it, `to` does not; null reaches to the end. */
export interface IdRange {
  from: string;
  to: string | null;
}

/** The identifiers whose first 32 bits lie in `share` of all from position `start` on (both 0…1), beginning anew at the end. */
export function idRanges(start: number, share: number): IdRange[] {
  const end = start + share;
  if (end < 1) return [{ from: idAt(start), to: idAt(end) }];
  return [
    { from: idAt(start), to: null },
    { from: idAt(0), to: idAt(end - 1) },
  ];
}

/** Whether `id` lies in one of `ranges`. */
export function isInRanges(id: string, ranges: IdRange[]): boolean {
  return ranges.some(({ from, to }) => id >= from && (to === null || id < to));
}

function idAt(position: number): string {
  return `${hex(Math.floor(position * 2 ** 32), 8)}-0000-0000-0000-000000000000`;
}
