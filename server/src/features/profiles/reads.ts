import { msg, plural } from '@lingui/core/runtime-macro';
import { type RawBuilder, sql } from 'kysely';
import { countRows, type Db, planHint } from '#platform/db/db.ts';
import type { Viewer } from './policy.ts';
import { type ListedRow, type Standing, toPublicUser, type UserRow } from './views.ts';
import { peopleShownPerDay } from '#contract/constants.ts';
import { notFound, tooMany } from '#platform/http/app-error.ts';
import { type Caller, requirePermission } from '#platform/session/caller.ts';
import { bandScores } from '#contract/compatibility.ts';
import type { AnswerInput } from '#contract/endpoint.ts';
import type { getUser } from '#contract/profiles/profiles.ts';
import type { PictureViews } from '#platform/session/pictures.ts';
import { bandsShown } from '../compatibility/public.ts';
import { pointOf, shownDistance } from './place/distance.ts';
import { dayOf, hoursOfDayLeft, secondsOfDayLeft } from '#platform/process/clock.ts';

/**
 * A condition: no block hides this person from the viewer. Of two people, one may be hidden and the other not: a member who stored the
 * other's address as that of someone they know still sees them.
 */
export function unblocked(viewerId: RawBuilder<unknown>, id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`not exists (
    select from block where (blocker_id, blocked_id) in ((${viewerId}, ${id}), (${id}, ${viewerId}))
      and not (is_by_address_only and blocker_id = ${viewerId}))`;
}

/** A condition: this person is not hidden from the viewer by being incognito or paused, or likes the viewer. */
export function notIncognito(
  id: RawBuilder<unknown>,
  isIncognito: RawBuilder<unknown>,
  viewerId: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql<boolean>`(not (${isIncognito}) or coalesce((
    select l.kind = 'like' from decision l where l.viewer_id = ${id} and l.target_id = ${viewerId}), false))`;
}

/**
 * A condition: members with this id may see this person's profile and pictures, and find them among their likes. Cards and search show a
 * subset of these people.
 */
export function visibleTo(viewerId: RawBuilder<unknown>, id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from directory seen where seen.account_id = ${id} and seen.is_shown
    and ${unblocked(viewerId, id)} and ${notIncognito(id, sql`seen.is_incognito`, viewerId)})`;
}

/** The ids of everyone that blocks hide from this account. */
export async function hiddenFrom(db: Db, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select blocked_id as id from block where blocker_id = ${accountId}::uuid and not is_by_address_only
    union
    select blocker_id from block where blocked_id = ${accountId}::uuid`.execute(db);
  return rows.map(({ id }) => id);
}

const verificationSent = sql`
  a.email_verified_at is null and exists (select from verification v where v.account_id = a.id) as verification_sent`;

/** The columns of `ListedRow`, from account `a`, profile `f` and presence `r`. */
const listedColumns = sql`
  a.id, a.email, a.created_at, a.email_verified_at, a.staff_role, a.is_vip, a.is_active, f.first_name, f.last_name, f.gender,
  f.gender_text, f.birth_date, f.bio, f.city, f.country, f.show_last_active, f.photo_verified_at, f.pictures, f.complete,
  r.last_active_at, r.online,
  ${verificationSent}`;

/** The columns of `UserRow`, from `userTables`. */
export const userColumns = sql`
  ${listedColumns}, a.deactivated_at, a.deactivation_reason, a.leaving_since, a.language, f.seeking, f.latitude, f.longitude, f.details,
  f.paused_at, f.verified_contact_only`;

/** The columns of `PersonRow`, from profile `f` and presence `r`. */
export const personColumns = sql`
  f.account_id as id, f.first_name, f.birth_date, f.city, f.country, f.photo_verified_at, f.pictures, f.show_last_active, r.online,
  r.last_active_at`;

export const userTables = sql`account a join profile f on f.account_id = a.id join presence r on r.account_id = a.id`;

const askedIds = (ids: string[]) => sql`(select unnest(${ids}::uuid[]) as id ${planHint(ids)})`;

