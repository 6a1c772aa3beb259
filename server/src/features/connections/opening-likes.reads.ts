import type { OpeningLike } from '#contract/messages.ts';
import { type Reader, usersByIds } from '../profiles/public.ts';
import { type DecisionRow, decisionsBetween } from './decisions.ts';
import { partNow } from './liked-part.ts';

/**
 * The likes of a match's two people that have a note or are about a part of the profile, oldest first, as one of the two sees them. A part
 * is shown as other members see it today, and left out once it was removed. Call it only for a match that `caller` may see.
 */
export async function openingLikes(reader: Reader, userId: string): Promise<OpeningLike[]> {
  const { db, caller } = reader;
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
      on: partNow(like, byId.get(like.target_id), reader),
    }))
    .filter(({ note, on }) => note !== null || on !== null);
}
