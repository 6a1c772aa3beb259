import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import { coveredPhotos } from '#contract/constants.ts';
import type { Db } from '#platform/db/db.ts';
import type { Database } from '#platform/db/schema.ts';
import { AppError } from '#platform/http/app-error.ts';
import type { OwnConversation } from '../conversation.ts';
import type { StoredMedia } from '#platform/db/json.ts';
import { isNotOver } from './withdraw.ts';

/** The media in the body of a message. */
export interface GivenMedia {
  pictures?: readonly string[] | undefined;
  isOnce?: boolean | undefined;
  voice?: string | undefined;
}

/** The ids of the media in the body of a message, in order. */
export const givenIds = ({ pictures = [], voice }: GivenMedia): string[] => [
  ...new Set([...pictures, ...(voice === undefined ? [] : [voice])]),
];

type MediaRow = Selectable<Database['message_media']>;

/**
 * Gives the sender's uploads to the message that is being written in this locked conversation, in the order of the body; null if it has
 * none. Throws the same 422 for uploads that are unknown, another member's, for another match, deleted or in a message already.
 */
export async function claimMedia(
  tx: Db,
  { id: conversationId, ownId }: OwnConversation,
  given: GivenMedia,
  now: Date,
): Promise<StoredMedia[] | null> {
  const ids = givenIds(given);
  if (ids.length === 0) return null;
  const isOwn = sql`account_id = ${ownId}::uuid and conversation_id = ${conversationId}::uuid`;
  const { rows } = await sql<MediaRow & { earlier: number }>`
    update message_media set sent_at = ${now}, is_once = ${given.isOnce === true} and kind = 'picture'
    from (select count(*)::int as earlier from (select from message_media
      where ${isOwn} and kind = 'picture' and sent_at is not null and ${isNotOver(now)} limit ${coveredPhotos}) sent) photos
    where id = any (${ids}::text[]) and ${isOwn} and sent_at is null and ${isNotOver(now)}
      and kind = case when id = ${given.voice ?? null} then 'voice' else 'picture' end
    returning message_media.*, earlier`.execute(tx);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const claimed = ids.flatMap((id) => byId.get(id) ?? []);
  if (claimed.length < ids.length)
    throw new AppError('MEDIA_GONE', msg`What you attached is no longer here. Please attach it again.`);
  return claimed.map((row, index) => toStored(row, row.earlier + index < coveredPhotos));
}

/** The data of a file that `message.media` repeats; photos are the only files of their message. */
function toStored(row: MediaRow, isAmongFirst: boolean): StoredMedia {
  const { id, object_key: key, kind, is_once, labels, withdrawn_at } = row;
  const file = { id, key, ...(withdrawn_at !== null && { isRemoved: true }) };
  if (kind === 'voice') return { ...file, kind, durationMs: row.duration_ms ?? 0, peaks: row.peaks ?? [] };
  const { width, height, placeholder } = row;
  return {
    ...file,
    kind,
    width: width ?? 1,
    height: height ?? 1,
    placeholder: placeholder ?? '',
    ...(is_once && { isOnce: true }),
    ...(isAmongFirst && { isAmongFirst }),
    ...(labels.length > 0 && { isCovered: true }),
    ...(row.check_due_since !== null && { isUnchecked: true }),
  };
}

/** Notes the number of the message that has these media, once it is delivered. */
export async function placeMedia(tx: Db, media: readonly StoredMedia[], seq: number): Promise<void> {
  const ids = media.map(({ id }) => id);
  await tx.updateTable('message_media').set({ seq }).where('id', 'in', ids).execute();
}
