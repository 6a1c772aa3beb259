import { premiumGrantDays } from '#contract/roles.ts';
import type { StaffRole } from '#contract/staff-roles.ts';

const dayMs = 86_400_000;
const yearDays = 365;

/** The fields of a gift that its limits depend on. */
export interface Given {
  days: number;
  starts_at: Date;
  ends_at: Date;
  granted_at: Date;
  revoked_at: Date | null;
}

/** The days of a gift that count: all of them, or those used until it was revoked, including that day. */
function daysOf({ days, starts_at, ends_at, revoked_at }: Given): number {
  if (revoked_at === null) return days;
  const leftMs = Math.max(0, ends_at.getTime() - Math.max(starts_at.getTime(), revoked_at.getTime()));
  return Math.max(0, Math.ceil(days - leftMs / dayMs));
}

/** How many days a role may still give a person who received these gifts: together with those of the last year, no more than its limit. */
export function daysLeft(role: StaffRole | null, given: readonly Given[], now: Date): number {
  if (role === null) return 0;
  const since = now.getTime() - yearDays * dayMs;
  const lately = given.filter(({ granted_at }) => granted_at.getTime() > since);
  const used = lately.reduce((sum, one) => sum + daysOf(one), 0);
  return Math.max(0, premiumGrantDays[role] - used);
}

/** What comes before gifts: when paid time and credit end, and since when the current paid time runs, if any. */
interface Before {
  until: Date;
  paidSince: Date | null;
}

/**
 * The gifts with their new times: they are used one after the other, and only while no paid time runs. So they begin later when paid time
 * or credit is added, and earlier when some is lost or a gift is revoked. A late renewal covers the time since it was due.
 */
export function placed<T extends Pick<Given, 'starts_at' | 'ends_at'>>(
  gifts: readonly T[],
  { until, paidSince }: Before,
  now: Date,
): T[] {
  const usedUntil = Math.min(now.getTime(), paidSince?.getTime() ?? Infinity);
  let free = until.getTime();
  return gifts
    .toSorted((one, other) => one.starts_at.getTime() - other.starts_at.getTime())
    .map((gift) => {
      const [start, end] = [gift.starts_at.getTime(), gift.ends_at.getTime()];
      const isRunning = start <= now.getTime() && free <= now.getTime();
      const startsAt = isRunning ? start : Math.max(free, now.getTime());
      free = isRunning ? end : startsAt + end - Math.max(start, usedUntil);
      return { ...gift, starts_at: new Date(startsAt), ends_at: new Date(free) };
    });
}

/** Where a new gift is placed at first: after those that are still unused. */
export function startOf(given: readonly Given[], now: Date): Date {
  const ends = given.filter(({ revoked_at }) => revoked_at === null).map(({ ends_at }) => ends_at.getTime());
  return new Date(Math.max(now.getTime(), ...ends));
}
