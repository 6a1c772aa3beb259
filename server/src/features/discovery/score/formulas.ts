import { createHash } from 'node:crypto';
import type { Formula } from '#contract/discovery/matching.ts';

/** How much the terms of R count: ln p(i→j), ln p(j→i), and the rest (inbox and premium). */
export interface Weights {
  there: number;
  back: number;
  rest: number;
}

/** The formula in use, and others that can be estimated from its decisions, tried in turn with it, and played in the simulator. */
export const formulas: Record<Formula, Weights> = {
  shipped: { there: 1, back: 1, rest: 1 },
  'viewer-more': { there: 1.5, back: 1, rest: 1 },
  'viewer-twice': { there: 2, back: 1, rest: 1 },
  'viewer-only': { there: 1, back: 0, rest: 1 },
  'person-more': { there: 1, back: 1.5, rest: 1 },
  'person-twice': { there: 1, back: 2, rest: 1 },
  'person-only': { there: 0, back: 1, rest: 1 },
  'half-steep': { there: 0.5, back: 0.5, rest: 1 },
  'twice-steep': { there: 2, back: 2, rest: 1 },
};

/** R with other weights, from the score's parts: p(i→j), p(j→i) and R itself. */
export function weighted(
  { rank, chanceThere, chanceBack }: { rank: number; chanceThere: number; chanceBack: number },
  { there, back, rest }: Weights,
): number {
  const [one, other] = [Math.log(chanceThere), Math.log(chanceBack)];
  return there * one + back * other + rest * (rank - one - other);
}

/** The Thursday of a moment's ISO week tells its year. */
function isoWeek(at: Date): string {
  const dayMs = 86_400_000;
  const thursday = new Date(at.getTime() + (3 - ((at.getUTCDay() + 6) % 7)) * dayMs);
  const year = thursday.getUTCFullYear();
  const week = 1 + Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * dayMs));
  return `${year}-W${String(week).padStart(2, '0')}`;
}

/**
 * The formula of a city in a week while another one is tried: by a hash of both, so that everyone in a city changes together. Members
 * compete for each other's attention, so a comparison member by member would be misleading. Without a city always the formula in use.
 */
export function formulaFor(tried: Formula | null, city: string | null, at: Date): Formula {
  if (tried === null || city === null) return 'shipped';
  const digest = createHash('sha256')
    .update(`${city.trim().toLowerCase()} ${isoWeek(at)}`)
    .digest();
  return (digest[0] ?? 0) % 2 === 0 ? 'shipped' : tried;
}
