import type { FieldConflict } from '#contract/error-body.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { changeAdminUser } from '#contract/profiles/profiles.ts';
import { AppError } from '../../../platform/http/app-error.ts';

type Seen = NonNullable<BodyOf<typeof changeAdminUser>['was']>;
type Value = FieldConflict['current'];

/** The stored and the given value of each field that a change would make different. */
export type FieldChanges = Record<string, { from: Value; to: Value }>;

function isSame(stored: Value, seen: Value): boolean {
  const [one, other] = [stored, seen].map((value) =>
    value !== null && typeof value === 'object' ? [value.city, value.country] : value,
  );
  const isNoPlace = (value: typeof one) =>
    value === null || (Array.isArray(value) && value.every((part) => part === null));
  return (isNoPlace(one) && isNoPlace(other)) || JSON.stringify(one) === JSON.stringify(other);
}

/**
 * Throws 409 with both values of each field that no longer has the value its editor saw. Fields for which the editor sent no earlier value
 * are changed whatever is stored.
 */
export function refuseConflicts(was: Seen | undefined, changes: FieldChanges): void {
  if (was === undefined) return;
  const seen = new Map<string, Value | undefined>(Object.entries(was));
  const conflicts = Object.entries(changes).flatMap(([field, { from, to }]): FieldConflict[] => {
    const value = seen.get(field);
    return value === undefined || isSame(from, value) ? [] : [{ field, current: from, given: to }];
  });
  if (conflicts.length === 0) return;
  throw new AppError('CONFLICT', 'Someone else changed this user since you opened them', { data: { conflicts } });
}
