import { sql } from 'kysely';
import { reportedMessagesAround } from '#contract/constants.ts';
import { isUuid } from '#platform/db/uuid.ts';
import type { Db } from '#platform/db/db.ts';
import { seqOf } from './numbering.ts';
import { copiedMedia, type CopiedMedia, type CopiedPicture, type CopiedVoice } from './media/copy.reads.ts';

/** How many earlier versions of a message a copy contains: half of them the first, half the last. */
const versionsOfEachEnd = 10;

/** A message with its earlier versions. */
export interface CopiedMessage {
  seq: number;
  /** Whether the person the copy is for wrote it. */
  isOwn: boolean;
  text: string | null;
  sentAt: Date;
  editedAt: Date | null;
  deletedAt: Date | null;
  readAt: Date | null;
  before: { text: string; until: Date }[];
  leftOut: number;
  /** Absent if it had none. */
  media?: CopiedMedia[];
}

/** Part of a conversation, from one member's side. */
export interface ConversationCopy {
  otherId: string;
  messages: CopiedMessage[];
  /** The files of the other person's photos and voice notes, including withdrawn ones that are still there. */
  pictures: CopiedPicture[];
  voices: CopiedVoice[];
}

/**
 * The delivered messages around these numbers of a member's conversation, or the newest if there are none. The match may have ended and the
 * other person may be hidden. Undefined if it isn't the member's conversation.
 */
export async function conversationCopy(
  tx: Db,
  accountId: string,
  matchId: string,
  places: readonly number[],
): Promise<ConversationCopy | undefined> {
  if (!isUuid(matchId)) return undefined;
  const conversation = await tx
    .selectFrom('conversation')
    .select(['low_id', 'high_id', 'last_seq', 'low_held', 'high_held', 'low_moved', 'high_moved'])
    .where('id', '=', matchId)
    .where(sql<boolean>`${accountId}::uuid in (low_id, high_id)`)
    .executeTakeFirst();
  if (conversation === undefined) return undefined;
  const { low_id, high_id, last_seq, low_held, high_held, low_moved, high_moved } = conversation;
  const [held, moved] = low_id === accountId ? [low_held, low_moved] : [high_held, high_moved];
  const delivered = places.map((place) => seqOf({ held, moved: moved ?? [] }, place));
  const around = placesAround(delivered, last_seq);
  const { media, pictures, voices } = await copiedMedia(tx, accountId, matchId, around);
  const messages = await copied(tx, accountId, matchId, around);
  return {
    otherId: low_id === accountId ? high_id : low_id,
    messages: messages.map((message) => {
      const had = media.get(message.seq);
      return had === undefined ? message : { ...message, media: had };
    }),
    pictures,
    voices,
  };
}

function placesAround(places: readonly number[], last: number): number[] {
  const near = reportedMessagesAround;
  const there = places.filter((place) => place <= last);
  const middles = there.length === 0 ? [last - near] : there;
  const around = middles.flatMap((place) => Array.from({ length: 2 * near + 1 }, (_, n) => place - near + n));
  return [...new Set(around)].filter((place) => place >= 1 && place <= last);
}

interface CopiedRow extends Record<'sent_at', Date>, Record<'edited_at' | 'deleted_at' | 'read_at', Date | null> {
  seq: number;
  sender_id: string;
  body: string | null;
  before: { text: string; until: string }[];
  versions: number;
}

/** Uses one statement, so that messages and earlier versions are consistent. */
async function copied(tx: Db, accountId: string, matchId: string, places: number[]): Promise<CopiedMessage[]> {
  const end = (direction: 'asc' | 'desc') => sql`
    (select t.id, t.body, t.replaced_at from message_trace t where t.conversation_id = m.conversation_id and t.seq = m.seq
      order by t.id ${sql.raw(direction)} limit ${versionsOfEachEnd})`;
  const { rows } = await sql<CopiedRow>`
    select m.seq, m.sender_id, m.body, m.sent_at, m.edited_at, m.deleted_at, m.read_at,
      (select coalesce(json_agg(json_build_object('text', v.body, 'until', v.replaced_at) order by v.id), '[]')
        from (${end('asc')} union ${end('desc')}) v) as before,
      (select count(*)::int from message_trace t where t.conversation_id = m.conversation_id and t.seq = m.seq) as versions
    from message m where m.conversation_id = ${matchId}::uuid and m.seq = any (${places}::int[])
    order by m.seq`.execute(tx);
  return rows.map((row) => ({
    seq: row.seq,
    isOwn: row.sender_id === accountId,
    text: row.body,
    sentAt: row.sent_at,
    editedAt: row.edited_at,
    deletedAt: row.deleted_at,
    readAt: row.read_at,
    before: row.before.map(({ text, until }) => ({ text, until: new Date(until) })),
    leftOut: row.versions - row.before.length,
  }));
}
