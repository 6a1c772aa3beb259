import { type Selectable, sql } from 'kysely';
import type { Caution, MessageView } from '#contract/messages.ts';
import type { Database } from '../../platform/db/schema.ts';
import { firstMessagesWatched } from '#contract/constants.ts';
import { isUuid } from '../../platform/db/uuid.ts';
import { inBatches } from '../../platform/db/batches.ts';
import { columnsOf, type Db, planHint } from '../../platform/db/db.ts';
import type { Realtime } from '../../platform/realtime/realtime.ts';
import { mailDues, queueingPushes, insertingNotifications } from '../../platform/notify/notify.ts';

export type MessageRow = Selectable<Database['message']>;
const conversationColumns = [
  'id',
  'low_id',
  'high_id',
  'last_seq',
  'low_read',
  'high_read',
  'low_sent',
  'high_sent',
  'began_at',
] as const;
type ConversationRow = Pick<Selectable<Database['conversation']>, (typeof conversationColumns)[number]>;

const inWords = (moment: Date | null) => moment?.toISOString() ?? null;

/** Whether two people see of each other when they were here: both show when they were last active. */
export interface Openness {
  sharesActivity: boolean;
}

/** Whether the sender may not see when a message was read: one of the two hides when they were last active, or did at that time. */
const isReadHidden = (row: MessageRow, { sharesActivity }: Openness) => !sharesActivity || row.is_read_hidden === true;

/**
 * A message as one of the two sees it. Only the receiver sees its warning. Its sender sees when it was read, which tells when the other
 * person was here, unless one of the two hides that.
 */
export function toMessageView(row: MessageRow, viewerId: string, openness: Openness): MessageView {
  const isOwn = row.sender_id === viewerId;
  const text = row.removed_at === null || isOwn ? row.body : null;
  return {
    seq: row.seq,
    clientId: row.client_id,
    from: row.sender_id,
    text,
    ...(row.removed_at !== null && isOwn && { isRemoved: true }),
    sentAt: row.sent_at.toISOString(),
    editedAt: row.deleted_at === null && text !== null ? inWords(row.edited_at) : null,
    readAt: isOwn && isReadHidden(row, openness) ? null : inWords(row.read_at),
    caution: isOwn || text === null ? null : row.caution,
  };
}

/** A message that was written or changed. */
export interface WrittenMessage extends Openness {
  row: MessageRow;
  /** The person who didn't write it. */
  otherId: string;
}

/** Both people receive a message at once, each in their own view. */
export function emitWritten(realtime: Realtime, written: WrittenMessage): void {
  const { row, otherId } = written;
  const emit = (...accountIds: [string, ...string[]]) =>
    realtime.emit(accountIds, {
      kind: 'message',
      matchId: row.conversation_id,
      message: toMessageView(row, accountIds[0], written),
    });
  const hidesRead = row.read_at !== null && isReadHidden(row, written);
  if (row.caution === null && row.removed_at === null && !hidesRead) return emit(row.sender_id, otherId);
  emit(row.sender_id);
  emit(otherId);
}

/** A conversation from one member's side. */
export interface OwnConversation extends ConversationRow, Openness {
  otherId: string;
  /** The last sequence number this side has read. */
  ownRead: number;
  /** How many messages this side has sent, deleted ones included. */
  ownSent: number;
}

/** A member and one of their matches. */
interface AskedConversation {
  accountId: string;
  matchId: string;
}

/**
 * The conversation of an active match with a visible person; undefined for everything else, without distinction. With `isHeld` the row
 * stays locked until the transaction ends, so concurrent writers, readers and unmatches wait.
 */
export async function openConversation(
  db: Db,
  accountId: string,
  matchId: string,
  isHeld: boolean,
): Promise<OwnConversation | undefined> {
  if (!isUuid(matchId)) return undefined;
  return (await conversationsOf(db, [{ accountId, matchId }], isHeld))[0];
}

