import { sql } from 'kysely';
import { reportedMessagesAround } from '#contract/constants.ts';
import { isUuid } from '../../platform/session/access-token.ts';
import type { Db } from '../../platform/db/db.ts';

/** So many things a message said before are in a copy: as many of the first as of the last. */
const versionsOfEachEnd = 10;

/** A message as it stands, with what it said before; times are in ISO 8601. */
export interface CopiedMessage {
  seq: number;
  /** Written by the one the copy was made for. */
  isOwn: boolean;
  text: string | null;
  sentAt: string;
  editedAt: string | null;
  deletedAt: string | null;
  readAt: string | null;
  before: { text: string; until: string }[];
  leftOut: number;
}

/** Part of what two people wrote to each other, from the side of one of them. */
export interface ConversationCopy {
  otherId: string;
  messages: CopiedMessage[];
}

/**
 * What was written around these places of somebody's conversation, the newest without a place or where there is none; whether it
 * is over, or the other one hidden, does not matter. Undefined for what is no conversation of theirs.
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
    .select(['low_id', 'high_id', 'last_seq'])
    .where('id', '=', matchId)
    .where(sql<boolean>`${accountId}::uuid in (low_id, high_id)`)
    .executeTakeFirst();
  if (conversation === undefined) return undefined;
  const { low_id, high_id, last_seq } = conversation;
  return {
    otherId: low_id === accountId ? high_id : low_id,
    messages: await copied(tx, accountId, matchId, placesAround(places, last_seq)),
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

/** One statement, so that a message and what it said before are of one moment. */
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
    sentAt: row.sent_at.toISOString(),
    editedAt: row.edited_at?.toISOString() ?? null,
    deletedAt: row.deleted_at?.toISOString() ?? null,
    readAt: row.read_at?.toISOString() ?? null,
    before: row.before.map(({ text, until }) => ({ text, until: new Date(until).toISOString() })),
    leftOut: row.versions - row.before.length,
  }));
}
