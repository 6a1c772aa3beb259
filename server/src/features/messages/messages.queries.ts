import { sql } from 'kysely';
import { isUuid } from '../../platform/access-token.ts';
import type { Db } from '../../platform/db.ts';
import type { ConversationRow, MessageRow } from './messages.views.ts';

/** A conversation from the side of one of the two. */
export interface OwnConversation extends ConversationRow {
  otherId: string;
  /** How far this side has read. */
  ownRead: number;
}

/**
 * The conversation of a match that is still one, with somebody who is still shown; undefined for everything else, all alike.
 * With `isHeld` it stays as it is until the transaction ends: who writes, reads or ends it at the same time waits.
 */
export async function openConversation(
  db: Db,
  accountId: string,
  matchId: string,
  isHeld: boolean,
): Promise<OwnConversation | undefined> {
  if (!isUuid(matchId)) return undefined;
  const { rows } = await sql<ConversationRow>`/* prepared */
    select c.* from conversation c
    where c.id = ${matchId}::uuid and c.ended_at is null and ${accountId}::uuid in (c.low_id, c.high_id)
      and exists (select from directory d where d.is_shown
        and d.account_id = case when c.low_id = ${accountId}::uuid then c.high_id else c.low_id end)
    ${isHeld ? sql`for update of c` : sql``}`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const isLow = row.low_id === accountId;
  return { ...row, otherId: isLow ? row.high_id : row.low_id, ownRead: isLow ? row.low_read : row.high_read };
}

/** Writes a message at the end of its conversation, which is held; false, and nothing is written, where its sender's name for it is taken. */
export async function appendMessage(tx: Db, row: MessageRow): Promise<boolean> {
  const { rows } = await sql`/* prepared */
    with written as (
      insert into message (conversation_id, seq, sender_id, client_id, body, sent_at, caution)
        values (${row.conversation_id}::uuid, ${row.seq}::int, ${row.sender_id}::uuid, ${row.client_id}::text, ${row.body}::text,
          ${row.sent_at}::timestamptz, ${row.caution}::text)
        on conflict (sender_id, client_id) do nothing returning seq
    )
    update conversation c set last_seq = written.seq, last_at = ${row.sent_at}::timestamptz from written
      where c.id = ${row.conversation_id}::uuid returning c.id`.execute(tx);
  return rows.length > 0;
}

/** A message by its sender's own name for it. */
export async function messageByClientId(db: Db, senderId: string, clientId: string): Promise<MessageRow | undefined> {
  return await db
    .selectFrom('message')
    .selectAll()
    .where('sender_id', '=', senderId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
}

/** One's own message at a place of a conversation, held until the transaction ends. */
export async function ownMessage(
  tx: Db,
  conversationId: string,
  seq: number,
  senderId: string,
): Promise<MessageRow | undefined> {
  return await tx
    .selectFrom('message')
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .where('seq', '=', seq)
    .where('sender_id', '=', senderId)
    .forUpdate()
    .executeTakeFirst();
}

/** How many messages somebody wrote in a conversation before a place, counted to `most`. */
export async function writtenBefore(
  db: Db,
  conversationId: string,
  senderId: string,
  seq: number,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from message where conversation_id = ${conversationId}::uuid and sender_id = ${senderId}::uuid and seq < ${seq}::int
      order by seq limit ${most}
    ) counted`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Counts one more person whom somebody writes to first on this day; false once that were more than `most`. */
export async function countFirstMessage(tx: Db, accountId: string, most: number, now: Date): Promise<boolean> {
  const day = now.toISOString().slice(0, 10);
  const { rows } = await sql`
    insert into first_message_count as c (account_id, sent_on, sent) values (${accountId}::uuid, ${day}::date, 1)
    on conflict (account_id) do update
      set sent_on = excluded.sent_on, sent = case when c.sent_on = excluded.sent_on then c.sent + 1 else 1 end
      where c.sent_on <> excluded.sent_on or c.sent < ${most}
    returning sent`.execute(tx);
  return rows.length === 1;
}
