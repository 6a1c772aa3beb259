import type { Candidate, Stated, Viewer } from './rows.ts';

/** Who was silent for so long leaves discovery. */
export const silentDaysMax = 30;

function wants({ seeking, ageWish, distanceWish }: Stated, other: Stated, distanceKm: number | null): boolean {
  if (!seeking.includes(other.gender)) return false;
  if (ageWish?.required === true && (other.age < ageWish.min || other.age > ageWish.max)) return false;
  return distanceWish?.required !== true || (distanceKm !== null && distanceKm <= distanceWish.maxKm);
}

/**
 * Whether the two may see each other: gender, required ages and required distance hold both ways, and the candidate was not
 * silent for 30 days. Blocks, earlier decisions and visibility are asked of the database.
 */
export function isEligible(viewer: Viewer, candidate: Candidate): boolean {
  const { distanceKm, lastActiveDays } = candidate;
  return lastActiveDays < silentDaysMax && wants(viewer, candidate, distanceKm) && wants(candidate, viewer, distanceKm);
}
