import { freeLikesPerDay } from '#contract/constants.ts';
import type { AnswerOf, BodyOf } from '#contract/endpoint.ts';
import type { likeUser } from '#contract/connections/likes.ts';
import { isUuid } from '../../platform/session/access-token.ts';
import { AppError, invalid, notFound } from '../../platform/http/app-error.ts';
import type { Caller } from '../../platform/session/caller.ts';
import { inTransaction, type Db } from '../../platform/db/db.ts';
import { notify, settle } from '../../platform/notify/notify.ts';
import type { PictureViews } from '../../platform/session/pictures.ts';
import { insertUnmatch } from '../blocks/public.ts';
import { userShownTo, type UserRow } from '../profiles/public.ts';
import {
  countLike,
  decisionOf,
  decisionsBetween,
  insertMatch,
  likesSentToday,
  lockPair,
  matchOf,
  putDecision,
  removeDecision,
  setPending,
  type DecisionRow,
} from './queries.ts';

type Given = BodyOf<typeof likeUser>;
type Liked = AnswerOf<typeof likeUser>['data'];

/** Staff are shown to nobody and like nobody (403). */
export function demandMember(caller: Caller): void {
  if (caller.staffRole !== null) throw new AppError('FORBIDDEN', 'Staff accounts meet nobody');
}

/** How many likes a caller has left today; null with premium, which has no limit. */
export async function remainingLikes(db: Db, caller: Caller, now: Date): Promise<number | null> {
  if (caller.isVip) return null;
  return Math.max(0, freeLikesPerDay - (await likesSentToday(db, caller.accountId, now)));
}

/** Somebody the caller may see, held together with the caller; 404 for everybody else, 400 for oneself. */
async function meet(tx: Db, caller: Caller, userId: string): Promise<UserRow> {
  demandMember(caller);
  if (userId === caller.accountId) throw invalid('userId', 'This is you');
  if (!isUuid(userId) || !(await lockPair(tx, caller.accountId, userId))) throw notFound();
  const user = await userShownTo(tx, caller, userId);
  if (user === undefined) throw notFound();
  return user;
}

/**
 * The caller's match with somebody, as far as the caller sees it. One with somebody who is hidden is nowhere, so that nothing
 * tells a block, which ends a match, from leaving, which hides it.
 */
export async function matchSeenBy(tx: Db, caller: Caller, userId: string): Promise<'none' | 'hidden' | 'shown'> {
  if ((await matchOf(tx, caller.accountId, userId)) === null) return 'none';
  return (await userShownTo(tx, caller, userId)) === undefined ? 'hidden' : 'shown';
}

/**
 * The caller likes somebody. Where that one likes the caller too it is a match: both likes come one after the other, since
 * they hold the same two people, and the second one finds the first. Again it changes nothing. 404 for whom the caller may not
 * see, 422 for a free member's 31st like of the day, 409 after an unmatch.
 */
export async function like(
  tx: Db,
  caller: Caller,
  userId: string,
  given: Given,
  now: Date,
  views: PictureViews,
): Promise<Liked> {
  const user = await meet(tx, caller, userId);
  const { own, back } = await decisionsBetween(tx, caller.accountId, userId);
  if (own?.kind === 'unmatch') throw new AppError('CONFLICT', 'The two of you were a match before');
  let left: number | null;
  if (own?.kind !== 'like') {
    const isPending = back === undefined;
    left = await sendLike(tx, caller, {
      ...partsOf(user, caller, given, now, views),
      decided_at: now,
      is_pending: isPending,
    });
  } else left = await remainingLikes(tx, caller, now);
  if (back?.kind !== 'like') {
    if (own?.kind !== 'like' && mayLearn(user, back))
      await notify(tx, { accountId: userId, kind: 'like', subjectId: userId }, now);
    return { outcome: 'sent', remainingLikes: left };
  }
  const known = own?.kind === 'like' ? await matchOf(tx, caller.accountId, userId) : null;
  if (known !== null) return { outcome: 'matched', matchId: known, remainingLikes: left };
  const match = await insertMatch(tx, caller.accountId, userId, now);
  if (match.isNew) {
    await setPending(tx, caller.accountId, userId, false);
    await setPending(tx, userId, caller.accountId, false);
    await tellOfMatch(tx, caller, userId, match.id, now);
  }
  return { outcome: 'matched', matchId: match.id, remainingLikes: left };
}

/** Who may see their likes is told of those that wait alone; who may not is told of all, as their number tells of all. */
const mayLearn = (target: UserRow, back: DecisionRow | undefined) => back === undefined || !target.is_vip;

