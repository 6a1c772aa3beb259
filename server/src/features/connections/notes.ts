import { type RawBuilder, sql } from 'kysely';
import type { FrozenNote } from '#contract/moderation/report-file.ts';
import type { Db } from '../../platform/db/db.ts';
import { usersByIds } from '../profiles/public.ts';
import { decisionsBetween } from './decisions.ts';

/** The columns of `MatchNotes`: the notes that a member and someone else sent with their likes of each other. */
export const notesOf = (ownId: RawBuilder<unknown>, otherId: RawBuilder<unknown>) => sql`
  (select note from decision where viewer_id = ${ownId} and target_id = ${otherId}) as my_note,
  (select note from decision where viewer_id = ${otherId} and target_id = ${ownId}) as their_note`;

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
    where viewer_id = ${authorId}::uuid and decided_at = ${likedAt}::timestamptz and note is not null for update`.execute(
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
      and decided_at = ${likedAt}::timestamptz`.execute(tx);
}

/** The note of someone's like of this reader and the part it was about, as a report copies them; null without a note. */
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
