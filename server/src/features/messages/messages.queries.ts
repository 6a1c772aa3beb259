import { type RawBuilder, sql } from 'kysely';
import { firstMessagesWatched } from '#contract/constants.ts';
import type { Caution } from '#contract/messages.ts';
import { isUuid } from '../../platform/access-token.ts';
import type { Db } from '../../platform/db.ts';
import { pushingTold, tellingOf } from '../../platform/notify.ts';
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

/** A message as it is sent, and what its receiver is warned of if it is among its sender's first. */
interface NewMessage {
  conversation_id: string;
  sender_id: string;
  client_id: string;
  body: string;
  sent_at: Date;
  suspicion: Caution | null;
}

/**
 * Writes a message at the end of its conversation, moves that up, and tells the receiver: one statement, which waits for others at
 * the same conversation. Answers its place; `seq` is null, and nothing is written, where its sender's name for it is taken.
 * Undefined where the conversation has just ended.
 */
export async function appendMessage(
  db: Db,
  message: NewMessage,
  receiverId: string,
): Promise<{ seq: number | null; caution: Caution | null } | undefined> {
  const { conversation_id, sender_id, client_id, body, sent_at, suspicion } = message;
  const news = { accountId: receiverId, kind: 'message', subjectId: conversation_id } as const;
  const { rows } = await sql<{ seq: number | null; caution: Caution | null }>`/* prepared */
    with held as materialized (
      select id, last_seq + 1 as seq from conversation where id = ${conversation_id}::uuid and ended_at is null for update
    ), written as (
      insert into message (conversation_id, seq, sender_id, client_id, body, sent_at, caution)
        select id, seq, ${sender_id}::uuid, ${client_id}::text, ${body}::text, ${sent_at}::timestamptz,
          case when ${suspicion}::text is not null and ${amongFirst(sql.ref('held.id'), sender_id, sql.ref('held.seq'))}
            then ${suspicion}::text end
        from held
        on conflict (sender_id, client_id) do nothing returning seq, caution
    ), moved as (
      update conversation c set last_seq = written.seq, last_at = ${sent_at}::timestamptz from written
        where c.id = ${conversation_id}::uuid
    ), told as (${tellingOf(news, sent_at, sql.ref('written'))}), pushed as (${pushingTold})
    select written.seq, written.caution from held left join written on true left join pushed on true`.execute(db);
  return rows[0];
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

/** Whether somebody had written fewer messages in a conversation, before a place, than are watched. */
const amongFirst = (conversationId: RawBuilder<unknown>, senderId: string, seq: RawBuilder<unknown>) => sql`(
  select count(*) < ${sql.lit(firstMessagesWatched)} from (
    select from message m where m.conversation_id = ${conversationId} and m.sender_id = ${senderId}::uuid and m.seq < ${seq}
    order by m.seq limit ${sql.lit(firstMessagesWatched)}
  ) earlier)`;

/** Whether a message of somebody's at this place is one of their first ones in the conversation, which are watched. */
export async function isAmongFirst(db: Db, conversationId: string, senderId: string, seq: number): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select ${amongFirst(sql`${conversationId}::uuid`, senderId, sql`${seq}::int`)} as is`.execute(db);
  return rows[0]?.is === true;
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
