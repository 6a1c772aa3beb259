import { sql } from 'kysely';
import { freeLikesPerDay, undoHours } from '#contract/constants.ts';
import type { likeUser } from '#contract/connections/likes.ts';
import type { AnswerOf, BodyOf } from '#contract/endpoint.ts';
import { AppError, invalid, notFound } from '../../platform/http/app-error.ts';
import { type Caller, requireMember } from '../../platform/session/caller.ts';
import { isUuid } from '../../platform/db/uuid.ts';
import { type Db, inTransaction } from '../../platform/db/db.ts';
import type { Deps } from '../../deps.ts';
import { notify } from '../../platform/notify/notify.ts';
import type { PictureViews } from '../../platform/session/pictures.ts';
import { refuseRemovedTexts, type UserRow } from '../profiles/public.ts';
import { makeMatch, matchOf, matchSeenBy } from './match.ts';
import { lockPair, lockVisibleMember } from './pair.ts';
import { decisionOf, type DecisionRow, markAnswered, putDecision, removeDecision } from './decisions.ts';
import { secondsAfter } from '../../platform/process/clock.ts';

type Given = BodyOf<typeof likeUser>;
type Liked = AnswerOf<typeof likeUser>['data'];

/**
 * The caller likes someone. If that person likes the caller too, it's a match: both likes hold the pair's lock, so the second
 * one finds the first. Liking again changes nothing. Throws 404 for anyone the caller may not see, 422 for a free member's 31st
 * like of the day, 409 after an unmatch, 400 for a note that a decision removed.
 */
export async function like(
  tx: Db,
  { emit, pictures, addressKey }: Pick<Deps, 'emit' | 'pictures' | 'addressKey'>,
  caller: Caller,
  userId: string,
  given: Given,
  now: Date,
): Promise<Liked> {
  const { user, own, back } = await lockVisibleMember(tx, caller, userId);
  if (own?.kind === 'unmatch') throw new AppError('CONFLICT', 'The two of you were a match before');
  if (own?.kind === 'like') return await likeAgain(tx, emit, caller, userId, back, now);
  if (given.note)
    await refuseRemovedTexts(
      tx,
      { addressKey, accountId: caller.accountId },
      ['note'],
      [{ field: 'note', text: given.note }],
    );
  const decision = {
    ...partsOf(user, caller, given, now, pictures),
    viewer_id: caller.accountId,
    kind: 'like',
    decided_at: now,
    is_pending: back === undefined,
  } as const;
  if (back?.kind === 'like') {
    const remaining = await sendLike(tx, caller, decision);
    return { outcome: 'matched', matchId: await makeMatch(tx, emit, caller, userId, now), remainingLikes: remaining };
  }
  const remaining = await sendLike(tx, caller, decision);
  if (mayLearn(user, back)) await notify(tx, { accountId: userId, kind: 'like', subjectId: userId }, now);
  return { outcome: 'sent', remainingLikes: remaining };
}

/** The answer to a like that was sent before: nothing changes, unless the other person likes the caller and there is no match yet. */
async function likeAgain(
  tx: Db,
  emit: Deps['emit'],
  caller: Caller,
  userId: string,
  back: DecisionRow | undefined,
  now: Date,
): Promise<Liked> {
  const remaining = await remainingLikes(tx, caller, now);
  if (back?.kind !== 'like') return { outcome: 'sent', remainingLikes: remaining };
  const matchId = (await matchOf(tx, caller.accountId, userId)) ?? (await makeMatch(tx, emit, caller, userId, now));
  return { outcome: 'matched', matchId, remainingLikes: remaining };
}

/**
 * Members who can see who likes them are notified of pending likes only, others of all likes, because the number they
 * see counts all.
 */
const mayLearn = (target: UserRow, back: DecisionRow | undefined) => back === undefined || !target.is_vip;

