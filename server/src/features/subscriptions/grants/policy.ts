import { premiumGrantDays } from '#contract/roles.ts';
import type { StaffRole } from '#contract/staff-roles.ts';

const dayMs = 86_400_000;
const yearDays = 365;

/** A gift as its limits see it. */
export interface Given {
  starts_at: Date;
  ends_at: Date;
  granted_at: Date;
  revoked_at: Date | null;
}

/** The days of a gift that count: all of them, or those until it was revoked, including that day. */
function daysOf({ starts_at, ends_at, revoked_at }: Given): number {
  const until = revoked_at ?? ends_at;
  return Math.max(0, Math.ceil((until.getTime() - starts_at.getTime()) / dayMs));
}

/** How many days a role may still give a person who got these gifts: with those of the last year no more than its limit. */
export function daysLeft(role: StaffRole | null, given: readonly Given[], now: Date): number {
  if (role === null) return 0;
  const since = now.getTime() - yearDays * dayMs;
  const lately = given.filter(({ granted_at }) => granted_at.getTime() > since);
  const used = lately.reduce((sum, one) => sum + daysOf(one), 0);
  return Math.max(0, premiumGrantDays[role] - used);
}

/**
 * The gifts that begin earlier once one before them was revoked, with their new times: each follows the one before, the first one begins
 * now. Otherwise premium would last until the end of the last one, with days that count for no gift.
 */
export function movedForward<T extends Given>(given: readonly T[], now: Date): T[] {
  const left = given
    .filter(({ ends_at, revoked_at }) => revoked_at === null && ends_at > now)
    .toSorted((one, other) => one.starts_at.getTime() - other.starts_at.getTime());
  const moved: T[] = [];
  let free = now;
  for (const gift of left) {
    const gapMs = Math.max(0, gift.starts_at.getTime() - free.getTime());
    free = new Date(gift.ends_at.getTime() - gapMs);
    if (gapMs > 0) moved.push({ ...gift, starts_at: new Date(gift.starts_at.getTime() - gapMs), ends_at: free });
  }
  return moved;
}

/** When a new gift begins: after those that are still to be used, and now without any. */
export function startOf(given: readonly Given[], now: Date): Date {
  const ends = given.filter(({ revoked_at }) => revoked_at === null).map(({ ends_at }) => ends_at.getTime());
  return new Date(Math.max(now.getTime(), ...ends));
}
