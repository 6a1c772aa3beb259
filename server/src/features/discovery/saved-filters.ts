import type { SavedFilter } from '#contract/saved-filters.ts';
import type { Db } from '#platform/db/db.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { requireMember } from '#platform/session/caller.ts';
import { refuseUnfindable } from './preferences.ts';

/** A member's named sets of preferences. */
export async function savedFiltersOf(db: Db, accountId: string): Promise<SavedFilter[]> {
  const row = await db
    .selectFrom('saved_filters')
    .select('filters')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.filters ?? [];
}

/** Replaces the caller's named sets of preferences and returns them. Throws 403 for staff. */
export async function putSavedFilters(
  { tx, deps, caller }: CommandContext,
  { filters }: { filters: SavedFilter[] },
): Promise<SavedFilter[]> {
  requireMember(caller);
  for (const [index, { preferences }] of filters.entries())
    refuseUnfindable(deps, `filters.${index}.preferences.interests`, preferences.interests);
  const row = { filters: JSON.stringify(filters) };
  await tx
    .insertInto('saved_filters')
    .values({ account_id: caller.accountId, ...row })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
    .execute();
  return filters;
}