/** The note of a like and the part of the profile it is about; throws 400 for a part that isn't shown. */
function partsOf(user: UserRow, caller: Caller, { note, on }: Given, now: Date, views: PictureViews) {
  const isShown = (publicId: string) =>
    views.shown(caller.accountId, user.id, user.pictures, now).some((picture) => picture.publicId === publicId);
  if (on?.kind === 'picture' && !isShown(on.publicId)) throw invalid('on.publicId', 'This picture has been removed');
  if (on?.kind === 'prompt' && user.details.prompts?.some(({ prompt }) => prompt === on.prompt) !== true)
    throw invalid('on.prompt', 'This answer has been removed');
  return {
    target_id: user.id,
    note: note === undefined || note === '' ? null : note,
    liked_picture: on?.kind === 'picture' ? on.publicId : null,
    liked_prompt: on?.kind === 'prompt' ? on.prompt : null,
  };
}

/** Counts and records a like; returns how many the caller has left today, null with Premium. Throws 422, which undoes it, beyond the limit. */
async function sendLike(tx: Db, caller: Caller, like: Omit<DecisionRow, 'dealt_chance'>): Promise<number | null> {
  const sent = await countLike(tx, caller.accountId, caller.isVip ? null : freeLikesPerDay, like.decided_at);
  if (sent === null)
    throw new AppError('LIKES_USED_UP', `Those were your ${freeLikesPerDay} likes for today. You get more tomorrow.`);
  await putDecision(tx, like);
  return likesLeft(caller, sent);
}

/**
 * Counts a like of today, UTC; it stays counted if it is undone. Returns how many were sent today including this one, or null if
 * `limit` were sent already.
 */
async function countLike(tx: Db, accountId: string, limit: number | null, now: Date): Promise<number | null> {
  const { rows } = await sql<{ sent: number }>`
    insert into like_count as c (account_id, sent_on, sent) values (${accountId}::uuid, ${dayOf(now)}::date, 1)
    on conflict (account_id) do update
      set sent = case when c.sent_on = excluded.sent_on then c.sent + 1 else 1 end, sent_on = excluded.sent_on
      where ${limit}::int is null or c.sent_on <> excluded.sent_on or c.sent < ${limit}::int
    returning sent`.execute(tx);
  return rows[0]?.sent ?? null;
}

/** How many likes the caller has left today; null with Premium, which has no limit. */
export async function remainingLikes(db: Db, caller: Caller, now: Date): Promise<number | null> {
  if (caller.isVip) return null;
  const { rows } = await sql<{ sent: number }>`
    select sent from like_count where account_id = ${caller.accountId}::uuid and sent_on = ${dayOf(now)}::date`.execute(
    db,
  );
  return likesLeft(caller, rows[0]?.sent ?? 0);
}

/** How many likes a caller who has sent this many today has left; null with Premium. */
export function likesLeft({ isVip }: Pick<Caller, 'isVip'>, sent: number): number | null {
  return isVip ? null : Math.max(0, freeLikesPerDay - sent);
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10);

/** The caller passes on someone, silently; a like of theirs counts as answered. Throws 409 for a match. */
export async function pass(tx: Db, caller: Caller, userId: string, now: Date): Promise<void> {
  const { own, back } = await lockVisibleMember(tx, caller, userId);
  // Two who are a match like each other.
  if (own?.kind === 'like' && (await matchOf(tx, caller.accountId, userId)) !== null)
    throw new AppError('CONFLICT', 'This is a match; end it first');
  if (own?.kind === 'pass' || own?.kind === 'unmatch') return;
  await putDecision(tx, {
    viewer_id: caller.accountId,
    target_id: userId,
    kind: 'pass',
    decided_at: now,
    note: null,
    liked_picture: null,
    liked_prompt: null,
    is_pending: false,
  });
  if (back?.is_pending === true) await markAnswered(tx, userId, caller.accountId);
}