/** `openConversation` for several matches, by match id. */
async function conversationsOf(
  db: Db,
  asked: AskedConversation[],
  isHeld = false,
): Promise<(OwnConversation | undefined)[]> {
  const matchIds = asked.map(({ matchId }) => matchId);
  const accountIds = asked.map(({ accountId }) => accountId);
  const { rows } = await sql<ConversationRow & Openness & { asker: string }>`
    select ${columnsOf('c', conversationColumns)}, asked.account_id as asker,
      other.shows_activity and own.shows_activity as "sharesActivity"
    from (
        select * from unnest(${matchIds}::uuid[], ${accountIds}::uuid[]) as asked (match_id, account_id) ${planHint(asked)}
      ) asked
      join conversation c on c.id = asked.match_id and asked.account_id in (c.low_id, c.high_id)
      join directory other on other.is_shown
        and other.account_id = case when c.low_id = asked.account_id then c.high_id else c.low_id end
      join directory own on own.account_id = asked.account_id
    where c.ended_at is null
    ${isHeld ? sql`for update of c` : sql``}`.execute(db);
  const found = new Map(rows.map(({ asker, ...row }) => [`${row.id} ${asker}`, row]));
  return asked.map(({ accountId, matchId }) => {
    const row = found.get(`${matchId.toLowerCase()} ${accountId}`);
    if (row === undefined) return undefined;
    const isLow = row.low_id === accountId;
    return isLow
      ? { ...row, otherId: row.high_id, ownRead: row.low_read, ownSent: row.low_sent }
      : { ...row, otherId: row.low_id, ownRead: row.high_read, ownSent: row.high_sent };
  });
}

/** A message to send, its receiver, and the warning for the receiver if it is among the sender's first. */
interface NewMessage {
  conversation_id: string;
  sender_id: string;
  receiver_id: string;
  client_id: string;
  body: string;
  sent_at: Date;
  suspicion: Caution | null;
}

/** A message's sequence number; `seq` is null and nothing was written if the `clientId` is taken. */
interface Place {
  seq: number | null;
  caution: Caution | null;
}

/**
 * Appends messages, each to a different conversation, and notifies the receivers, in one statement. Returns their sequence numbers;
 * undefined if the conversation has just ended. With `isWaiting` it waits for locked conversations, which is allowed for a single message
 * only (several could deadlock). Without, undefined is also returned for locked conversations.
 */
async function appendMessages(db: Db, messages: NewMessage[], isWaiting: boolean): Promise<(Place | undefined)[]> {
  if (isWaiting && messages.length > 1) throw new Error('only one message waits for its conversation');
  const dues = messages.map(({ receiver_id, sent_at }) => mailDues('message', receiver_id, sent_at));
  const each = <T>(value: (message: NewMessage) => T) => messages.map(value);
  const { rows } = await sql<Place & { id: string }>`
    with asked as materialized (
      select * from unnest(${each((m) => m.conversation_id)}::uuid[], ${each((m) => m.sender_id)}::uuid[],
        ${each((m) => m.receiver_id)}::uuid[], ${each((m) => m.client_id)}::text[], ${each((m) => m.body)}::text[],
        ${each((m) => m.sent_at)}::timestamptz[], ${each((m) => m.suspicion)}::text[], ${dues.map(({ now }) => now)}::timestamptz[],
        ${dues.map(({ daily }) => daily)}::timestamptz[], ${dues.map(({ weekly }) => weekly)}::timestamptz[])
      as asked (id, sender_id, receiver_id, client_id, body, sent_at, suspicion, due_now, due_daily, due_weekly) ${planHint(messages)}
    ), held as materialized (
      select c.id, c.last_seq + 1 as seq, c.opened_by, c.is_answered,
        case when c.low_id = asked.sender_id then c.low_sent else c.high_sent end as sent
      from asked join conversation c on c.id = asked.id
      where c.ended_at is null for update of c ${isWaiting ? sql`` : sql`skip locked`}
    ), written as (
      insert into message (conversation_id, seq, sender_id, client_id, body, sent_at, caution)
        select asked.id, held.seq, asked.sender_id, asked.client_id, asked.body, asked.sent_at,
          case when held.sent < ${sql.lit(firstMessagesWatched)} then asked.suspicion end
        from held join asked on asked.id = held.id
        on conflict (sender_id, client_id) do nothing returning conversation_id as id, seq, sent_at, caution
    ), moved as (
      update conversation c set last_seq = written.seq, last_at = written.sent_at,
          low_sent = c.low_sent + (c.low_id = asked.sender_id)::int, high_sent = c.high_sent + (c.high_id = asked.sender_id)::int,
          opened_by = coalesce(c.opened_by, asked.sender_id), is_answered = c.is_answered or coalesce(c.opened_by <> asked.sender_id, false)
        from written join asked on asked.id = written.id where c.id = written.id
    ), counted as (${countingReplies}), notified as (${insertingNotifications('message', receivers)}), pushed as (${queueingPushes})
    select held.id, written.seq, written.caution, (select count(*) from pushed)
    from held left join written on written.id = held.id`.execute(db);
  const places = new Map(rows.map(({ id, seq, caution }) => [id, { seq, caution }]));
  return messages.map(({ conversation_id }) => places.get(conversation_id));
}

