import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import { firstMessagesWatched, messageEditMinutes } from '#contract/constants.ts';
import type { Db } from '#platform/db/db.ts';
import { keepPreserved } from '#platform/db/preservation.ts';
import { AppError, invalid, notFound } from '#platform/http/app-error.ts';
import type { Caller } from '#platform/session/caller.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { recordAct } from '../auth/public.ts';
import { isHeld } from '../connections/public.ts';
import { hasOtherWritten, lockConversation, type OwnConversation } from './conversation.ts';
import type { Message, MessageRow, Written } from './views.ts';
import { attachedTo } from './attached.reads.ts';
import { cautionFor } from './caution.ts';
import { changeHeld } from './holds.ts';
import { ownAt } from './seen.reads.ts';
import { seqOf } from './numbering.ts';
import { withdrawMedia } from './media/withdraw.ts';
import { settleMessages } from './unread.ts';

/** The id of a match and the sequence number of a message, as in the path of a request. */
interface MessagePlace {
  id: string;
  seq: string;
}

/** A message that is not deleted. */
interface OwnMessage extends Message {
  body: string;
  /** The other person has not written yet. */
  isFirstWords: boolean;
}

/** The caller's own existing message, locked with its conversation; 403 for staff, 404 for any other message. */
async function lockOwnMessage(tx: Db, caller: Caller, { id, seq }: MessagePlace): Promise<OwnMessage> {
  const conversation = await lockConversation(tx, caller, id);
  if (!/^[1-9]\d{0,8}$/.test(seq)) throw notFound();
  const row = await ownRow(tx, conversation, Number(seq));
  if (row === undefined || row.body === null) throw notFound();
  const { otherId, sharesActivity, ownNumbers: senderNumbers, otherNumbers } = conversation;
  const isFirstWords = !hasOtherWritten(conversation);
  const attached = (await attachedTo(tx, id, [row])).get(row.seq);
  return { row, body: row.body, isFirstWords, otherId, sharesActivity, senderNumbers, otherNumbers, attached };
}

/** The caller's message with this number, delivered or held. The conversation is locked. */
async function ownRow(tx: Db, conversation: OwnConversation, number: number): Promise<MessageRow | undefined> {
  const seq = seqOf(conversation.ownNumbers, number);
  if (seq < 1) return await ownAt(tx, conversation, number);
  return await tx
    .selectFrom('message')
    .selectAll()
    .where('conversation_id', '=', conversation.id)
    .where('seq', '=', seq)
    .where('sender_id', '=', conversation.ownId)
    .forUpdate()
    .executeTakeFirst();
}

/** Changes a locked message; its earlier text is kept for reports if it was delivered, and always under a legal hold. */
async function changeMessage(
  tx: Db,
  { body, ...message }: OwnMessage,
  changes: Partial<Pick<MessageRow, 'body' | 'edited_at' | 'deleted_at' | 'caution'>> & { media?: null },
  now: Date,
): Promise<Written> {
  const { row } = message;
  const { conversation_id, seq, sent_at: sentAt } = row;
  const changed = { ...message, row: { ...row, ...changes }, isChanged: true };
  if (seq < 1) {
    await keepPreserved(tx, row.sender_id, { kind: 'heldMessage', data: { conversation_id, sentAt, text: body } });
    await changeHeld(tx, changed);
    return changed;
  }
  await tx.insertInto('message_trace').values({ conversation_id, seq, replaced_at: now, body }).execute();
  await tx
    .updateTable('message')
    .set(changes)
    .where('conversation_id', '=', conversation_id)
    .where('seq', '=', seq)
    .execute();
  return changed;
}

/**
 * Edits the caller's message; the earlier text is kept for reports. Throws 404 if it isn't theirs or is deleted, 422 five minutes after it
 * was sent or once a decision removed it, and 400 if the message would become empty.
 */
export async function edit(
  { tx, deps, caller, now }: CommandContext,
  { text, ...place }: MessagePlace & { text: string },
): Promise<Written> {
  const message = await lockOwnMessage(tx, caller, place);
  const { row, body } = message;
  if (body === text) return { ...message, isChanged: false };
  if (text === '' && row.media === null) throw invalid('text', msg`This is required`);
  if (
    row.removed_at !== null ||
    now.getTime() - (row.own_sent_at ?? row.sent_at).getTime() > messageEditMinutes * 60_000
  )
    throw new AppError('TOO_LATE', msg`A message can be changed for ${{ messageEditMinutes }} minutes`);
  if (message.isFirstWords)
    await deps.emit(tx, 'firstWords', { accountId: caller.accountId, receiverId: message.otherId, text, now });
  // Only a sender's first messages and those of held accounts are checked, because that is where scammers reveal themselves.
  const caution = (await isWatched(tx, row)) ? cautionFor(text) : null;
  return await changeMessage(tx, message, { body: text, edited_at: now, caution }, now);
}

/** Whether the receiver of a message is warned about its content. A held message is checked when it is delivered. */
async function isWatched(tx: Db, row: MessageRow): Promise<boolean> {
  return row.seq > 0 && ((await isHeld(tx, row.sender_id)) || (await isAmongFirst(tx, row)));
}

/** Whether a message is among its sender's first ones. It reads the conversation from its start, so it is used only for edits. */
async function isAmongFirst(tx: Db, { conversation_id, sender_id, seq }: MessageRow): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select count(*) < ${sql.lit(firstMessagesWatched)} as is from (
      select from (
        select sender_id from message where conversation_id = ${conversation_id}::uuid and seq < ${seq}::int order by seq offset 0
      ) earlier where sender_id = ${sender_id}::uuid limit ${sql.lit(firstMessagesWatched)}
    ) own`.execute(tx);
  return rows[0]?.is === true;
}

/**
 * Deletes the caller's message with its media for both people. Its sequence number stays and the text is kept for reports. Throws 404 if it isn't theirs
 * or is already deleted.
 */
export async function deleteMessage({ tx, caller, now }: CommandContext, place: MessagePlace): Promise<Written> {
  const message = await lockOwnMessage(tx, caller, place);
  await withdrawMedia(tx, message.row.media, now);
  const deleted = await changeMessage(tx, message, { body: null, media: null, deleted_at: now }, now);
  await tx
    .deleteFrom('message_reaction')
    .where('conversation_id', '=', deleted.row.conversation_id)
    .where('seq', '=', deleted.row.seq)
    .execute();
  await recordAct(tx, caller.accountId, { act: 'messageDeleted', subject: { clientId: deleted.row.client_id } }, now);
  if (deleted.row.seq > 0) await settleMessages(tx, deleted.otherId, deleted.row.conversation_id, now);
  return deleted;
}