async function rowsByIds<Row extends ListedRow>(db: Db, ids: string[], columns: RawBuilder<unknown>): Promise<Row[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Row>`
    select ${columns} from ${askedIds(ids)} asked, ${userTables} where a.id = asked.id`.execute(db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The users with these ids, in order; unknown ids are left out. */
export const usersByIds = (db: Db, ids: string[]): Promise<UserRow[]> => rowsByIds(db, ids, userColumns);

/** The same, with what only lists for staff show. */
export const listedByIds = (db: Db, ids: string[]): Promise<ListedRow[]> => rowsByIds(db, ids, listedColumns);

/** The user with this id, whether they are leaving or not. */
export async function userById(db: Db, id: string): Promise<UserRow | undefined> {
  const [row] = await usersByIds(db, [id]);
  return row;
}

/**
 * The user with this id if the viewer may see them: always oneself; staff see everyone who isn't leaving; members see people
 * that `visibleTo` allows. Decided inside the query, so that hidden and unknown people take equally long.
 */
export async function userShownTo(db: Db, viewer: Viewer, id: string): Promise<UserRow | undefined> {
  const isShown =
    viewer.staffRole === null ? visibleTo(sql`${viewer.accountId}::uuid`, sql`a.id`) : sql`a.leaving_since is null`;
  const { rows } = await sql<UserRow>`
    select ${userColumns} from ${userTables}
    where a.id = ${id}::uuid and (a.id = ${viewer.accountId}::uuid or ${isShown})`.execute(db);
  return rows[0];
}

/** The number of signed-in devices of an account. */
export const liveSessionCount = (db: Db, accountId: string, now: Date): Promise<number> =>
  countRows(
    db,
    sql`session where account_id = ${accountId}::uuid and idle_expires_at > ${now} and expires_at > ${now}`,
  );

/** The most severe measure in force on a person, and their case if it is open. */
export async function standingOf(db: Db, accountId: string, now: Date): Promise<Standing> {
  const { rows } = await sql<Standing>`
    select s.kind, s.starts_at as since, s.ends_at as until, (
      select c.id from moderation_case c where c.person_id = ${accountId}::uuid and c.stage <> 'decided') as open_case_id
    from (select) one left join sanction s on s.account_id = ${accountId}::uuid and s.ended_at is null and s.revoked_at is null
      and (s.ends_at is null or s.ends_at > ${now}::timestamptz)
      and s.kind in ('ban', 'suspend', 'hide_profile', 'limit_messaging')
    order by array_position(array['ban', 'suspend', 'hide_profile', 'limit_messaging'], s.kind), s.ends_at desc limit 1`.execute(
    db,
  );
  return rows[0] ?? { kind: null, since: null, until: null, open_case_id: null };
}

/**
 * Records that the caller sees these members today (UTC) and returns those they may see: people already seen today, matches, and others up
 * to the daily limit. Staff see everyone.
 */
export async function noteSeen(db: Db, caller: Caller, ids: string[], now: Date): Promise<Set<string>> {
  if (caller.staffRole !== null || ids.length === 0) return new Set(ids);
  const day = dayOf(now);
  const { rows } = await sql<{ seen: string[] }>`
    select logic.note_seen(${caller.accountId}::uuid, ${ids}::uuid[], ${day}::date, ${peopleShownPerDay}::int) as seen`.execute(
    db,
  );
  return new Set(rows[0]?.seen);
}

/** Like `noteSeen`, but throws 429 until the day ends if any of them may not be shown. */
export async function requireSeen(db: Db, caller: Caller, ids: string[], now: Date): Promise<void> {
  const seen = await noteSeen(db, caller, ids, now);
  if (ids.every((id) => seen.has(id))) return;
  throw tooMany(
    msg`You've viewed a lot of profiles today. You can view more in ${plural({ hours: hoursOfDayLeft(now) }, { one: '# hour', other: '# hours' })}.`,
    secondsOfDayLeft(now),
  );
}

/** The caller's decision about someone, and their match; a match that the caller ended counts as no decision, a like that was not delivered as a like. */
async function relationTo(db: Db, callerId: string, id: string) {
  const { rows } = await sql<{ decision: 'like' | 'pass' | null; matchId: string | null; isBookmarked: boolean }>`
    select
      (select case when kind in ('held', 'dropped') then 'like' else nullif(kind, 'unmatch') end from decision
       where viewer_id = ${callerId}::uuid and target_id = ${id}::uuid) as decision,
      (select id from match where low_id = least(${callerId}::uuid, ${id}::uuid)
       and high_id = greatest(${callerId}::uuid, ${id}::uuid)) as "matchId",
      exists (select from bookmark where account_id = ${callerId}::uuid and target_id = ${id}::uuid) as "isBookmarked"`.execute(
    db,
  );
  return rows[0];
}

/** The reader of data about people, the time, and the signer for the addresses of pictures. */
export interface Reader {
  db: Db;
  caller: Caller;
  now: Date;
  pictures: PictureViews;
}

/** A member as the caller may see them. Throws the same 404 for everyone else, whatever the reason. */
export async function memberSeenBy(
  { db, caller, now, pictures }: Reader,
  { id }: { id: string },
): Promise<AnswerInput<typeof getUser>['data']> {
  if (caller.staffRole !== null && id !== caller.accountId) requirePermission(caller, 'users.list');
  const user = await userShownTo(db, caller, id);
  if (user === undefined) throw notFound();
  await requireSeen(db, caller, user.id === caller.accountId ? [] : [user.id], now);
  const band = (await bandsShown(db, caller.accountId, [user.id], now)).get(user.id) ?? null;
  return {
    user: toPublicUser(user, caller, now, pictures),
    privacyInfo: { showLastActive: user.show_last_active },
    ...shownDistance(pointOf(caller), pointOf(user)),
    compatibilityScore: band === null ? null : bandScores[band],
    compatibilityBand: band,
    ...(caller.staffRole === null && id !== caller.accountId && (await relationTo(db, caller.accountId, user.id))),
  };
}
