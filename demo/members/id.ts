import { mixBits } from '../random.ts';

/** The end of the identifier of every generated member; other accounts have it with a probability of 2⁻⁴⁸. */
export const demoIdEnding = '000000000000';

/** 2³² divided by the golden ratio, made odd: its multiples spread evenly over 32 bits and never repeat. */
const goldenStep = 0x9e3779b9;

/**
 * The identifier of member `number` (below 2³²): always the same valid version 4 UUID. Its first 32 bits are spread evenly,
 * so any range of identifiers contains its share of the members.
 */
export function demoId(number: number): string {
  const first = hex(Math.imul(number + 1, goldenStep) >>> 0, 8);
  const rest = hex(mixBits(number), 8) + hex(mixBits(number ^ 0x6a09e667), 8);
  return `${first}-${rest.slice(0, 4)}-4${rest.slice(4, 7)}-8${rest.slice(7, 10)}-${demoIdEnding}`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

/** A range of identifiers from `from` to before `to`; null means to the end. */
export interface IdRange {
  from: string;
  to: string | null;
}

/** A little above 3 %, because some of these members are deactivated, leaving or were never active. */
const onlineShare = 0.0325;
/** Everyone is online twice in this time, half of it apart, for about 45 minutes each. */
const roundMs = 86_400_000;
const turns = [0, 0.5];

/** The identifiers that should be online at `now`: two windows that move over all of them once a day. */
export function onlineRanges(now: Date): IdRange[] {
  return turns.flatMap((turn) => {
    const start = ((now.getTime() % roundMs) / roundMs + turn) % 1;
    const end = start + onlineShare;
    if (end < 1) return [{ from: idAt(start), to: idAt(end) }];
    return [
      { from: idAt(start), to: null },
      { from: idAt(0), to: idAt(end - 1) },
    ];
  });
}

/** Whether `id` lies in one of `ranges`. */
export function isInRanges(id: string, ranges: IdRange[]): boolean {
  return ranges.some(({ from, to }) => id >= from && (to === null || id < to));
}

function idAt(position: number): string {
  return `${hex(Math.floor(position * 2 ** 32), 8)}-0000-0000-0000-000000000000`;
}