/** Counts first messages for their receivers and first answers for their authors; in account order, to avoid deadlocks. */
const countingReplies = sql`
  insert into reply_count as r (account_id, received, answered)
    select case when opened_by is null then receiver_id else sender_id end as account_id,
      count(*) filter (where opened_by is null), count(*) filter (where opened_by is not null)
    from written join held on held.id = written.id join asked on asked.id = written.id
    where opened_by is null or (opened_by <> sender_id and not is_answered)
    group by 1 order by 1
  on conflict (account_id) do update set received = r.received + excluded.received, answered = r.answered + excluded.answered`;

const receivers = sql`(
  select asked.receiver_id as account_id, asked.id as subject_id, asked.sent_at as at, due_now, due_daily, due_weekly
  from asked join written on written.id = asked.id)`;

/** A message by its sender's `clientId`. */
export async function messageByClientId(db: Db, senderId: string, clientId: string): Promise<MessageRow | undefined> {
  return await db
    .selectFrom('message')
    .selectAll()
    .where('sender_id', '=', senderId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
}

/** The caller's own message with a sequence number, locked until the transaction ends. */
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

/**
 * Whether a sent message is among its sender's first ones in the conversation, which are checked. Reads the conversation from its
 * start, so it is for changes of messages only.
 */
export async function isAmongFirst(db: Db, conversationId: string, senderId: string, seq: number): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select count(*) < ${sql.lit(firstMessagesWatched)} as is from (
      select from (
        select sender_id from message where conversation_id = ${conversationId}::uuid and seq < ${seq}::int order by seq offset 0
      ) earlier where sender_id = ${senderId}::uuid limit ${sql.lit(firstMessagesWatched)}
    ) own`.execute(db);
  return rows[0]?.is === true;
}

/** Whether a member has unread messages in a conversation that still exists. */
export async function hasUnread(db: Db, accountId: string, conversationId: string): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select exists (select from conversation c join message m on m.conversation_id = c.id
      where c.id = ${conversationId}::uuid and m.sender_id <> ${accountId}::uuid and m.body is not null and m.removed_at is null
        and m.seq > case when c.low_id = ${accountId}::uuid then c.low_read else c.high_read end) as is`.execute(db);
  return rows[0]?.is === true;
}

/** Counts one more person a member starts a conversation with today; false beyond `most`. */
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

/** Appends one message. */
export interface Writing {
  conversation(asked: AskedConversation): Promise<OwnConversation | undefined>;
  append(message: NewMessage): Promise<Place | undefined>;
}

const together = { atOnce: 1, most: 100 };

/** Appends messages in batches: one statement for all that arrived meanwhile. It skips locked conversations, so no message waits for another. */
export function writingTogether(db: Db): Writing {
  const append = inBatches((messages: NewMessage[]) => appendMessages(db, messages, false), {
    ...together,
    keyOf: ({ conversation_id }) => conversation_id,
  });
  return {
    conversation: inBatches((asked: AskedConversation[]) => conversationsOf(db, asked), together),
    // Messages to locked conversations wait on their own.
    append: async (message) => (await append(message)) ?? (await appendAlone(db, message)),
  };
}

/** Appends within a transaction that locks the conversation. */
export function writingIn(tx: Db): Writing {
  return {
    conversation: ({ accountId, matchId }) => openConversation(tx, accountId, matchId, true),
    append: (message) => appendAlone(tx, message),
  };
}

async function appendAlone(db: Db, message: NewMessage): Promise<Place | undefined> {
  return (await appendMessages(db, [message], true))[0];
}
