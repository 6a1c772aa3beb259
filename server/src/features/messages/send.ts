import { sql } from 'kysely';
import { firstMessagesPerDay, firstMessagesWatched, youngAccountHours } from '#contract/constants.ts';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type { sendMessage } from '#contract/messages.ts';
import type { Db } from '../../platform/db/db.ts';
import { AppError } from '../../platform/http/app-error.ts';
import type { CommandContext } from '../../platform/http/mount.ts';
import { notify } from '../../platform/notify/notify.ts';
import type { Caller } from '../../platform/session/caller.ts';
import { requireMayContact } from '../profiles/public.ts';
import { cautionFor } from './caution.ts';
import { lockConversation, type OwnConversation } from './conversation.ts';
import type { MessageRow, Written } from './views.ts';

const hourMs = 3_600_000;

/**
 * Appends the caller's message to a conversation and notifies the receiver. The conversation is locked, so that sequence numbers have no
 * gaps and nothing is written after its end. Sending the same `clientId` again returns the existing message, even if it was edited. Throws
 * 404 if it isn't the caller's match and 409 if the `clientId` was used in another conversation. For the first message of a conversation,
 * throws 403 while a sanction forbids it or the receiver wants none from people who aren't photo verified, and 422 for a young account at its daily limit.
 */
export async function send(
  { tx, caller, now }: CommandContext,
  { id, clientId, text }: ParamsOf<typeof sendMessage> & BodyOf<typeof sendMessage>,
): Promise<Written> {
  const conversation = await lockConversation(tx, caller, id);
  const { otherId, sharesActivity } = conversation;
  if (conversation.last_seq === 0) await requireMayOpen(tx, caller, otherId, now);
  const caution = conversation.ownSent < firstMessagesWatched ? cautionFor(text) : null;
  const row = await append(tx, conversation, { client_id: clientId, body: text, sent_at: now, caution });
  if (row === undefined)
    return { row: await knownMessage(tx, caller, id, clientId), otherId, sharesActivity, isChanged: false };
  await countReply(tx, conversation);
  await notify(tx, { accountId: otherId, kind: 'message', subjectId: id }, now);
  return { row, otherId, sharesActivity, isChanged: true };
}

/**
 * Appends a message to its locked conversation and updates the conversation, in one statement. Returns undefined and changes nothing if the
 * sender has used the `clientId` before.
 */
async function append(
  tx: Db,
  { id, isLow, ownId, ownSent, last_seq }: OwnConversation,
  { client_id, body, sent_at, caution }: Pick<MessageRow, 'client_id' | 'body' | 'sent_at' | 'caution'>,
): Promise<MessageRow | undefined> {
  const { rows } = await sql<MessageRow>`
    with written as (
      insert into message (conversation_id, seq, sender_id, client_id, body, sent_at, caution)
      values (${id}, ${last_seq + 1}, ${ownId}, ${client_id}, ${body}, ${sent_at}, ${caution})
      on conflict (sender_id, client_id) do nothing
      returning *
    ), moved as (
      update conversation c
      set last_seq = written.seq, last_at = written.sent_at, ${isLow ? sql`low_sent` : sql`high_sent`} = ${ownSent + 1},
        opened_by = coalesce(opened_by, sender_id), is_answered = is_answered or coalesce(opened_by <> sender_id, false)
      from written where id = conversation_id
    )
    select * from written`.execute(tx);
  return rows[0];
}

/** The caller's existing message with this `clientId`; 409 if it is in another conversation. */
async function knownMessage(tx: Db, caller: Caller, matchId: string, clientId: string): Promise<MessageRow> {
  const known = await tx
    .selectFrom('message')
    .selectAll()
    .where('sender_id', '=', caller.accountId)
    .where('client_id', '=', clientId)
    .executeTakeFirstOrThrow();
  if (known.conversation_id !== matchId) throw new AppError('CONFLICT', 'This clientId was used in another match');
  return known;
}

/** Counts first messages for their receivers and first answers for their authors; `conversation` is the state before the message. */
async function countReply(tx: Db, { opened_by, is_answered, ownId, otherId }: OwnConversation): Promise<void> {
  const isFirst = opened_by === null;
  if (!isFirst && (opened_by === ownId || is_answered)) return;
  const [received, answered] = isFirst ? [1, 0] : [0, 1];
  await sql`
    insert into reply_count as r (account_id, received, answered)
    values (${isFirst ? otherId : ownId}::uuid, ${received}, ${answered})
    on conflict (account_id) do update
      set received = r.received + excluded.received, answered = r.answered + excluded.answered`.execute(tx);
}

/** Throws if the caller may not start another conversation, and counts it for a young account. */
async function requireMayOpen(tx: Db, caller: Caller, otherId: string, now: Date): Promise<void> {
  const { is_messaging_limited } = await tx
    .selectFrom('account')
    .select('is_messaging_limited')
    .where('id', '=', caller.accountId)
    .executeTakeFirstOrThrow();
  if (is_messaging_limited)
    throw new AppError(
      'FORBIDDEN',
      "You can't start new conversations at the moment. See the decisions about your account.",
    );
  const other = await tx
    .selectFrom('profile')
    .select('verified_contact_only')
    .where('account_id', '=', otherId)
    .executeTakeFirst();
  requireMayContact(caller, other, 'wait until they write to you');
  const isYoung = now.getTime() - caller.createdAt.getTime() < youngAccountHours * hourMs;
  if (isYoung && !(await countFirstMessage(tx, caller.accountId, now)))
    throw new AppError(
      'FIRST_MESSAGES_USED_UP',
      `On your first day you can write to ${firstMessagesPerDay} people. Those who answer you can always write back and forth.`,
    );
}

/** Counts one more person with whom a member starts a conversation today; returns false beyond the limit. */
async function countFirstMessage(tx: Db, accountId: string, now: Date): Promise<boolean> {
  const day = now.toISOString().slice(0, 10);
  const { rows } = await sql`
    insert into first_message_count as c (account_id, sent_on, sent) values (${accountId}::uuid, ${day}::date, 1)
    on conflict (account_id) do update
      set sent_on = excluded.sent_on, sent = case when c.sent_on = excluded.sent_on then c.sent + 1 else 1 end
      where c.sent_on <> excluded.sent_on or c.sent < ${firstMessagesPerDay}
    returning sent`.execute(tx);
  return rows.length === 1;
}
