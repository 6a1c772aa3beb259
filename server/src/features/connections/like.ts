import type { likeUser } from '#contract/connections.ts';
import type { AnswerOf, BodyOf, ParamsOf } from '#contract/endpoint.ts';
import { AppError, invalid } from '../../platform/http/app-error.ts';
import type { CommandContext } from '../../platform/http/mount.ts';
import { notify } from '../../platform/notify/notify.ts';
import { refuseRemovedTexts, type UserRow } from '../profiles/public.ts';
import { type DecisionRow, putDecision } from './decisions.ts';
import { countLike, remainingLikes } from './like-count.ts';
import { likeOutcome } from './like.policy.ts';
import { makeMatch, matchOf } from './match.ts';
import { lockVisibleMember } from './pair.ts';

type Given = BodyOf<typeof likeUser>;
type Liked = AnswerOf<typeof likeUser>['data'];

/**
 * The caller likes someone. If that person likes the caller too, it's a match: both likes lock the pair, so the second one finds the first.
 * Liking again changes nothing. Throws 404 for anyone the caller may not see, 422 for the 31st like of the day without premium, 409 after
 * an unmatch, 400 for a note that a decision removed or a part of the profile that isn't shown.
 */
export async function like(context: CommandContext, given: Given & ParamsOf<typeof likeUser>): Promise<Liked> {
  const { tx, caller, now } = context;
  const { user, own, back } = await lockVisibleMember(tx, caller, given.userId);
  const outcome = likeOutcome(own?.kind, back?.kind);
  if (outcome === 'refuse') throw new AppError('CONFLICT', 'The two of you were a match before');
  const isNew = own?.kind !== 'like';
  const left = isNew ? await sendLike(context, user, given, back) : await remainingLikes(tx, caller, now);
  if (outcome === 'match') {
    const matchId = (await matchOf(tx, caller.accountId, user.id)) ?? (await makeMatch(context, user.id));
    return { outcome: 'matched', matchId, remainingLikes: left };
  }
  if (isNew && mayLearn(user, back)) await notify(tx, { accountId: user.id, kind: 'like', subjectId: user.id }, now);
  return { outcome: 'sent', remainingLikes: left };
}

/** Counts and records a like. Returns how many likes the caller has left today, null with premium. */
async function sendLike(
  context: CommandContext,
  user: UserRow,
  given: Given,
  back: DecisionRow | undefined,
): Promise<number | null> {
  const { tx, deps, caller, now } = context;
  const part = likedPart(context, user, given);
  const note = given.note === undefined || given.note === '' ? null : given.note;
  if (note !== null)
    await refuseRemovedTexts(
      tx,
      { addressKey: deps.addressKey, accountId: caller.accountId },
      ['note'],
      [{ field: 'note', text: note }],
    );
  const left = await countLike(tx, caller, now);
  await putDecision(tx, {
    viewer_id: caller.accountId,
    target_id: user.id,
    kind: 'like',
    decided_at: now,
    note,
    ...part,
    is_pending: back === undefined,
  });
  return left;
}

/** The part of the profile that a like is about. Throws 400 if it isn't shown. */
function likedPart({ deps, caller, now }: CommandContext, user: UserRow, { on }: Given) {
  const isShown = (publicId: string) =>
    deps.pictures.shown(caller.accountId, user.id, user.pictures, now).some((picture) => picture.publicId === publicId);
  if (on?.kind === 'picture' && !isShown(on.publicId)) throw invalid('on.publicId', 'This picture has been removed');
  if (on?.kind === 'prompt' && user.details.prompts?.some(({ prompt }) => prompt === on.prompt) !== true)
    throw invalid('on.prompt', 'This answer has been removed');
  return {
    liked_picture: on?.kind === 'picture' ? on.publicId : null,
    liked_prompt: on?.kind === 'prompt' ? on.prompt : null,
  };
}

/**
 * Members who can see who likes them are notified of pending likes only. Others are notified of all likes, because the number they see
 * counts all of them.
 */
const mayLearn = (target: UserRow, back: DecisionRow | undefined) => back === undefined || !target.is_vip;
