import { createHash } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { LikedPart, ReceivedLike, SentLike } from '#contract/connections/likes.ts';
import type { PromptKey } from '#contract/profiles/profile-details.ts';
import type { Caller } from '../../../platform/session/caller.ts';
import type { Db } from '../../../platform/db/db.ts';
import { afterPlace, cutPage } from '../../../platform/db/page-cursor.ts';
import type { PictureViews } from '../../../platform/session/pictures.ts';
import type { PageWindow } from '../pair.ts';
import { notIncognito, toPublicUser, unblocked, usersByIds } from '../../profiles/public.ts';

/** Counting stops here; the screen shows "1,000+". */
const countedMost = 1000;
const patternsShown = 6;

/** Pending likes for this account by people who may be shown. */
const waiting = (accountId: string): RawBuilder<unknown> => sql`
  decision l join directory d on d.account_id = l.viewer_id and d.is_shown
  where l.target_id = ${accountId}::uuid and l.is_pending
    and ${unblocked(sql`l.viewer_id`, sql`l.target_id`)}
    and not exists (select from decision own where own.viewer_id = l.target_id and own.target_id = l.viewer_id)`;

/** The number of pending likes for a member, counted up to 1,000. */
export async function countReceived(db: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select from ${waiting(accountId)} limit ${countedMost}) counted`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * The number of likes for a member without matches, counted up to 1,000, for members who can't see who they are. People they passed on or
 * blocked count too: otherwise the number would reveal for each whether they liked the member.
 */
export async function countLikers(db: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from decision l
        join directory d on d.account_id = l.viewer_id and d.is_shown
      where l.target_id = ${accountId}::uuid and l.kind = 'like'
        and not exists (select from block b where b.blocker_id = l.viewer_id and b.blocked_id = l.target_id)
        and not exists (select from match m
          where m.low_id = least(l.viewer_id, l.target_id) and m.high_id = greatest(l.viewer_id, l.target_id))
      limit ${countedMost}
    ) counted`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Seeds for the patterns, derived from the viewer and the day only, so that they identify no one. */
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

const partOf = ({ liked_picture, liked_prompt }: LikeRow): LikedPart | null => {
  if (liked_picture !== null) return { kind: 'picture', publicId: liked_picture };
  return liked_prompt === null ? null : { kind: 'prompt', prompt: liked_prompt as PromptKey };
};

const likePlace = ({ decided_at, user_id }: LikeRow) => ({ at: decided_at, id: user_id });

/** One page of the people who like the caller and wait, newest first; for members with premium only. */
export async function receivedLikes(
  db: Db,
  caller: Caller,
  { limit, offset, after }: PageWindow,
  now: Date,
  views: PictureViews,
): Promise<{ likes: ReceivedLike[]; nextCursor: string | null }> {
  const found = await sql<LikeRow>`
    select l.viewer_id as user_id, l.note, l.liked_picture, l.liked_prompt, l.decided_at
    from ${waiting(caller.accountId)} ${afterPlace(after, sql`l.decided_at`, sql`l.viewer_id`)}
    order by l.decided_at desc, l.viewer_id desc limit ${limit + 1} offset ${offset}`.execute(db);
  const { rows, nextCursor } = cutPage(found.rows, limit, likePlace);
  const likes = await withUsers(db, caller, rows, now, views, (user, row) => ({
    user,
    note: row.note,
    on: partOf(row),
    likedAt: row.decided_at.toISOString(),
  }));
  return { likes, nextCursor };
}

/**
 * One page of the caller's likes without matches, newest first, and their number, counted up to 1,000. People who passed are included,
 * because no one learns of a pass.
 */
export async function sentLikes(
  db: Db,
  caller: Caller,
  { limit, offset, after }: PageWindow,
  now: Date,
  views: PictureViews,
): Promise<{ likes: SentLike[]; total: number; nextCursor: string | null }> {
  const sent = sql`decision l join directory d on d.account_id = l.target_id and d.is_shown
    where l.viewer_id = ${caller.accountId}::uuid and l.kind = 'like' and ${unblocked(sql`l.viewer_id`, sql`l.target_id`)}
      and ${notIncognito(sql`l.target_id`, sql`d.is_incognito`, caller.accountId)}
      and not exists (select from match m
        where m.low_id = least(l.viewer_id, l.target_id) and m.high_id = greatest(l.viewer_id, l.target_id))`;
  const counted = await sql<{ count: number }>`
    select count(*)::int as count from (select from ${sent} limit ${countedMost}) counted`.execute(db);
  const found = await sql<LikeRow>`
    select l.target_id as user_id, l.note, l.liked_picture, l.liked_prompt, l.decided_at
    from ${sent} ${afterPlace(after, sql`l.decided_at`, sql`l.target_id`)}
    order by l.decided_at desc, l.target_id desc limit ${limit + 1} offset ${offset}`.execute(db);
  const { rows, nextCursor } = cutPage(found.rows, limit, likePlace);
  const likes = await withUsers(db, caller, rows, now, views, (user, row) => ({
    user,
    note: row.note,
    likedAt: row.decided_at.toISOString(),
  }));
  return { likes, total: counted.rows[0]?.count ?? 0, nextCursor };
}

/** The views of `rows` with their users, without deleted accounts. */
export async function withUsers<R extends { user_id: string }, V>(
  db: Db,
  caller: Caller,
  rows: R[],
  now: Date,
  views: PictureViews,
  toView: (user: ReturnType<typeof toPublicUser>, row: R) => V,
): Promise<V[]> {
  const users = await usersByIds(
    db,
    rows.map(({ user_id }) => user_id),
  );
  const byId = new Map(users.map((user) => [user.id, user]));
  return rows.flatMap((row) => {
    const user = byId.get(row.user_id);
    return user === undefined ? [] : [toView(toPublicUser(user, caller, now, views), row)];
  });
}
