import { sql, type UpdateObject } from 'kysely';
import type { ProfileDetails } from '#contract/profiles/profile-details.ts';
import type { Gender } from '#contract/profiles/gender.ts';
import { secondsAfter } from '../../platform/process/clock.ts';
import type { Db } from '../../platform/db/db.ts';
import type { StoredPicture } from '../../platform/session/pictures.ts';
import type { Point } from './place/place-cell.ts';
import type { Database } from '../../platform/db/schema.ts';

export interface ProfileRow {
  first_name: string | null;
  last_name: string | null;
  gender: Gender | null;
  gender_text: string | null;
  birth_date: string | null;
  bio: string | null;
  seeking: Gender[];
  city: string | null;
  country: string | null;
  latitude: number | null;
  longitude: number | null;
  details: Partial<ProfileDetails>;
}

/** The columns of a profile that its owner or an administrator writes. */
export type ProfileChange = Partial<ProfileRow>;

/** Including columns that only the picture calls change. */
export interface WholeProfileRow extends ProfileRow {
  pictures: StoredPicture[];
  picture_count: number;
}

/** A profile, locked until the transaction ends, so that moves and birth dates are checked one after another. */
export function lockProfile(tx: Db, accountId: string): Promise<WholeProfileRow> {
  return tx
    .selectFrom('profile')
    .select([
      'first_name',
      'last_name',
      'gender',
      'gender_text',
      'birth_date',
      'bio',
      'seeking',
      'city',
      'country',
      'latitude',
      'longitude',
      'details',
      'pictures',
      'picture_count',
    ])
    .where('account_id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

/** Updates the changed columns of a profile, if any. */
export async function updateProfile(tx: Db, accountId: string, change: ProfileChange): Promise<void> {
  if (Object.keys(change).length === 0) return;
  const { details, ...others } = change;
  const columns: UpdateObject<Database, 'profile'> = {
    ...others,
    ...(details === undefined ? {} : { details: JSON.stringify(details) }),
  };
  await tx.updateTable('profile').set(columns).where('account_id', '=', accountId).execute();
}

/** Whether a change gives someone another name. */
export const isRenamed = (before: Pick<ProfileRow, 'first_name' | 'last_name'>, change: ProfileChange): boolean =>
  (['first_name', 'last_name'] as const).some((part) => change[part] !== undefined && change[part] !== before[part]);

/** A known place. */
export interface KnownPlace {
  name: string;
  country: string;
  latitude: number;
  longitude: number;
}

/** The known place with that name and country, ignoring case and accents, or by its local name; the largest of several. */
export async function placeByName(db: Db, city: string, country: string): Promise<KnownPlace | undefined> {
  const { rows } = await sql<KnownPlace>`
    select name, country, latitude, longitude from place
    where folded(country) = folded(${country}) and (
      folded(name) = folded(${city})
      or name in (select name from place_alias where folded(alias) = folded(${city}) and folded(country) = folded(${country}))
    )
    order by population desc, id limit 1`.execute(db);
  return rows[0];
}

const mostSuggested = 8;

/** The known places whose name or local name starts with the text; largest first, at most eight. */
export async function placesByPrefix(db: Db, prefix: string): Promise<{ city: string; country: string }[]> {
  const pattern = `${prefix.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  const { rows } = await sql<{ city: string; country: string }>`
    with found as (
      select name, country, population from place where folded(name) like folded(${pattern})
      union all
      select p.name, p.country, p.population from place_alias a
        join place p on folded(p.name) = folded(a.name) and p.country = a.country
      where folded(a.alias) like folded(${pattern})
    )
    select name as city, country from found
    group by name, country order by max(population) desc, name, country limit ${mostSuggested}`.execute(db);
  return rows;
}

/** The nearest known place to a point within `degrees` of latitude. */
export async function nearestPlace(db: Db, point: Point, degrees: number): Promise<KnownPlace | undefined> {
  const { rows } = await sql<KnownPlace>`
    select name, country, latitude, longitude from place
    where latitude between ${point.latitude - degrees} and ${point.latitude + degrees}
    order by (latitude - ${point.latitude}) ^ 2 + ((longitude - ${point.longitude}) * cos(radians(${point.latitude}::float8))) ^ 2, id
    limit 1`.execute(db);
  return rows[0];
}

/** When the account's last `count` moves since `from` were, newest first. */
export async function lastMoves(tx: Db, accountId: string, from: Date, count: number): Promise<Date[]> {
  const rows = await tx
    .selectFrom('place_move')
    .select('moved_at')
    .where('account_id', '=', accountId)
    .where('moved_at', '>', from)
    .orderBy('moved_at', 'desc')
    .limit(count)
    .execute();
  return rows.map(({ moved_at }) => moved_at);
}

/** Records a move and deletes those that no longer count. */
export async function noteMove(tx: Db, accountId: string, now: Date, windowSeconds: number): Promise<void> {
  await tx
    .deleteFrom('place_move')
    .where('account_id', '=', accountId)
    .where('moved_at', '<=', secondsAfter(now, -windowSeconds))
    .execute();
  await tx.insertInto('place_move').values({ account_id: accountId, moved_at: now }).execute();
}
