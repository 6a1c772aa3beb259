import { msg, plural } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import type { likeUser } from '#contract/connections.ts';
import type { AnswerInput, BodyOf, ParamsOf } from '#contract/endpoint.ts';
import { freeLikesPerDay } from '#contract/constants.ts';
import { AppError, invalid } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { notify, settle } from '#platform/notify/notify.ts';
import { type Caller, requireMember } from '#platform/session/caller.ts';
import type { Db } from '#platform/db/db.ts';
import { refuseRemovedTexts, requireAge, requireMayContact, type UserRow } from '../profiles/public.ts';
import {
  decisionOf,
  type DecisionsBetween,
  type DeliveredRow,
  lockPair,
  lockVisibleMember,
  markAnswered,
  putDecision,
  removeDecision,
} from './pair.ts';
import { fateOfLike } from './holds.ts';
import { isOwnLike, likeOutcome } from './like.policy.ts';
import { makeMatch, matchOf, matchSeenBy } from './match.ts';
import { dayOf, hoursOfDayLeft } from '#platform/process/clock.ts';

type Given = BodyOf<typeof likeUser>;
type Liked = AnswerInput<typeof likeUser>['data'];

/**
 * The caller likes someone. If that person likes the caller too, it's a match: both likes lock the pair, so the second one finds the first.
 * Liking again changes nothing. A like of a held account is stored without a trace for the other person and answered as sent, unless it
 * answers theirs: then only its note waits. So is one of a member who stored the other's address, and one that meets a like which a hold withholds. Throws 404 for anyone the caller may not see, 422 for the 31st like of the day without premium, 403 for a note to
 * someone who wants none from people who aren't photo verified, 409 after an unmatch, 400 for a note that a decision removed or a part of
 * the profile that isn't shown.
 */
export async function like(context: CommandContext, given: Given & ParamsOf<typeof likeUser>): Promise<Liked> {
  const { tx, caller, now } = context;
  const { user, own, back, heldBack } = await lockVisibleMember(tx, caller, given.userId);
  const outcome = likeOutcome(own?.kind, back?.kind);
  if (outcome === 'refuse') throw new AppError('CONFLICT', msg`The two of you were a match before`);
  const isNew = !isOwnLike(own?.kind);
  const sent = isNew ? await sendLike(context, user, given, { back, heldBack }) : null;
  const left = sent === null ? await remainingLikes(tx, caller, now) : sent.left;
  if (sent?.isDelivered === false) return { outcome: 'sent', remainingLikes: left };
  if (outcome === 'match') {
    const matchId = (await matchOf(tx, caller.accountId, user.id)) ?? (await matchWith(context, user.id));
    return { outcome: 'matched', matchId, remainingLikes: left };
  }
  // Someone whose own like was dropped has decided already, so this like is not among those that wait for them.
  if (isNew && heldBack === undefined) await notifyOfLike(tx, user, back, now);
  return { outcome: 'sent', remainingLikes: left };
}

/** Makes the caller and someone a match. The answer to the like shows it, so the caller's own notification counts as read. */
async function matchWith(context: CommandContext, userId: string): Promise<string> {
  const { tx, caller, now } = context;
  const id = await makeMatch(context, caller.accountId, userId);
  await settle(tx, { accountId: caller.accountId, kind: 'match', subjectId: id }, now);
  return id;
}

/** Counts and records a like. Returns how many likes the caller has left today, null with premium, and whether the like is delivered. */
async function sendLike(
  context: CommandContext,
  user: UserRow,
  given: Given,
  { back, heldBack }: Pick<DecisionsBetween, 'back' | 'heldBack'>,
): Promise<{ left: number | null; isDelivered: boolean }> {
  const { tx, deps, caller, now } = context;
  const part = likedPart(context, user, given);
  const note = given.note === undefined || given.note === '' ? null : given.note;
  if (note !== null) {
    await requireAge(context, 'first-message');
    requireMayContact(
      caller,
      user,
      msg`Only photo-verified people can write to them first. Verify your pictures in the settings, or like them without a note.`,
    );
    await refuseRemovedTexts(
      tx,
      { addressKey: deps.addressKey, accountId: caller.accountId },
      ['note'],
      [{ field: 'note', text: note }],
    );
  }
  const left = await countLike(tx, caller, now);
  if (note !== null)
    await deps.emit(tx, 'firstWords', { accountId: caller.accountId, receiverId: user.id, text: note, now });
  const answer = { isAnswer: back?.kind === 'like', hasNote: note !== null, heldBack };
  const fate = await fateOfLike(tx, caller.accountId, user.id, answer);
  await putDecision(tx, {
    viewer_id: caller.accountId,
    target_id: user.id,
    decided_at: now,
    delivered_at: null,
    note,
    ...part,
    is_pending: fate.kind === 'like' && back === undefined,
    ...fate,
  });
  return { left, isDelivered: fate.kind === 'like' };
}

