import type { LikedPart, ShownPart } from '#contract/connections.ts';
import type { PromptKey } from '#contract/profiles/interests.ts';
import type { Reader, UserRow } from '../profiles/public.ts';
import type { DecisionRow } from './decisions.ts';

type LikeRow = Pick<DecisionRow, 'liked_picture' | 'liked_prompt'>;

/** The part of a profile that a like is about, as it was when the like was sent; null for the whole profile. */
export function likedPart({ liked_picture, liked_prompt }: LikeRow): LikedPart | null {
  if (liked_picture !== null) return { kind: 'picture', publicId: liked_picture };
  return liked_prompt === null ? null : { kind: 'prompt', prompt: liked_prompt as PromptKey };
}

/** The liked part of the target's profile as it is today; null if it is no longer shown. */
export function partNow(
  { liked_picture, liked_prompt }: LikeRow,
  target: UserRow | undefined,
  { caller, now, pictures: views }: Reader,
): ShownPart | null {
  if (target === undefined) return null;
  const said = target.details.prompts?.find(({ prompt }) => prompt === liked_prompt);
  if (said !== undefined) return { kind: 'prompt', ...said };
  if (liked_picture === null) return null;
  const pictures = views.shown(caller.accountId, target.id, target.pictures, now);
  const picture = pictures.find(({ publicId }) => publicId === liked_picture);
  return picture === undefined ? null : { kind: 'picture', picture };
}