/** Withdraws a like that wasn't returned; returns whether there was one. Throws 409 for a match. The like stays counted. */
export async function withdraw(db: Db, caller: Caller, userId: string): Promise<boolean> {
  requireMember(caller);
  if (!isUuid(userId)) return false;
  return await inTransaction(db, async (tx) => {
    await lockPair(tx, caller.accountId, userId);
    const match = await matchSeenBy(tx, caller, userId);
    if (match === 'shown') throw new AppError('CONFLICT', 'This is already a match');
    const before = await decisionOf(tx, caller.accountId, userId);
    if (match === 'hidden' || before?.kind !== 'like') return false;
    await removeDecision(tx, caller.accountId, userId);
    return true;
  });
}

/**
 * Undoes a decision of the caller: the last one, once; with premium any of the last day. Throws 404 for none, 403 if
 * it needs premium, 409 once it's a match. A like stays counted.
 */
export async function undo(
  db: Db,
  caller: Caller,
  userId: string | undefined,
  now: Date,
): Promise<{ userId: string; was: 'like' | 'pass' }> {
  requireMember(caller);
  const last = await lastDecision(db, caller.accountId);
  const named = userId === undefined ? last : await namedDecision(db, caller.accountId, userId);
  if (named === undefined || named.kind === 'unmatch') throw notFound();
  // Checked first; otherwise the answer would distinguish someone who left from someone who blocked the caller.
  if ((await matchSeenBy(db, caller, named.target_id)) === 'hidden') throw notFound();
  const isLast = last?.target_id === named.target_id;
  if (!caller.isVip && !(isLast && (await isUnused(db, caller.accountId, named))))
    throw new AppError('PREMIUM_REQUIRED', 'Without premium, you can only undo your last decision');
  if (named.decided_at < secondsAfter(now, -undoHours * 3600)) throw notFound();
  return await inTransaction(db, async (tx) => {
    await lockPair(tx, caller.accountId, named.target_id);
    const row = await decisionOf(tx, caller.accountId, named.target_id);
    if (row === undefined || row.kind === 'unmatch') throw notFound();
    const match = await matchSeenBy(tx, caller, row.target_id);
    if (match === 'shown') throw new AppError('CONFLICT', 'This is already a match');
    if (match === 'hidden') throw notFound();
    await removeDecision(tx, caller.accountId, row.target_id);
    await recordUndo(tx, caller.accountId, now);
    return { userId: row.target_id, was: row.kind };
  });
}

/** The caller's newest decision that can still be undone; a match with someone who is hidden counts as ended. */
async function lastDecision(db: Db, accountId: string): Promise<DecisionRow | undefined> {
  const { rows } = await sql<DecisionRow>`
    select d.* from decision d
    where d.viewer_id = ${accountId}::uuid and d.kind <> 'unmatch' and (
      not exists (select from match m
        where m.low_id = least(d.viewer_id, d.target_id) and m.high_id = greatest(d.viewer_id, d.target_id))
      or exists (select from directory s where s.account_id = d.target_id and s.is_shown))
    order by d.decided_at desc, d.target_id limit 1`.execute(db);
  return rows[0];
}

async function namedDecision(db: Db, accountId: string, userId: string): Promise<DecisionRow | undefined> {
  return isUuid(userId) ? await decisionOf(db, accountId, userId) : undefined;
}

/** Whether the caller's one undo is left: the decision before an undone one doesn't become the last one. */
async function isUnused(db: Db, accountId: string, { decided_at }: DecisionRow): Promise<boolean> {
  const count = await db
    .selectFrom('like_count')
    .select('account_id')
    .where('account_id', '=', accountId)
    .where('undone_at', '>=', decided_at)
    .executeTakeFirst();
  return count === undefined;
}

async function recordUndo(tx: Db, accountId: string, now: Date): Promise<void> {
  await tx
    .insertInto('like_count')
    .values({ account_id: accountId, undone_at: now })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ undone_at: now }))
    .execute();
}
