import { sql } from 'kysely';
import { unclaimedUploadHours, withdrawnMediaDays } from '#contract/constants.ts';
import type { Deps } from '../../../deps.ts';
import { messagePrefix } from '../../media/public.ts';
import type { Db } from '#platform/db/db.ts';
import { deleteOver } from '#platform/people/forget.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import type { StoredMedia } from '#platform/db/json.ts';

/** Stops serving these media to anyone. They can still be reported for some days. */
export async function withdrawMedia(tx: Db, media: readonly StoredMedia[] | null, now: Date): Promise<void> {
  if (media === null || media.length === 0) return;
  const ids = media.map(({ id }) => id);
  await sql`update message_media set withdrawn_at = coalesce(withdrawn_at, ${now}) where id = any (${ids}::text[])`.execute(
    tx,
  );
}

/** Withdraws all media of a match that has ended. */
export async function withdrawAll(tx: Db, conversationId: string, now: Date): Promise<void> {
  await sql`update message_media set withdrawn_at = ${now}
    where conversation_id = ${conversationId}::uuid and withdrawn_at is null`.execute(tx);
}

/** When unsent uploads and withdrawn media expire: one condition for each. */
const ends = (now: Date) => [
  sql`sent_at is null and uploaded_at <= ${secondsAfter(now, -unclaimedUploadHours * 3600)}`,
  sql`withdrawn_at <= ${secondsAfter(now, -withdrawnMediaDays * 86_400)}`,
];

/** A condition on media that have not expired, so that no one notices what a legal hold keeps. */
export const isNotOver = (now: Date) => sql<boolean>`(((${sql.join(ends(now), sql`) or (`)})) is not true)`;

/**
 * Deletes unsent uploads after a day, and withdrawn media after some days. A legal hold of either person keeps them. The database discards
 * their bytes, unless a report has a copy.
 */
export async function forgetMedia(db: Db, now: Date): Promise<void> {
  for (const isOver of ends(now)) await deleteOver(db, 'message_media', isOver);
}

/**
 * Deletes files of messages that the database doesn't know, which remain after it was restored from a backup. Bytes are recorded in the
 * database before they are stored. Both sizes of a photo have one key.
 */
export async function forgetUnknownMedia({ db, storage }: Deps): Promise<void> {
  for await (const files of storage.pages(messagePrefix)) {
    const keys = [...new Set(files.map((name) => name.replace(/\.(large|thumbnail)$/, '')))];
    await sql`
      insert into media_discard (object_key, due_at)
      select key, now() from unnest(${keys}::text[]) as key
      where not exists (select from message_media where object_key = key)
        and not exists (select from evidence_picture where object_key = key)
      on conflict do nothing`.execute(db);
  }
}
