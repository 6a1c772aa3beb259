import { sql } from 'kysely';
import { firstMessagesWatched } from '#contract/constants.ts';
import type { Db } from '#platform/db/db.ts';
import { notify } from '#platform/notify/notify.ts';
import { cautionFor } from './caution.ts';
import type { OwnConversation } from './conversation.ts';
import { placeMedia } from './media/claim.ts';
import { isSnoozedAt } from './snooze.ts';
import type { StoredMedia } from '#platform/db/json.ts';
import type { MessageRow } from './views.ts';

/** A message before it is delivered. */
export interface NewMessage {
  clientId: string;
  text: string;
  /** Null if it has none. */
  media: StoredMedia[] | null;
  /** The `seq` of the message that it answers, without held ones. */
  replyTo: number | null;
  sentAt: Date;
  /** Whether the receiver is warned about the content even if it is not among the sender's first messages. */
  isWatched: boolean;
}

/** Media as text for a jsonb column. */
export const toJson = (media: StoredMedia[] | null): string | null => (media === null ? null : JSON.stringify(media));

/**
 * Appends a message of the conversation's own side and notifies the receiver. The conversation is locked. Returns undefined and changes
 * nothing if the sender has used the `clientId` before.
 */
export async function deliver(
  tx: Db,
  conversation: OwnConversation,
  { clientId, text, media, replyTo, sentAt, isWatched }: NewMessage,
): Promise<MessageRow | undefined> {
  const { id, otherId, otherSnoozedUntil, ownSent } = conversation;
  const caution = isWatched || ownSent < firstMessagesWatched ? cautionFor(text) : null;
  const row = await append(tx, conversation, {
    client_id: clientId,
    body: text,
    media,
    reply_to: replyTo,
    sent_at: sentAt,
    caution,
  });
  if (row === undefined) return undefined;
  if (media !== null) await placeMedia(tx, media, row.seq);
  await countReply(tx, conversation);
  if (!isSnoozedAt(otherSnoozedUntil, sentAt))
    await notify(tx, { accountId: otherId, kind: 'message', subjectId: id }, sentAt);
  return row;
}

/**
 * Appends a message to its locked conversation and updates the conversation, in one statement. Returns undefined and changes nothing if the
 * sender has used the `clientId` before.
 */
export async function append(
  tx: Db,
  { id, isLow, ownId, ownSent, last_seq }: OwnConversation,
  one: Pick<MessageRow, 'client_id' | 'body' | 'media' | 'reply_to' | 'sent_at' | 'caution'>,
): Promise<MessageRow | undefined> {
  const { client_id, body, media, reply_to, sent_at, caution } = one;
  const { rows } = await sql<MessageRow>`
    with written as (
      insert into message (conversation_id, seq, sender_id, client_id, body, media, reply_to, sent_at, caution)
      select ${id}::uuid, ${last_seq + 1}::int, ${ownId}::uuid, ${client_id}::text, ${body}::text, ${toJson(media)}::jsonb, ${reply_to}::int,
        ${sent_at}::timestamptz, ${caution}::text
      where not exists (select from held_message where sender_id = ${ownId}::uuid and client_id = ${client_id}
        and conversation_id <> ${id}::uuid)
      on conflict (sender_id, client_id) do nothing
      returning *
    ), moved as (
      update conversation c
      set last_seq = written.seq, last_at = written.sent_at, low_last_at = null, high_last_at = null,
        ${isLow ? sql`low_sent` : sql`high_sent`} = ${ownSent + 1},
        opened_by = coalesce(opened_by, sender_id), is_answered = is_answered or coalesce(opened_by <> sender_id, false)
      from written where id = conversation_id
    )
    select * from written`.execute(tx);
  return rows[0];
}

/** Counts first messages for their receivers and first answers for their authors; `conversation` is the state before the message. */
async function countReply(
  tx: Db,
  { opened_by, is_answered, ownId, otherId, ownNumbers, otherNumbers }: OwnConversation,
): Promise<void> {
  const isFirst = opened_by === null;
  if (!isFirst && (opened_by === ownId || is_answered)) return;
  // A person whose first messages are held has written first, as far as they know.
  if ((isFirst ? otherNumbers : ownNumbers).held > 0) return;
  const [received, answered] = isFirst ? [1, 0] : [0, 1];
  await sql`
    insert into reply_count as r (account_id, received, answered)
    values (${isFirst ? otherId : ownId}::uuid, ${received}, ${answered})
    on conflict (account_id) do update
      set received = r.received + excluded.received, answered = r.answered + excluded.answered`.execute(tx);
}
