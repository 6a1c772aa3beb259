import { msg } from '@lingui/core/runtime-macro';
import { type RawBuilder, sql } from 'kysely';
import type { Ranges } from '#contract/filters.ts';
import { invalid } from '../http/app-error.ts';
import { startOfDayIn } from '../process/clock.ts';

/** The conditions of the set filters, each in SQL for its value. */
export function conditionsOf<F extends object>(
  filters: F,
  inSql: { [K in keyof F]?: (value: NonNullable<F[K]>) => RawBuilder<boolean> },
): RawBuilder<boolean>[] {
  return (Object.keys(inSql) as (keyof F)[]).flatMap((name) => {
    const value = filters[name] ?? undefined;
    return value === undefined ? [] : (inSql[name]?.(value) ?? []);
  });
}

/** The conditions that a time is in a range of days of a time zone: from the first day, and until the end of the last one. */
export const daysOf = (at: RawBuilder<unknown>, zone = 'UTC') => ({
  from: (day: string) => sql<boolean>`${at} >= ${startOfDayIn(zone, day)}::timestamptz`,
  until: (day: string) => sql<boolean>`${at} < ${startOfDayIn(zone, day, 1)}::timestamptz`,
});

/** Throws 400 for a range of filters that ends before it begins. */
export function refuseBackwards<F extends object>(filters: F, ranges: Ranges<keyof F & string>): void {
  for (const [from, to] of ranges) {
    const [low, high] = [filters[from], filters[to]];
    if (low != null && high != null && low > high) throw invalid(to, msg`The end is before the beginning`);
  }
}
