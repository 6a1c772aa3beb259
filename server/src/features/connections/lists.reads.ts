import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { countRows, type Db } from '#platform/db/db.ts';
import { afterPlace, cutPage, type PageWindow } from '#platform/db/page-cursor.ts';
import { dayOf } from '#platform/process/clock.ts';
import {
  hasNoHiddenWord,
  type Reader,
  toPerson,
  unblocked,
  type UserRow,
  usersByIds,
  visibleTo,
} from '../profiles/public.ts';
import { likedPart, partNow } from './like-notes.ts';
import { arrivedAt } from './pair.ts';

/** Counting stops at this number, which the screen shows as "1,000+". */
const countedMost = 1000;
const patternsShown = 6;

/** Pending likes for this account by people who may be shown. */
const waiting = (accountId: string): RawBuilder<unknown> => sql`
  decision l join directory d on d.account_id = l.viewer_id and d.is_shown
  where l.target_id = ${accountId}::uuid and l.is_pending
    and ${unblocked(sql`l.target_id`, sql`l.viewer_id`)} and ${hasNoHiddenWord(accountId, sql`l.viewer_id`)}
    and not exists (select from decision own where own.viewer_id = l.target_id and own.target_id = l.viewer_id)`;

/** A condition: the two people of decision `l` are not a match. */
const isNoMatch = sql`not exists (select from match m
  where m.low_id = least(l.viewer_id, l.target_id) and m.high_id = greatest(l.viewer_id, l.target_id))`;

/** The number of pending likes for a member, counted up to 1,000. */
export const countReceived = (db: Db, accountId: string): Promise<number> =>
  countRows(db, waiting(accountId), countedMost);

/**
 * Likes for a member that are not matches, for members who can't see who likes them. People they passed on or blocked are counted too;
 * otherwise a change of the number would reveal whether that person liked the member.
 */
const likers = (accountId: string): RawBuilder<unknown> => sql`
  decision l join directory d on d.account_id = l.viewer_id and d.is_shown
  where l.target_id = ${accountId}::uuid and l.kind = 'like'
    and not exists (select from block b where b.blocker_id = l.viewer_id and b.blocked_id = l.target_id)
    and ${isNoMatch}`;

/** The number of `likers`, counted up to 1,000. */
export const countLikers = (db: Db, accountId: string): Promise<number> =>
  countRows(db, likers(accountId), countedMost);

