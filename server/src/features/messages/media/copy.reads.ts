import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { MessageMediaKind } from '#contract/messages/message-parts.ts';
import type { Db } from '#platform/db/db.ts';
import type { Database } from '#platform/db/schema.ts';

/** The media of a copied message. */
export interface CopiedMedia {
  kind: MessageMediaKind;
  /** The id of its copied file; null if the person the copy is for sent it, because evidence is about the other one. */
  id: string | null;
  isOnce: boolean;
  withdrawnAt: Date | null;
}

/** A photo in a copy: its bytes stay in the storage as long as the copy. */
export interface CopiedPicture {
  id: string;
  key: string;
  size: number;
  width: number;
  height: number;
  placeholder: string;
  sha256: string;
}

/** A voice note in a copy, kept like a photo. */
export interface CopiedVoice {
  id: string;
  key: string;
  durationMs: number;
  peaks: number[];
  sha256: string;
}

/** The media of these messages by number, for one of the two people, with the photos and voice notes of the other one. */
export async function copiedMedia(
  tx: Db,
  accountId: string,
  matchId: string,
  places: readonly number[],
): Promise<{ media: Map<number, CopiedMedia[]>; pictures: CopiedPicture[]; voices: CopiedVoice[] }> {
  const { rows } = await sql<Selectable<Database['message_media']> & { seq: number }>`
    select * from message_media where conversation_id = ${matchId}::uuid and seq = any (${places}::int[])
    order by seq, uploaded_at, id`.execute(tx);
  const isTheirs = ({ account_id }: { account_id: string }) => account_id !== accountId;
  const copied = rows.map((row) => ({
    seq: row.seq,
    kind: row.kind,
    id: isTheirs(row) ? row.id : null,
    isOnce: row.is_once,
    withdrawnAt: row.withdrawn_at,
  }));
  const pictures = rows.filter((row) => isTheirs(row) && row.kind === 'picture');
  const voices = rows.filter((row) => isTheirs(row) && row.kind === 'voice');
  return {
    media: new Map(
      [...Map.groupBy(copied, ({ seq }) => seq)].map(([seq, of]) => [seq, of.map(({ seq: _, ...one }) => one)]),
    ),
    pictures: pictures.map(({ id, object_key: key, size, width, height, placeholder, sha256 }) => ({
      id,
      key,
      size,
      width: width ?? 1,
      height: height ?? 1,
      placeholder: placeholder ?? '',
      sha256: sha256.toString('hex'),
    })),
    voices: voices.map(({ id, object_key: key, duration_ms, peaks, sha256 }) => ({
      id,
      key,
      durationMs: duration_ms ?? 0,
      peaks: peaks ?? [],
      sha256: sha256.toString('hex'),
    })),
  };
}
