import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { LikedPart, MatchView, ReceivedLike, SentLike, ShownPart } from '#contract/connections/likes.ts';
import type { PromptKey } from '#contract/profiles/interests.ts';
import type { OpeningLike } from '#contract/messages.ts';
import type { FrozenNote } from '#contract/moderation/report.ts';
import type { Caller } from '../../platform/session/caller.ts';
import { countRows, type Db } from '../../platform/db/db.ts';
import { afterPlace, cutPage, type PagePlace } from '../../platform/db/page-cursor.ts';
import type { PictureViews } from '../../platform/session/pictures.ts';
import { type DecisionRow, decisionsBetween } from './decisions.ts';
import type { PageWindow } from './pair.ts';
import { toPublicUser, unblocked, type UserRow, usersByIds, visibleTo } from '../profiles/public.ts';
import type { BlockView } from '#contract/connections/blocks.ts';

/** Counting stops here; the screen shows "1,000+". */
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
 * The number of likes for a member without matches, counted up to 1,000, for members who can't see who they are. People they passed on or
 * blocked count too: otherwise the number would reveal for each whether they liked the member.
 */
export async function countLikers(db: Db, accountId: string): Promise<number> {
  const likers = sql`
    decision l join directory d on d.account_id = l.viewer_id and d.is_shown
    where l.target_id = ${accountId}::uuid and l.kind = 'like'
      and not exists (select from block b where b.blocker_id = l.viewer_id and b.blocked_id = l.target_id)
      and ${isNoMatch}`;
  return await countRows(db, likers, countedMost);
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

/** One page of the pending likes for the caller, newest first; for members with premium only. */
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
  const [own] = rows.some((row) => partOf(row) !== null) ? await usersByIds(db, [caller.accountId]) : [];
  const likes = await withUsers(db, caller, rows, now, views, (user, row) => ({
    user,
    note: row.note,
    on: partOf(row),
    part: partNow(row, own, caller, now, views),
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
  const sent = sql`decision l
    where l.viewer_id = ${caller.accountId}::uuid and l.kind = 'like' and ${visibleTo(sql`l.viewer_id`, sql`l.target_id`)}
      and ${isNoMatch}`;
  const total = await countRows(db, sent, countedMost);
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
  return { likes, total, nextCursor };
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

/**
 * The likes of a match's two people that say something, as one of the two sees them, oldest first. A part of a profile is shown as
 * other members see it today, and not at all once it was removed. Call it only for a match that `caller` may see.
 */
export async function openingLikes(
  db: Db,
  caller: Caller,
  userId: string,
  now: Date,
  views: PictureViews,
): Promise<OpeningLike[]> {
  const { own, back } = await decisionsBetween(db, caller.accountId, userId);
  const likes = [own, back].filter((one): one is DecisionRow => one?.kind === 'like');
  const isAboutPart = likes.some((like) => like.liked_picture !== null || like.liked_prompt !== null);
  const users = isAboutPart ? await usersByIds(db, [caller.accountId, userId]) : [];
  const byId = new Map(users.map((user) => [user.id, user]));
  return likes
    .sort((one, other) => Number(one.decided_at) - Number(other.decided_at))
    .map((like) => ({
      from: like.viewer_id,
      likedAt: like.decided_at.toISOString(),
      note: like.note,
      on: partNow(like, byId.get(like.target_id), caller, now, views),
    }))
    .filter(({ note, on }) => note !== null || on !== null);
}

/** The note that someone's like of this reader came with, and what it was about, as a report copies it; null without one. */
export async function noteFrom(tx: Db, readerId: string, authorId: string | null): Promise<FrozenNote | null> {
  const { back } = authorId === null ? {} : await decisionsBetween(tx, readerId, authorId);
  if (back?.kind !== 'like' || back.note === null) return null;
  const { note: text, decided_at, liked_picture, liked_prompt: prompt } = back;
  const likedAt = decided_at.toISOString();
  if (prompt === null) return { text, likedAt, on: liked_picture === null ? null : { kind: 'picture' } };
  const [reader] = await usersByIds(tx, [readerId]);
  const said = reader?.details.prompts?.find((one) => one.prompt === prompt);
  return { text, likedAt, on: { kind: 'prompt', prompt, answer: said?.answer ?? null } };
}

/** The liked part of the target's profile as it is now; null if it is no longer shown. */
function partNow(
  { liked_picture, liked_prompt }: Pick<DecisionRow, 'liked_picture' | 'liked_prompt'>,
  target: UserRow | undefined,
  caller: Caller,
  now: Date,
  views: PictureViews,
): ShownPart | null {
  if (target === undefined) return null;
  const said = target.details.prompts?.find(({ prompt }) => prompt === liked_prompt);
  if (said !== undefined) return { kind: 'prompt', ...said };
  if (liked_picture === null) return null;
  const pictures = views.shown(caller.accountId, target.id, target.pictures, now);
  const picture = pictures.find(({ publicId }) => publicId === liked_picture);
  return picture === undefined ? null : { kind: 'picture', picture };
}

interface MatchRow {
  id: string;
  user_id: string;
  matched_at: Date;
  my_note: string | null;
  their_note: string | null;
}

/** One page of the caller's matches with visible people, newest first, and their number. */
export async function matchesPage(
  db: Db,
  caller: Caller,
  { limit, offset, after }: PageWindow,
  now: Date,
  views: PictureViews,
): Promise<{ matches: MatchView[]; total: number; nextCursor: string | null }> {
  const own = sql`(
      select id, high_id as user_id, matched_at from match where low_id = ${caller.accountId}::uuid
      union all
      select id, low_id, matched_at from match where high_id = ${caller.accountId}::uuid
    ) m join directory d on d.account_id = m.user_id and d.is_shown`;
  const total = await countRows(db, own, null);
  const found = await sql<MatchRow>`
    select m.id, m.user_id, m.matched_at, mine.note as my_note, theirs.note as their_note from ${own}
      left join decision mine on mine.viewer_id = ${caller.accountId}::uuid and mine.target_id = m.user_id
      left join decision theirs on theirs.viewer_id = m.user_id and theirs.target_id = ${caller.accountId}::uuid
    where true ${afterPlace(after, sql`m.matched_at`, sql`m.id`)}
    order by m.matched_at desc, m.id desc limit ${limit + 1} offset ${offset}`.execute(db);
  const { rows, nextCursor } = cutPage(found.rows, limit, ({ matched_at, id }) => ({ at: matched_at, id }));
  const matches = await withUsers(db, caller, rows, now, views, (user, row) => ({
    _id: row.id,
    user,
    matchedAt: row.matched_at.toISOString(),
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
  limit: number | null,
  offset: number,
  after: PagePlace | null,
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

const toView = ({ blocked_id, created_at, name }: BlockRow): BlockView => ({
  user: { _id: blocked_id, name, profilePicture: null },
  blockedAt: created_at.toISOString(),
});

/** Everyone an account blocked, newest first. */
export async function blocksBy(db: Db, accountId: string): Promise<BlockView[]> {
  return (await blockRows(db, accountId, null, 0, null)).map(toView);
}

/** One page of the people the caller blocked, newest first, and how many there are. */
export async function blocksPage(
  db: Db,
  accountId: string,
  { limit, offset, after }: PageWindow,
): Promise<{ blocks: BlockView[]; total: number; nextCursor: string | null }> {
  const total = await countRows(db, sql`block where blocker_id = ${accountId}::uuid and is_listed`);
  const found = await blockRows(db, accountId, limit + 1, offset, after);
  const { rows, nextCursor } = cutPage(found, limit, ({ created_at, blocked_id }) => ({
    at: created_at,
    id: blocked_id,
  }));
  return { blocks: rows.map(toView), total, nextCursor };
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
    where l.viewer_id = ${accountId}::uuid and l.kind = 'like' and (m.id is null or seen.account_id is not null)
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
