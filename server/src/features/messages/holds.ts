import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db/db.ts';
import type { HoldKey } from '../connections/public.ts';
import type { OwnConversation } from './conversation.ts';
import { type NewMessage, toJson } from './deliver.ts';
import type { MessageRow } from './views.ts';

/**
 * Held messages `h` in the shape of messages. The newest has the `seq` 0 and those before it less, so that with the number of held messages
 * added they are numbered from 1.
 */
const asMessages = (held: RawBuilder<unknown>) => sql`
  h.conversation_id, h.n - ${held} as seq, h.sender_id, h.client_id, h.body, h.media, h.reply_to, h.sent_at,
  h.edited_at, h.deleted_at,
  null::timestamptz as removed_at, null::timestamptz as read_at, null::boolean as is_read_hidden, null::text as caution`;

/** The messages `m` of a conversation that one side sees, with their own held ones. */
export function messagesSeenBy({ id, ownId, ownHeld }: OwnConversation): RawBuilder<unknown> {
  if (ownHeld === 0) return sql`message m`;
  return sql`(
    select conversation_id, seq, sender_id, client_id, body, media, reply_to, sent_at, edited_at, deleted_at,
      removed_at, read_at, is_read_hidden, caution
    from message where conversation_id = ${id}::uuid
    union all
    select ${asMessages(sql`${ownHeld}::int`)} from held_message h
    where h.conversation_id = ${id}::uuid and h.sender_id = ${ownId}::uuid
  ) m`;
}

/** All messages `m` that a member wrote, delivered or not. */
export const messagesBy = (accountId: string): RawBuilder<unknown> => sql`(
    select conversation_id, seq, sender_id, body, media, reply_to, sent_at, edited_at from message where sender_id = ${accountId}::uuid
    union all
    select conversation_id, n - 1000000, sender_id, body, media, reply_to, sent_at, edited_at from held_message
    where sender_id = ${accountId}::uuid
  ) m`;

const ofOwn = ({ id, ownId }: OwnConversation) => sql`h.conversation_id = ${id}::uuid and h.sender_id = ${ownId}::uuid`;

async function findHeld(tx: Db, conversation: OwnConversation, which: RawBuilder<unknown>) {
  const { rows } = await sql<MessageRow>`
    select ${asMessages(sql`${conversation.ownHeld}::int`)} from held_message h
    where ${ofOwn(conversation)} and ${which}`.execute(tx);
  return rows[0];
}

/** The own side's held message with this `seq`. */
export const heldAt = (tx: Db, conversation: OwnConversation, seq: number): Promise<MessageRow | undefined> =>
  findHeld(tx, conversation, sql`h.n = ${seq + conversation.ownHeld}::int`);

/** The own side's held message with this `clientId`. */
export const heldWith = (tx: Db, conversation: OwnConversation, clientId: string): Promise<MessageRow | undefined> =>
  findHeld(tx, conversation, sql`h.client_id = ${clientId}`);

/** The newest of the member's held messages in each of these conversations. */
export async function lastHeld(db: Db, accountId: string, ids: readonly string[]): Promise<MessageRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<MessageRow>`
    select distinct on (h.conversation_id) ${asMessages(sql`h.n`)} from held_message h
    where h.conversation_id = any (${ids}::uuid[]) and h.sender_id = ${accountId}::uuid
    order by h.conversation_id, h.n desc`.execute(db);
  return rows;
}

/** When something last happened in conversation `c` for a member: the expression that an index orders by, unless they have held messages. */
export async function ownLastAt(db: Db, accountId: string): Promise<RawBuilder<unknown>> {
  const { rows } = await sql`select from held_message where sender_id = ${accountId}::uuid limit 1`.execute(db);
  if (rows.length === 0) return sql`c.last_at`;
  return sql`greatest(c.last_at, (
    select max(h.sent_at) from held_message h where h.conversation_id = c.id and h.sender_id = ${accountId}::uuid))`;
}

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
  const { id, ownId, ownHeld, isLow } = conversation;
  const held = isLow ? sql`low_held` : sql`high_held`;
  const { rows } = await sql<MessageRow>`
    with h as (
      insert into held_message (conversation_id, sender_id, n, client_id, body, media, reply_to, sent_at, hold_id)
      select ${id}::uuid, ${ownId}::uuid, ${ownHeld + 1}::int, ${clientId}::text, ${text}::text, ${toJson(media)}::jsonb, ${replyTo}::int,
        ${sentAt}::timestamptz, ${holdId}::uuid
      where not exists (select from message where sender_id = ${ownId}::uuid and client_id = ${clientId})
      on conflict (sender_id, client_id) do nothing
      returning *
    ), counted as (update conversation c set ${held} = h.n from h where c.id = h.conversation_id)
    select ${asMessages(sql`h.n`)} from h`.execute(tx);
  return rows[0];
}

/** Writes what its sender changed in a held message. */
export async function changeHeld(tx: Db, { row, senderHeld }: { row: MessageRow; senderHeld: number }): Promise<void> {
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
    .where('n', '=', row.seq + senderHeld)
    .execute();
}

/** Makes the messages that a hold withholds wait for their delivery, or keeps them from it. Only the sender sees either. */
export async function withholdMessages(tx: Db, { id, account_id }: HoldKey, isDropped: boolean): Promise<void> {
  await sql`update held_message set is_dropped = ${isDropped}
    where sender_id = ${account_id}::uuid and hold_id = ${id}::uuid and body is not null`.execute(tx);
}