/** A notice for each of the two; the caller has seen it, since the match is the answer. */
async function tellOfMatch(tx: Db, caller: Caller, userId: string, matchId: string, now: Date): Promise<void> {
  await notify(tx, { accountId: userId, kind: 'match', subjectId: matchId }, now);
  const own = { accountId: caller.accountId, kind: 'match', subjectId: matchId } as const;
  await notify(tx, own, now);
  await settle(tx, own, now);
}

/** What a like says, and about which part of the other's profile; 400 for a part that is not shown. */
function partsOf(user: UserRow, caller: Caller, { note, on }: Given, now: Date, views: PictureViews) {
  const isShown = (publicId: string) =>
    views.shown(caller.accountId, user.id, user.pictures, now).some((picture) => picture.publicId === publicId);
  if (on?.kind === 'picture' && !isShown(on.publicId))
    throw invalid('on.publicId', 'This picture is not there any more');
  if (on?.kind === 'prompt' && user.details.prompts?.some(({ prompt }) => prompt === on.prompt) !== true)
    throw invalid('on.prompt', 'This answer is not there any more');
  return {
    target_id: user.id,
    note: note === undefined || note === '' ? null : note,
    liked_picture: on?.kind === 'picture' ? on.publicId : null,
    liked_prompt: on?.kind === 'prompt' ? on.prompt : null,
  };
}

/** Answers how many likes the caller has left today; null with premium. */
async function sendLike(tx: Db, caller: Caller, like: Omit<DecisionRow, 'viewer_id' | 'kind'>): Promise<number | null> {
  const sent = await countLike(tx, caller.accountId, caller.isVip ? null : freeLikesPerDay, like.decided_at);
  if (sent === null)
    throw new AppError(
      'LIKES_USED_UP',
      `Those were your ${freeLikesPerDay} likes for today. There are new ones tomorrow.`,
    );
  await putDecision(tx, { viewer_id: caller.accountId, kind: 'like', ...like });
  return caller.isVip ? null : Math.max(0, freeLikesPerDay - sent);
}

/** The caller decides against somebody, silently; a like of theirs has its answer with it. 409 for a match. */
export async function pass(tx: Db, caller: Caller, userId: string, now: Date): Promise<void> {
  await meet(tx, caller, userId);
  if ((await matchOf(tx, caller.accountId, userId)) !== null)
    throw new AppError('CONFLICT', 'This is a match; end it first');
  const before = await decisionOf(tx, caller.accountId, userId);
  if (before?.kind === 'pass' || before?.kind === 'unmatch') return;
  await putDecision(tx, plain(caller.accountId, userId, 'pass', now));
  await setPending(tx, userId, caller.accountId, false);
}

const plain = (viewer_id: string, target_id: string, kind: 'pass', decided_at: Date): DecisionRow => ({
  viewer_id,
  target_id,
  kind,
  decided_at,
  note: null,
  liked_picture: null,
  liked_prompt: null,
  is_pending: false,
});

/** Takes a like back that nobody has returned; whether there was one. 409 for a match. A like of the day stays spent. */
export async function withdraw(db: Db, caller: Caller, userId: string): Promise<boolean> {
  demandMember(caller);
  if (!isUuid(userId)) return false;
  return await inTransaction(db, async (tx) => {
    await lockPair(tx, caller.accountId, userId);
    const match = await matchSeenBy(tx, caller, userId);
    if (match === 'shown') throw new AppError('CONFLICT', 'This is a match already');
    const before = await decisionOf(tx, caller.accountId, userId);
    if (match === 'hidden' || before?.kind !== 'like') return false;
    await removeDecision(tx, caller.accountId, userId);
    return true;
  });
}

/** Ends a match that the caller sees, for both, silently, and so that the two see each other nowhere again; 404 for any other. */
export async function unmatch(db: Db, caller: Caller, matchId: string, now: Date): Promise<void> {
  demandMember(caller);
  const row = isUuid(matchId)
    ? await db.selectFrom('match').selectAll().where('id', '=', matchId).executeTakeFirst()
    : undefined;
  if (row === undefined || (row.low_id !== caller.accountId && row.high_id !== caller.accountId)) throw notFound();
  const otherId = row.low_id === caller.accountId ? row.high_id : row.low_id;
  await inTransaction(db, async (tx) => {
    await lockPair(tx, row.low_id, row.high_id);
    if ((await matchSeenBy(tx, caller, otherId)) !== 'shown') throw notFound();
    await insertUnmatch(tx, caller.accountId, otherId, now);
  });
}
