import { isDeepStrictEqual } from 'node:util';
import type { Selectable } from 'kysely';
import type { Db } from '#platform/db/db.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import type { Database } from '#platform/db/schema.ts';

type Profile = Selectable<Database['profile']>;

const placeColumns = ['city', 'country', 'latitude', 'longitude'];

/** The field behind a column: `firstName` behind `first_name`. */
const fieldOf = (column: string) =>
  placeColumns.includes(column) ? 'location' : column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The keys whose values differ in `after`; if it is `whole`, also the keys that it lacks. */
function differing(before: object, after: object, whole: boolean): string[] {
  const [old, fresh] = [before, after] as Record<string, unknown>[];
  const keys = Object.keys(whole ? { ...old, ...fresh } : { ...fresh });
  return keys.filter((key) => !isDeepStrictEqual(old?.[key], fresh?.[key]));
}

/** Stores which fields their owner changed, for the person's file; never the values. */
export async function noteOwnChange(
  { tx, caller, now }: CommandContext,
  before: Pick<Profile, 'details'>,
  { details = before.details, ...columns }: Partial<Profile>,
): Promise<void> {
  const changed = differing(before, columns, false).map(fieldOf);
  const fields = [...new Set([...changed, ...differing(before.details, details, true)])];
  if (fields.length === 0) return;
  await tx.insertInto('profile_change').values({ account_id: caller.accountId, at: now, fields }).execute();
}

/** Which fields of their profile a member changed, and when, for their data export. */
export async function ownChanges(db: Db, accountId: string): Promise<{ at: Date; fields: string[] }[]> {
  return await db
    .selectFrom('profile_change')
    .select(['at', 'fields'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();
}