/** The part of the profile that a like is about. Throws 400 if it isn't shown. */
function likedPart({ deps, caller, now }: CommandContext, user: UserRow, { on }: Given) {
  const isShown = (publicId: string) =>
    deps.pictures.shown(caller.accountId, user.id, user.pictures, now).some((picture) => picture.publicId === publicId);
  if (on?.kind === 'picture' && !isShown(on.publicId)) throw invalid('on.publicId', msg`This picture has been removed`);
  if (on?.kind === 'prompt' && user.details.prompts?.some(({ prompt }) => prompt === on.prompt) !== true)
    throw invalid('on.prompt', msg`This answer has been removed`);
  return {
    liked_picture: on?.kind === 'picture' ? on.publicId : null,
    liked_prompt: on?.kind === 'prompt' ? on.prompt : null,
  };
}

/**
 * Notifies someone of a new like. Members who can see who likes them are notified of pending likes only. Others are notified of all likes,
 * because the number they see counts all of them.
 */
export async function notifyOfLike(tx: Db, target: UserRow, back: DeliveredRow | undefined, now: Date): Promise<void> {
  if (back === undefined || !target.is_vip)
    await notify(tx, { accountId: target.id, kind: 'like', subjectId: target.id }, now);
}

/** The caller passes on someone, who isn't notified; a like from that person counts as answered. Throws 409 for a match. */
export async function pass({ tx, caller, now }: CommandContext, { userId }: { userId: string }): Promise<void> {
  const { own, back } = await lockVisibleMember(tx, caller, userId);
  // Both people of a match like each other.
  if (own?.kind === 'like' && (await matchOf(tx, caller.accountId, userId)) !== null)
    throw new AppError('CONFLICT', msg`This is a match; end it first`);
  if (own?.kind === 'pass' || own?.kind === 'unmatch') return;
  await putDecision(tx, {
    viewer_id: caller.accountId,
    target_id: userId,
    kind: 'pass',
    decided_at: now,
    delivered_at: null,
    note: null,
    is_note_held: false,
    liked_picture: null,
    liked_prompt: null,
    is_pending: false,
    hold_id: null,
  });
  if (back?.is_pending === true) await markAnswered(tx, userId, caller.accountId);
}

/** Withdraws a like that wasn't returned. Returns whether there was one. Throws 409 for a match. The like stays counted. */
export async function withdraw({ tx, caller }: CommandContext, { userId }: { userId: string }): Promise<boolean> {
  requireMember(caller);
  await lockPair(tx, caller.accountId, userId);
  const match = await matchSeenBy(tx, caller, userId);
  if (match === 'shown') throw new AppError('CONFLICT', msg`This is already a match`);
  const before = await decisionOf(tx, caller.accountId, userId);
  if (match === 'hidden' || !isOwnLike(before?.kind)) return false;
  await removeDecision(tx, caller.accountId, userId);
  return true;
}

/**
 * Counts a like for today (UTC). It stays counted if the like is undone. Returns how many likes the caller has left today, null with
 * premium. Throws 422 for the 31st like of a member without premium.
 */
async function countLike(tx: Db, caller: Caller, now: Date): Promise<number | null> {
  const limit = caller.isVip ? null : freeLikesPerDay;
  const { rows } = await sql<{ sent: number }>`
    insert into like_count as c (account_id, sent_on, sent) values (${caller.accountId}::uuid, ${dayOf(now)}::date, 1)
    on conflict (account_id) do update
      set sent = case when c.sent_on = excluded.sent_on then c.sent + 1 else 1 end, sent_on = excluded.sent_on
      where ${limit}::int is null or c.sent_on <> excluded.sent_on or c.sent < ${limit}::int
    returning sent`.execute(tx);
  const [counted] = rows;
  if (counted === undefined)
    throw new AppError(
      'LIKES_USED_UP',
      msg`Those were your ${{ freeLikesPerDay }} likes for today. You get more in ${plural({ hours: hoursOfDayLeft(now) }, { one: '# hour', other: '# hours' })}.`,
    );
  return likesLeft(caller, counted.sent);
}

/** How many likes the caller has left today; null with premium, which has no limit. */
export async function remainingLikes(db: Db, caller: Caller, now: Date): Promise<number | null> {
  if (caller.isVip) return null;
  const { rows } = await sql<{ sent: number }>`
    select sent from like_count where account_id = ${caller.accountId}::uuid and sent_on = ${dayOf(now)}::date`.execute(
    db,
  );
  return likesLeft(caller, rows[0]?.sent ?? 0);
}

/** How many likes are left to a caller who has sent this many today; null with premium. */
export function likesLeft({ isVip }: Pick<Caller, 'isVip'>, sent: number): number | null {
  return isVip ? null : Math.max(0, freeLikesPerDay - sent);
}
