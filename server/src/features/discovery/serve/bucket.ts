import { rankOf } from '../score/chance.ts';

/** Buckets are 0…63: small numbers for an index; higher comes first. */
export const bucketsCount = 64;
/** Scores outside this range go to the first or last bucket. */
const lowest = -8;
const highest = 0;

/** The viewer-independent part of a member's score. */
export interface OwnPart {
  /** Base log-odds that viewers like members like this one, and the reverse. */
  baseThere: number;
  baseBack: number;
  appeal: number;
  selectivity: number;
  inboxPenalty: number;
  boost: number;
}

/** The bucket, 0…63, of the viewer-independent part of R: A_j, S_j, the inbox factor and v. */
export function bucketOf({ baseThere, baseBack, appeal, selectivity, inboxPenalty, boost }: OwnPart): number {
  const score = rankOf(baseThere + appeal, baseBack + selectivity, inboxPenalty, boost);
  const place = Math.floor(((score - lowest) / (highest - lowest)) * bucketsCount);
  return Math.min(bucketsCount - 1, Math.max(0, place));
}
