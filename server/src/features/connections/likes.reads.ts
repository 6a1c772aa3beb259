import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { ReceivedLike, SentLike } from '#contract/connections.ts';
import { countRows, type Db } from '../../platform/db/db.ts';
import { afterPlace, cutPage, type PageWindow } from '../../platform/db/page-cursor.ts';
import { type Reader, toPerson, unblocked, usersByIds, visibleTo } from '../profiles/public.ts';
import { likedPart, partNow } from './liked-part.ts';
import { withUsers } from './people.reads.ts';

/** Counting stops at this number, which the screen shows as "1,000+". */
const countedMost = 1000;
const patternsShown = 6;

/** Pending likes for this account by people who may be shown. */
const waiting = (accountId: string): RawBuilder<unknown> => sql`
  decision l join directory d on d.account_id = l.viewer_id and d.is_shown
  where l.target_id = ${accountId}::uuid and l.is_pending
    and ${unblocked(sql`l.viewer_id`, sql`l.target_id`)}
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
  const day = now.toISOString().slice(0, 10);
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
export async function receivedLikes(
  reader: Reader,
  { limit, offset, after }: PageWindow,
): Promise<{ likes: ReceivedLike[]; nextCursor: string | null }> {
  const { db, caller } = reader;
  const found = await sql<LikeRow>`
    select l.viewer_id as user_id, l.note, l.liked_picture, l.liked_prompt, l.decided_at
    from ${waiting(caller.accountId)} ${afterPlace(after, sql`l.decided_at`, sql`l.viewer_id`)}
    order by l.decided_at desc, l.viewer_id desc limit ${limit + 1} offset ${offset}`.execute(db);
  const { rows, nextCursor } = cutPage(found.rows, limit, likePlace);
  const [own] = rows.some((row) => likedPart(row) !== null) ? await usersByIds(db, [caller.accountId]) : [];
  const likes = await withUsers(reader, rows, (user, row) => ({
    user: toPerson(user, caller, reader.now, reader.pictures),
    note: row.note,
    on: likedPart(row),
    part: partNow(row, own, reader),
    likedAt: row.decided_at.toISOString(),
  }));
  return { likes, nextCursor };
}

/**
 * One page of the caller's likes that are not matches, newest first, and their number, counted up to 1,000. People who passed on the caller
 * are included, because no one learns about a pass.
 */
export async function sentLikes(
  reader: Reader,
  { limit, offset, after }: PageWindow,
): Promise<{ likes: SentLike[]; total: number; nextCursor: string | null }> {
  const { db, caller } = reader;
  const sent = sql`decision l
    where l.viewer_id = ${caller.accountId}::uuid and l.kind = 'like' and ${visibleTo(sql`l.viewer_id`, sql`l.target_id`)}
      and ${isNoMatch}`;
  const total = await countRows(db, sent, countedMost);
  const found = await sql<LikeRow>`
    select l.target_id as user_id, l.note, l.liked_picture, l.liked_prompt, l.decided_at
    from ${sent} ${afterPlace(after, sql`l.decided_at`, sql`l.target_id`)}
    order by l.decided_at desc, l.target_id desc limit ${limit + 1} offset ${offset}`.execute(db);
  const { rows, nextCursor } = cutPage(found.rows, limit, likePlace);
  const likes = await withUsers(reader, rows, (user, row) => ({
    user: toPerson(user, caller, reader.now, reader.pictures),
    note: row.note,
    likedAt: row.decided_at.toISOString(),
  }));
  return { likes, total, nextCursor };
}
