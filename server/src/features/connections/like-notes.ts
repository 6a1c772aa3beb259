import { type RawBuilder, sql } from 'kysely';
import type * as z from 'zod/mini';
import type { frozenNoteSchema } from '#contract/moderation/report-file.ts';
import type { LikedPart, ShownPart } from '#contract/connections.ts';
import type { Db } from '#platform/db/db.ts';
import { type Reader, type UserRow, usersByIds } from '../profiles/public.ts';
import { arrivedAt, type DecisionRow, decisionsBetween } from './pair.ts';

/** The columns of `MatchNotes`: the notes that a member and someone else sent with their likes of each other. */
export const notesOf = (ownId: RawBuilder<unknown>, otherId: RawBuilder<unknown>) => sql`
  (select note from decision where viewer_id = ${ownId} and target_id = ${otherId}) as my_note,
  (select note from decision where viewer_id = ${otherId} and target_id = ${ownId} and not is_note_held) as their_note`;

export interface MatchNotes {
  my_note: string | null;
  their_note: string | null;
}

/**
 * Removes the note of a like for both people, because of a decision by staff; the like stays. Finds the likes that an author sent at this
 * time and picks the one with the reported note. Returns whether it was found: the like may have been withdrawn, or have ended with its
 * match.
 */
export async function removeNote(
  tx: Db,
  authorId: string,
  likedAt: string,
  isIt: (note: string) => boolean,
): Promise<boolean> {
  const { rows } = await sql<{ target_id: string; note: string }>`
    select target_id, note from decision
    where viewer_id = ${authorId}::uuid and ${arrivedAt('decision')} = ${likedAt}::timestamptz and note is not null for update`.execute(
    tx,
  );
  const ids = rows.filter(({ note }) => isIt(note)).map(({ target_id }) => target_id);
  await sql`update decision set note = null where viewer_id = ${authorId}::uuid and target_id = any (${ids}::uuid[])`.execute(
    tx,
  );
  return ids.length > 0;
}

/** Restores the note of a like, unless the like was withdrawn or ended in the meantime. */
export async function putBackNote(
  tx: Db,
  { authorId, readerId, likedAt, text }: Record<'authorId' | 'likedAt' | 'text', string> & { readerId: string | null },
): Promise<void> {
  await sql`update decision set note = ${text}
    where viewer_id = ${authorId}::uuid and target_id = ${readerId}::uuid and kind = 'like' and note is null
      and ${arrivedAt('decision')} = ${likedAt}::timestamptz`.execute(tx);
}

/** The note of someone's like of this reader and the part it was about, as a report copies them; null without a note. */
export async function noteFrom(
  tx: Db,
  readerId: string,
  authorId: string | null,
): Promise<z.input<typeof frozenNoteSchema> | null> {
  const { back } = authorId === null ? {} : await decisionsBetween(tx, readerId, authorId);
  if (back?.kind !== 'like' || back.note === null) return null;
  const { note: text, decided_at, delivered_at, liked_picture, liked_prompt: prompt } = back;
  const likedAt = delivered_at ?? decided_at;
  if (prompt === null) return { text, likedAt, on: liked_picture === null ? null : { kind: 'picture' } };
  const [reader] = await usersByIds(tx, [readerId]);
  const said = reader?.details.prompts?.find((one) => one.prompt === prompt);
  return { text, likedAt, on: { kind: 'prompt', prompt, answer: said?.answer ?? null } };
}

type LikeRow = Pick<DecisionRow, 'liked_picture' | 'liked_prompt'>;

/** The part of a profile that a like is about, as it was when the like was sent; null for the whole profile. */
export function likedPart({ liked_picture, liked_prompt }: LikeRow): LikedPart | null {
  if (liked_picture !== null) return { kind: 'picture', publicId: liked_picture };
  return liked_prompt === null ? null : { kind: 'prompt', prompt: liked_prompt };
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

/**
 * When a like was sent, as one of its two people sees it: their own like at its time, the other's when it arrived. If their own was
 * delivered after the other's, the other's has the time of the match that it would have created.
 */
function timeFor(readerId: string, like: DecisionRow, own: DecisionRow | undefined): Date {
  if (like.viewer_id === readerId) return like.decided_at;
  const arrived = like.delivered_at ?? like.decided_at;
  const answered = own?.delivered_at ?? arrived;
  return answered > arrived ? answered : arrived;
}

/**
 * The likes of a match's two people that have a note or are about a part of the profile, oldest first, as one of the two sees them. A part
 * is shown as other members see it today, and left out once it was removed. Call it only for a match that `caller` may see.
 */
export async function openingLikes(reader: Reader, userId: string) {
  const { db, caller } = reader;
  const { own, back } = await decisionsBetween(db, caller.accountId, userId);
  const likes = [own, back].filter((one): one is DecisionRow => one?.kind === 'like');
  const isAboutPart = likes.some((like) => like.liked_picture !== null || like.liked_prompt !== null);
  const users = isAboutPart ? await usersByIds(db, [caller.accountId, userId]) : [];
  const byId = new Map(users.map((user) => [user.id, user]));
  return likes
    .map((like) => ({ ...like, likedAt: timeFor(caller.accountId, like, own) }))
    .sort((one, other) => Number(one.likedAt) - Number(other.likedAt))
    .map((like) => ({
      from: like.viewer_id,
      likedAt: like.likedAt,
      note: like.note,
      on: partNow(like, byId.get(like.target_id), reader),
    }))
    .filter(({ note, on }) => note !== null || on !== null);
}
