import { type RawBuilder, sql } from 'kysely';
import { columnsOf, type Db } from '#platform/db/db.ts';
import type { OwnConversation } from './conversation.ts';
import type { MessageRow } from './views.ts';

const shownColumns = (m: string) =>
  columnsOf(m, [
    ...([
      'conversation_id',
      'seq',
      'sender_id',
      'client_id',
      'body',
      'media',
      'reply_to',
      'sent_at',
      'edited_at',
    ] as const),
    ...(['deleted_at', 'removed_at', 'read_at', 'is_read_hidden', 'caution', 'own_seq', 'own_sent_at'] as const),
  ]);

/** A column of the first message `x` after the held ones of a sender, whose read mark also counts for these. */
const nextOwn = (column: 'read_at' | 'is_read_hidden', m: string) => sql`(
  select x.${sql.ref(column)} from message x where x.conversation_id = ${sql.ref(`${m}.conversation_id`)}
    and x.sender_id = ${sql.ref(`${m}.sender_id`)} and x.own_seq is null order by x.seq limit 1)`;

/**
 * Held messages `h` in the shape of messages. The newest has `seq` 0 and earlier ones have lower numbers, so that they are numbered from 1
 * once the number of held messages is added.
 */
export const asMessages = (held: RawBuilder<unknown>) => sql`
  h.conversation_id, h.n - ${held} as seq, h.sender_id, h.client_id, h.body, h.media, h.reply_to, h.sent_at,
  h.edited_at, h.deleted_at, null::timestamptz as removed_at, ${nextOwn('read_at', 'h')} as read_at,
  ${nextOwn('is_read_hidden', 'h')} as is_read_hidden, null::text as caution, null::int as own_seq, null::timestamptz as own_sent_at`;

/** Messages `m` that were held, in the shape of messages, with the read mark that they had at that time. */
const movedColumns = sql`
  m.conversation_id, m.seq, m.sender_id, m.client_id, m.body, m.media, m.reply_to, m.sent_at, m.edited_at, m.deleted_at,
  m.removed_at, least(m.read_at, ${nextOwn('read_at', 'm')}) as read_at,
  coalesce(${nextOwn('is_read_hidden', 'm')}, m.is_read_hidden) as is_read_hidden, m.caution, m.own_seq, m.own_sent_at`;

/**
 * The messages `m` of a conversation that one side sees, including their own held ones. Without held ones, they are ordered by `seq`.
 * Otherwise they are ordered by `place`, which is the `seq` or, among the held ones, a number that ends with 0 for the newest.
 */
export function messagesSeenBy({ id, ownId, ownNumbers }: OwnConversation): RawBuilder<unknown> {
  if (ownNumbers.held === 0) return sql`message m`;
  const held = sql`${ownNumbers.held}::int`;
  const own = sql`conversation_id = ${id}::uuid and sender_id = ${ownId}::uuid`;
  return sql`(
    select ${shownColumns('m')}, m.seq as place from message m
    where m.conversation_id = ${id}::uuid and not (m.sender_id = ${ownId}::uuid and m.own_seq is not null)
    union all
    select ${movedColumns}, m.own_seq - ${held} from message m where ${own} and m.own_seq is not null
    union all
    select ${asMessages(held)}, h.n - ${held} from held_message h where ${own}
  ) m`;
}

/** The own side's message, held or delivered since, with this number, which is among those of held ones. */
export async function ownAt(tx: Db, conversation: OwnConversation, number: number): Promise<MessageRow | undefined> {
  const { rows } = await sql<MessageRow>`select ${shownColumns('m')} from ${messagesSeenBy(conversation)}
    where m.place = ${number - conversation.ownNumbers.held}::int and m.place < 1`.execute(tx);
  return rows[0];
}

/** All messages `m` that a member wrote, delivered or not. */
export const messagesBy = (accountId: string): RawBuilder<unknown> => sql`(
    select conversation_id, seq, sender_id, body, media, reply_to, sent_at, edited_at from message
    where sender_id = ${accountId}::uuid and own_sent_at is null
    union all
    select conversation_id, seq, sender_id, body, media, reply_to, own_sent_at, edited_at from message
    where sender_id = ${accountId}::uuid and own_sent_at is not null
    union all
    select conversation_id, n - 1000000, sender_id, body, media, reply_to, sent_at, edited_at from held_message
    where sender_id = ${accountId}::uuid
  ) m`;

/** The own side's held message with this `clientId`. */
export async function heldWith(
  tx: Db,
  conversation: OwnConversation,
  clientId: string,
): Promise<MessageRow | undefined> {
  const { id, ownId, ownNumbers } = conversation;
  const { rows } = await sql<MessageRow>`
    select ${asMessages(sql`${ownNumbers.held}::int`)} from held_message h
    where h.conversation_id = ${id}::uuid and h.sender_id = ${ownId}::uuid and h.client_id = ${clientId}`.execute(tx);
  return rows[0];
}

/** For a member who has or had held messages: the newest message they see in each of these conversations. */
export async function lastSeen(db: Db, accountId: string, ids: readonly string[]): Promise<MessageRow[]> {
  if (ids.length === 0) return [];
  const own = sql`conversation_id = l.id and sender_id = ${accountId}::uuid`;
  const { rows } = await sql<MessageRow>`
    select last.* from unnest(${ids}::uuid[]) as l (id) cross join lateral (
      (select ${shownColumns('m')}, 1 as is_later, m.seq as place from message m
      where m.conversation_id = l.id and not (m.sender_id = ${accountId}::uuid and m.own_seq is not null)
      order by m.seq desc limit 1)
      union all
      select ${movedColumns}, 0, m.own_seq from message m where ${own} and m.own_seq is not null
      union all
      select ${asMessages(sql`h.n`)}, 0, h.n from held_message h where ${own}
      order by is_later desc, place desc limit 1) last`.execute(db);
  return rows;
}

/**
 * When something last happened in conversation `c` for its member on a side: the expression that an index orders by, unless the member has
 * held messages or had some that were delivered since.
 */
export async function ownLastAt(db: Db, accountId: string): Promise<(side: 'low' | 'high') => RawBuilder<unknown>> {
  const own = sql`${accountId}::uuid`;
  const { rows } = await sql`
    select from held_message where sender_id = ${own}
    union all select from conversation where low_id = ${own} and low_last_at is not null
    union all select from conversation where high_id = ${own} and high_last_at is not null limit 1`.execute(db);
  if (rows.length === 0) return () => sql`c.last_at`;
  return (side) => sql`coalesce(c.${sql.ref(`${side}_last_at`)}, greatest(c.last_at, (
    select max(h.sent_at) from held_message h where h.conversation_id = c.id and h.sender_id = ${own})))`;
}