/** A condition: someone who isn't a match likes this member. */
export const isLiked = (accountId: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select from ${likers(accountId)})`;

/** Seeds for the placeholder patterns, derived from the viewer and the day only, so that they identify no one. */
export function patternsFor(accountId: string, count: number, now: Date): number[] {
  const day = dayOf(now);
  return Array.from({ length: Math.min(count, patternsShown) }, (_, index) =>
    createHash('sha256').update(`${accountId} ${day} ${index}`).digest().readUInt32BE(0),
  );
}

interface LikeRow {
  user_id: string;
  note: string | null;
  liked_picture: string | null;
  liked_prompt: string | null;
  decided_at: Date;
}

const likePlace = ({ decided_at, user_id }: LikeRow) => ({ at: decided_at, id: user_id });

/** One page of the pending likes for the caller, newest first. Only for members with premium. */
export async function receivedLikes(reader: Reader, { limit, offset, after }: PageWindow) {
  const { db, caller } = reader;
  const found = await sql<LikeRow>`
    select l.viewer_id as user_id, case when not l.is_note_held then l.note end as note, l.liked_picture, l.liked_prompt, ${arrivedAt('l')} as decided_at
    from ${waiting(caller.accountId)} ${afterPlace(after, arrivedAt('l'), sql`l.viewer_id`)}
    order by ${arrivedAt('l')} desc, l.viewer_id desc limit ${limit + 1} offset ${offset}`.execute(db);
  const { rows, nextCursor } = cutPage(found.rows, limit, likePlace);
  const [own] = rows.some((row) => likedPart(row) !== null) ? await usersByIds(db, [caller.accountId]) : [];
  const likes = await withUsers(reader, rows, (user, row) => ({
    user: toPerson(user, caller, reader.now, reader.pictures),
    note: row.note,
    on: likedPart(row),
    part: partNow(row, own, reader),
    likedAt: row.decided_at,
  }));
  return { likes, nextCursor };
}

/**
 * One page of the caller's likes that are not matches, newest first, and their number, counted up to 1,000. People who passed on the caller
 * are included, because no one learns about a pass, and so are likes that were not delivered.
 */
export async function sentLikes(reader: Reader, { limit, offset, after }: PageWindow) {
  const { db, caller } = reader;
  // Each part has an index that finds likes among all decisions.
  const sent = sql`(
      select * from decision where viewer_id = ${caller.accountId}::uuid and kind = 'like'
      union all
      select * from decision where viewer_id = ${caller.accountId}::uuid and kind in ('held', 'dropped')
    ) l
    where ${visibleTo(sql`l.viewer_id`, sql`l.target_id`)} and ${isNoMatch}`;
  const total = await countRows(db, sent, countedMost);
  const found = await sql<LikeRow>`
    select l.target_id as user_id, l.note, l.liked_picture, l.liked_prompt, l.decided_at
    from ${sent} ${afterPlace(after, sql`l.decided_at`, sql`l.target_id`)}
    order by l.decided_at desc, l.target_id desc limit ${limit + 1} offset ${offset}`.execute(db);
  const { rows, nextCursor } = cutPage(found.rows, limit, likePlace);
  const likes = await withUsers(reader, rows, (user, row) => ({
    user: toPerson(user, caller, reader.now, reader.pictures),
    note: row.note,
    likedAt: row.decided_at,
  }));
  return { likes, total, nextCursor };
}

interface MatchRow {
  id: string;
  user_id: string;
  matched_at: Date;
  my_note: string | null;
  their_note: string | null;
}

/** One page of the caller's matches with visible people, newest first, and how many there are. */
export async function matchesPage(reader: Reader, { limit, offset, after }: PageWindow) {
  const { db, caller } = reader;
  const own = sql`(
      select id, high_id as user_id, matched_at from match where low_id = ${caller.accountId}::uuid
      union all
      select id, low_id, matched_at from match where high_id = ${caller.accountId}::uuid
    ) m join directory d on d.account_id = m.user_id and d.is_shown`;
  const total = await countRows(db, own, null);
  const found = await sql<MatchRow>`
    select m.id, m.user_id, m.matched_at, mine.note as my_note,
      case when not theirs.is_note_held then theirs.note end as their_note from ${own}
      left join decision mine on mine.viewer_id = ${caller.accountId}::uuid and mine.target_id = m.user_id
      left join decision theirs on theirs.viewer_id = m.user_id and theirs.target_id = ${caller.accountId}::uuid
    where true ${afterPlace(after, sql`m.matched_at`, sql`m.id`)}
    order by m.matched_at desc, m.id desc limit ${limit + 1} offset ${offset}`.execute(db);
  const { rows, nextCursor } = cutPage(found.rows, limit, ({ matched_at, id }) => ({ at: matched_at, id }));
  const matches = await withUsers(reader, rows, (user, row) => ({
    _id: row.id,
    user: toPerson(user, caller, reader.now, reader.pictures),
    matchedAt: row.matched_at,
    myNote: row.my_note,
    theirNote: row.their_note,
  }));
  return { matches, total, nextCursor };
}

interface BlockRow {
  blocked_id: string;
  created_at: Date;
  name: string | null;
}

/**
 * The people a member blocked, newest first. A name is shown only if the two could see each other without this block; otherwise the list
 * would reveal who is still a member, and who blocked the viewer.
 */
async function blockRows(
  db: Db,
  accountId: string,
  { limit, offset, after }: Omit<PageWindow, 'limit'> & { limit: number | null },
): Promise<BlockRow[]> {
  const { rows } = await sql<BlockRow>`
    select b.blocked_id, b.created_at, p.first_name as name
    from block b
      left join directory d on d.account_id = b.blocked_id and d.is_shown and not d.is_incognito
        and not exists (select from block theirs where theirs.blocker_id = b.blocked_id and theirs.blocked_id = b.blocker_id)
      left join profile p on p.account_id = d.account_id
    where b.blocker_id = ${accountId}::uuid and b.is_listed
      ${afterPlace(after, sql`b.created_at`, sql`b.blocked_id`)}
    order by b.created_at desc, b.blocked_id desc limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

