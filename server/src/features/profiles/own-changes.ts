import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../../platform/db/db.ts';
import type { CommandContext } from '../../platform/http/mount.ts';
import type { ProfileChange, ProfileRow } from './profiles.ts';

/** The field behind each column; details are fields of their own. */
const fieldOf: Record<Exclude<keyof ProfileRow, 'details'>, string> = {
  first_name: 'firstName',
  last_name: 'lastName',
  gender: 'gender',
  gender_text: 'genderText',
  birth_date: 'birthDate',
  bio: 'bio',
  seeking: 'seeking',
  city: 'location',
  country: 'location',
  latitude: 'location',
  longitude: 'location',
};

/** The keys whose values a change makes different. */
function differing<T extends object>(before: T, after: T): (keyof T)[] {
  const keys = Object.keys({ ...before, ...after }) as (keyof T)[];
  return keys.filter((key) => !isDeepStrictEqual(before[key], after[key]));
}

/** Keeps which fields their owner changed, for the person's file; never the values. */
export async function noteOwnChange(
  { tx, caller, now }: CommandContext,
  before: ProfileRow,
  change: ProfileChange,
): Promise<void> {
  const columns = (Object.keys(fieldOf) as (keyof typeof fieldOf)[]).filter(
    (column) => change[column] !== undefined && !isDeepStrictEqual(change[column], before[column]),
  );
  const details = change.details === undefined ? [] : differing(before.details, change.details);
  const fields = [...new Set([...columns.map((column) => fieldOf[column]), ...details])];
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
