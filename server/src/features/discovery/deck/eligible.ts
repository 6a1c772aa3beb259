import type { Candidate, Stated, Viewer } from './rows.ts';

/** Days of inactivity after which a member leaves discovery. */
export const silentDaysMax = 30;

function wants({ seeking, ageWish, distanceWish }: Stated, other: Stated, distanceKm: number | null): boolean {
  if (!seeking.includes(other.gender)) return false;
  if (ageWish?.required === true && (other.age < ageWish.min || other.age > ageWish.max)) return false;
  return distanceWish?.required !== true || (distanceKm !== null && distanceKm <= distanceWish.maxKm);
}

/**
 * Whether two people may see each other: gender, required ages and required distance fit both ways, and the candidate was active
 * within 30 days. The database checks blocks, earlier decisions and visibility.
 */
export function isEligible(viewer: Viewer, candidate: Candidate): boolean {
  const { distanceKm, lastActiveDays } = candidate;
  return lastActiveDays < silentDaysMax && wants(viewer, candidate, distanceKm) && wants(candidate, viewer, distanceKm);
}