const toView = ({ blocked_id, created_at: blockedAt, name }: BlockRow) => ({
  user: { _id: blocked_id, name, profilePicture: null },
  blockedAt,
});

/** Everyone an account blocked, newest first. */
export async function blocksBy(db: Db, accountId: string) {
  return (await blockRows(db, accountId, { limit: null, offset: 0, after: null })).map(toView);
}

/** One page of the people the caller blocked, newest first, and how many there are. */
export async function blocksPage(db: Db, accountId: string, window: PageWindow) {
  const total = await countRows(db, sql`block where blocker_id = ${accountId}::uuid and is_listed`);
  const found = await blockRows(db, accountId, { ...window, limit: window.limit + 1 });
  const { rows, nextCursor } = cutPage(found, window.limit, ({ created_at, blocked_id }) => ({
    at: created_at,
    id: blocked_id,
  }));
  return { blocks: rows.map(toView), total, nextCursor };
}

/** Builds a view of each of the `rows` from its user, shaped for the reader by `toView`. Rows of deleted accounts are left out. */
export async function withUsers<R extends { user_id: string }, V>(
  { db }: Pick<Reader, 'db'>,
  rows: R[],
  toView: (user: UserRow, row: R) => V,
): Promise<V[]> {
  const users = await usersByIds(
    db,
    rows.map(({ user_id }) => user_id),
  );
  const byId = new Map(users.map((user) => [user.id, user]));
  return rows.flatMap((row) => {
    const user = byId.get(row.user_id);
    return user === undefined ? [] : [toView(user, row)];
  });
}

interface GivenLike {
  /** The first name, if the two can still see each other. */
  name: string | null;
  likedAt: Date;
  note: string | null;
  isMatch: boolean;
}

/**
 * A member's decisions for their data export: likes oldest first, matches, and the number of passes. Matches with hidden people are left
 * out (see `matchSeenBy`).
 */
export async function likesData(db: Db, accountId: string) {
  const { rows: likes } = await sql<GivenLike>`
    select seen.first_name as name, l.decided_at as "likedAt", l.note, m.id is not null as "isMatch"
    from decision l
      left join match m on m.low_id = least(l.viewer_id, l.target_id) and m.high_id = greatest(l.viewer_id, l.target_id)
      left join lateral (
        select p.account_id, p.first_name from profile p
        where p.account_id = l.target_id and ${visibleTo(sql`l.viewer_id`, sql`l.target_id`)}
      ) seen on true
    where l.viewer_id = ${accountId}::uuid and l.kind in ('like', 'held', 'dropped') and (m.id is null or seen.account_id is not null)
    order by l.decided_at, l.target_id`.execute(db);
  const { rows: matches } = await sql<{ name: string | null; matchedAt: Date }>`
    select p.first_name as name, m.matched_at as "matchedAt"
    from match m
      join directory d on d.is_shown
        and d.account_id = case when m.low_id = ${accountId}::uuid then m.high_id else m.low_id end
      join profile p on p.account_id = d.account_id
    where m.low_id = ${accountId}::uuid or m.high_id = ${accountId}::uuid
    order by m.matched_at, m.id`.execute(db);
  const passes = await countRows(db, sql`decision where viewer_id = ${accountId}::uuid and kind = 'pass'`);
  return { likes, matches, passes };
}
