import { sql } from 'kysely';
import type { Db } from '../../platform/db/db.ts';
import type { Viewer } from './policy.ts';
import type { UserRow } from './views.ts';
import { notIncognito, unblocked } from './visibility.ts';

/** The columns of `UserRow`, from account `a`, profile `f` and presence `r`. */
const userColumns = sql`
  a.id, a.email, a.created_at, a.email_verified_at, a.staff_role, a.is_vip, a.is_active, a.deactivated_at,
  a.deactivation_reason, a.leaving_since, f.first_name, f.last_name, f.gender, f.gender_text, f.birth_date, f.bio, f.seeking,
  f.city, f.country, f.latitude, f.longitude, f.show_last_active, f.details, f.pictures, f.complete, r.last_active_at, r.online,
  a.email_verified_at is null and exists (select from verification v where v.account_id = a.id) as verification_sent`;

const userTables = sql`account a join profile f on f.account_id = a.id join presence r on r.account_id = a.id`;

/** The users with these ids, in order; unknown ids are left out. */
export async function usersByIds(db: Db, ids: string[]): Promise<UserRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<UserRow>`/* prepared */
    select ${userColumns} from ${userTables} where a.id = any (${ids}::uuid[])`.execute(db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The user with this id, leaving or not. */
export async function userById(db: Db, id: string): Promise<UserRow | undefined> {
  const [row] = await usersByIds(db, [id]);
  return row;
}

/**
 * The user with this id if the viewer may see them: always oneself; staff see everyone who isn't leaving; members see people in the
 * directory unless one of the two blocked the other. Decided inside the query, so that hidden and unknown people take equally long.
 */
export async function userShownTo(db: Db, viewer: Viewer, id: string): Promise<UserRow | undefined> {
  const isShown =
    viewer.staffRole === null
      ? sql`exists (select from directory d where d.account_id = a.id and d.is_shown)
          and ${unblocked(sql`a.id`, sql`${viewer.accountId}::uuid`)}
          and ${notIncognito(sql`a.id`, sql`f.incognito and a.is_vip`, viewer.accountId)}`
      : sql`a.leaving_since is null`;
  const { rows } = await sql<UserRow>`/* prepared */
    select ${userColumns} from ${userTables}
    where a.id = ${id}::uuid and (a.id = ${viewer.accountId}::uuid or ${isShown})`.execute(db);
  return rows[0];
}

/** The number of signed-in devices of an account. */
export async function liveSessionCount(db: Db, accountId: string, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('session')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('account_id', '=', accountId)
    .where('idle_expires_at', '>', now)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return Number(count);
}
