import { sql } from 'kysely';
import type { Db } from '#platform/db/db.ts';
import type { HoldKey } from '../connections/public.ts';
import type { OwnConversation } from './conversation.ts';
import { type NewMessage, toJson } from './deliver.ts';
import { asMessages } from './seen.reads.ts';
import type { Message, MessageRow } from './views.ts';

/**
 * Stores a message that is not delivered, as the last one that its sender sees. The conversation is locked; nothing changes for the other
 * person. Returns undefined if the sender has used the `clientId` before.
 */
export async function holdMessage(
  tx: Db,
  conversation: OwnConversation,
  { clientId, text, media, replyTo, sentAt }: NewMessage,
  holdId: string,
): Promise<MessageRow | undefined> {
  const { id, ownId, ownNumbers, isLow } = conversation;
  const held = isLow ? sql`low_held` : sql`high_held`;
  const { rows } = await sql<MessageRow>`
    with h as (
      insert into held_message (conversation_id, sender_id, n, client_id, body, media, reply_to, sent_at, hold_id)
      select ${id}::uuid, ${ownId}::uuid, ${ownNumbers.held + 1}::int, ${clientId}::text, ${text}::text, ${toJson(media)}::jsonb, ${replyTo}::int,
        ${sentAt}::timestamptz, ${holdId}::uuid
      where not exists (select from message where sender_id = ${ownId}::uuid and client_id = ${clientId})
      on conflict (sender_id, client_id) do nothing
      returning *
    ), counted as (update conversation c set ${held} = h.n from h where c.id = h.conversation_id)
    select ${asMessages(sql`h.n`)} from h`.execute(tx);
  return rows[0];
}

/** Stores the sender's change to a held message. */
export async function changeHeld(
  tx: Db,
  { row, senderNumbers }: Pick<Message, 'row' | 'senderNumbers'>,
): Promise<void> {
  await tx
    .updateTable('held_message')
    .set({
      body: row.body,
      edited_at: row.edited_at,
      deleted_at: row.deleted_at,
      ...(row.media === null && { media: null }),
    })
    .where('conversation_id', '=', row.conversation_id)
    .where('sender_id', '=', row.sender_id)
    .where('n', '=', row.seq + senderNumbers.held)
    .execute();
}

/** Schedules the messages that a hold withholds for delivery, or drops them. Only the sender sees either. */
export async function withholdMessages(tx: Db, { id, account_id }: HoldKey, isDropped: boolean): Promise<void> {
  await sql`update held_message set is_dropped = ${isDropped}
    where sender_id = ${account_id}::uuid and hold_id = ${id}::uuid and body is not null`.execute(tx);
}
