import {
  firstMessagesPerDay,
  firstMessagesWatched,
  messageEditMinutes,
  youngAccountHours,
} from '#contract/constants.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { sendMessage } from '#contract/messages.ts';
import { sql } from 'kysely';
import { addJob } from '../../platform/jobs/jobs.ts';
import { type Caller, requireMember } from '../../platform/session/caller.ts';
import { isUuid } from '../../platform/db/uuid.ts';
import { AppError, notFound } from '../../platform/http/app-error.ts';
import { inTransaction, type Db } from '../../platform/db/db.ts';
import { settle } from '../../platform/notify/notify.ts';
import { cautionFor } from './caution.ts';
import {
  countFirstMessage,
  hasUnread,
  isAmongFirst,
  messageByClientId,
  type MessageRow,
  openConversation,
  type OwnConversation,
  ownMessage,
  type Openness,
  type Writing,
  writingIn,
  type WrittenMessage,
} from './writing.ts';

const hourMs = 3_600_000;

/** A message of the caller that was written or changed. */
export interface Written extends WrittenMessage {
  /** It already existed. */
  isKnown: boolean;
}

/** The caller's conversation, locked; the same 404 for no match, an ended one, another member's, or a hidden person. */
async function hold(tx: Db, caller: Caller, matchId: string): Promise<OwnConversation> {
  requireMember(caller);
  const conversation = await openConversation(tx, caller.accountId, matchId, true);
  if (conversation === undefined) throw notFound();
  return conversation;
}

/**
 * Appends a message to its conversation and notifies the receiver; batched via `together` unless it needs a transaction. Sending the
 * same `clientId` again returns the existing message, even if it was edited. 404 if it isn't the caller's match, 409 if the `clientId`
 * is used in another conversation, 422 for a young account at its daily limit of new conversations.
 */
export async function send(
  db: Db,
  together: Writing,
  caller: Caller,
  matchId: string,
  { clientId, text }: BodyOf<typeof sendMessage>,
  now: Date,
): Promise<Written> {
  const isYoung = now.getTime() - caller.createdAt.getTime() < youngAccountHours * hourMs;
  if (isYoung && !db.isTransaction)
    return await inTransaction(db, (tx) => send(tx, together, caller, matchId, { clientId, text }, now));
  requireMember(caller);
  const writing = db.isTransaction ? writingIn(db) : together;
  const conversation = isUuid(matchId)
    ? await writing.conversation({ accountId: caller.accountId, matchId })
    : undefined;
  if (conversation === undefined) throw notFound();
  const { otherId, last_seq, ownSent, sharesActivity } = conversation;
  if (last_seq === 0) await requireUnlimited(db, caller);
  if (isYoung && last_seq === 0) await requireFirst(db, caller, now);
  const message = {
    conversation_id: conversation.id,
    sender_id: caller.accountId,
    client_id: clientId,
    body: text,
    sent_at: now,
  };
  const place = await writing.append({
    ...message,
    receiver_id: otherId,
    suspicion: ownSent < firstMessagesWatched ? cautionFor(text) : null,
  });
  if (place === undefined) throw notFound();
  if (place.seq === null)
    return { row: await knownMessage(db, caller, conversation.id, clientId), otherId, sharesActivity, isKnown: true };
  const unchanged = { edited_at: null, deleted_at: null, removed_at: null, read_at: null, is_read_hidden: null };
  return {
    row: { ...message, ...unchanged, seq: place.seq, caution: place.caution },
    otherId,
    sharesActivity,
    isKnown: false,
  };
}

/** The caller's existing message with this `clientId`; 409 if it is in another conversation. */
async function knownMessage(tx: Db, caller: Caller, matchId: string, clientId: string): Promise<MessageRow> {
  const known = await messageByClientId(tx, caller.accountId, clientId);
  if (known === undefined) throw new Error('the message reported as existing was not found');
  if (known.conversation_id !== matchId) throw new AppError('CONFLICT', 'This clientId was used in another match');
  return known;
}

/** The warning for a text; only a sender's first messages are checked, where scammers reveal themselves. */
async function cautionAt(tx: Db, matchId: string, { accountId }: Caller, seq: number, text: string) {
  return (await isAmongFirst(tx, matchId, accountId, seq)) ? cautionFor(text) : null;
}

/** Throws 403 while a sanction keeps the caller from starting conversations. */
async function requireUnlimited(db: Db, { accountId }: Caller): Promise<void> {
  const account = await db
    .selectFrom('account')
    .select('is_messaging_limited')
    .where('id', '=', accountId)
    .executeTakeFirst();
  if (account?.is_messaging_limited === true)
    throw new AppError(
      'FORBIDDEN',
      "You can't start new conversations at the moment. See the decisions about your account.",
    );
}

/** Counts conversations started by a young account; 422 at its daily limit. */
async function requireFirst(tx: Db, caller: Caller, now: Date): Promise<void> {
  if (!(await countFirstMessage(tx, caller.accountId, firstMessagesPerDay, now)))
    throw new AppError(
      'FIRST_MESSAGES_USED_UP',
      `On your first day you can write to ${firstMessagesPerDay} people. Those who answer you can always write back and forth.`,
    );
}

interface OwnMessage extends WrittenMessage {
  body: string;
}

/** The caller's own existing message, locked; 404 for any other. */
async function own(tx: Db, caller: Caller, matchId: string, place: string): Promise<OwnMessage> {
  const { otherId, sharesActivity } = await hold(tx, caller, matchId);
  const isPlace = /^[1-9]\d{0,8}$/.test(place);
  const row = isPlace ? await ownMessage(tx, matchId, Number(place), caller.accountId) : undefined;
  if (row === undefined || row.body === null) throw notFound();
  return { row, body: row.body, otherId, sharesActivity };
}

/** Edits the caller's message within five minutes (422 afterwards); the earlier text is kept for reports. */
export async function edit(
  tx: Db,
  caller: Caller,
  matchId: string,
  place: string,
  text: string,
  now: Date,
): Promise<Written> {
  const message = await own(tx, caller, matchId, place);
  const { row, body } = message;
  if (body === text) return { ...message, isKnown: true };
  if (row.removed_at !== null || now.getTime() - row.sent_at.getTime() > messageEditMinutes * 60_000)
    throw new AppError('TOO_LATE', `A message can be changed for ${messageEditMinutes} minutes`);
  const caution = await cautionAt(tx, matchId, caller, row.seq, text);
  return await change(tx, message, { body: text, edited_at: now, caution }, now);
}

/** Deletes the caller's message for both people; its sequence number stays and the text is kept for reports. */
export async function remove(tx: Db, caller: Caller, matchId: string, place: string, now: Date): Promise<Written> {
  const message = await own(tx, caller, matchId, place);
  const written = await change(tx, message, { body: null, deleted_at: now }, now);
  await settleMessages(tx, written.otherId, matchId, now);
  return written;
}

/**
 * Takes a message away from the other person, by a decision; its sender still sees it. Returns its conversation; undefined if it has
 * changed since it was reported, or is gone or removed already.
 */
export async function hideMessage(
  tx: Db,
  {
    senderId,
    otherId,
    seq,
    sentAt,
    text,
  }: { senderId: string; otherId: string | null; seq: number; sentAt: string; text: string },
  now: Date,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    update message m set removed_at = ${now} from conversation c
    where c.id = m.conversation_id and c.low_id = least(${senderId}::uuid, ${otherId}::uuid)
      and c.high_id = greatest(${senderId}::uuid, ${otherId}::uuid) and m.sender_id = ${senderId}::uuid and m.seq = ${seq}
      and m.sent_at = ${sentAt}::timestamptz and m.body = ${text} and m.removed_at is null
    returning c.id`.execute(tx);
  const id = rows[0]?.id;
  if (id !== undefined && otherId !== null) {
    await announceLater(tx, id, seq);
    await settleMessages(tx, otherId, id, now);
  }
  return id;
}

/** A message of this sender as `hideMessage` takes it; undefined if there is none. */
export async function messageAt(tx: Db, senderId: string, conversationId: string, seq: number) {
  const { rows } = await sql<{ other_id: string; sent_at: Date; body: string }>`
    select case when c.low_id = m.sender_id then c.high_id else c.low_id end as other_id, m.sent_at, m.body
    from message m join conversation c on c.id = m.conversation_id
    where c.id = ${conversationId}::uuid and m.seq = ${seq} and m.sender_id = ${senderId}::uuid and m.body is not null`.execute(
    tx,
  );
  const [row] = rows;
  return row && { senderId, otherId: row.other_id, seq, sentAt: row.sent_at.toISOString(), text: row.body };
}

/** Shows a message again that a decision had removed. */
export async function showMessage(tx: Db, conversationId: string, seq: number): Promise<void> {
  await tx
    .updateTable('message')
    .set({ removed_at: null })
    .where('conversation_id', '=', conversationId)
    .where('seq', '=', seq)
    .execute();
  await announceLater(tx, conversationId, seq);
}

/** After the commit, both people receive the message as they see it now. */
const announceLater = (tx: Db, conversationId: string, seq: number) =>
  addJob(tx, 'messages.announce', { conversationId, seq }, { jobKey: `messages.announce ${conversationId} ${seq}` });

async function change(
  tx: Db,
  { row, body, otherId, sharesActivity }: OwnMessage,
  changes: Partial<MessageRow>,
  now: Date,
): Promise<Written> {
  const place = { conversation_id: row.conversation_id, seq: row.seq };
  await tx
    .insertInto('message_trace')
    .values({ ...place, replaced_at: now, body })
    .execute();
  await tx
    .updateTable('message')
    .set(changes)
    .where('conversation_id', '=', row.conversation_id)
    .where('seq', '=', row.seq)
    .execute();
  return { row: { ...row, ...changes }, otherId, sharesActivity, isKnown: false };
}

/** A read mark that may have moved, and whether the other person may learn of it: it tells when the reader was here. */
interface ReadMark extends Openness {
  seq: number;
  otherId: string;
  isNew: boolean;
}

/** Moves the caller's read mark forward, at most to the newest message. */
export async function read(tx: Db, caller: Caller, matchId: string, upTo: number, now: Date): Promise<ReadMark> {
  const { ownRead, last_seq, low_id, otherId, sharesActivity } = await hold(tx, caller, matchId);
  const seq = Math.max(ownRead, Math.min(upTo, last_seq));
  if (seq === ownRead) return { seq, otherId, sharesActivity, isNew: false };
  await tx
    .updateTable('conversation')
    .set(low_id === caller.accountId ? { low_read: seq } : { high_read: seq })
    .where('id', '=', matchId)
    .execute();
  await tx
    .updateTable('message')
    .set({ read_at: now, is_read_hidden: sharesActivity ? null : true })
    .where('conversation_id', '=', matchId)
    .where('seq', '>', ownRead)
    .where('seq', '<=', seq)
    .where('sender_id', '=', otherId)
    .execute();
  await settle(tx, { accountId: caller.accountId, kind: 'match', subjectId: matchId }, now);
  await settleMessages(tx, caller.accountId, matchId, now);
  return { seq, otherId, sharesActivity, isNew: true };
}

/** Removes the notification once no message is unread, whether read or deleted. */
async function settleMessages(tx: Db, accountId: string, matchId: string, now: Date): Promise<void> {
  if (!(await hasUnread(tx, accountId, matchId)))
    await settle(tx, { accountId, kind: 'message', subjectId: matchId }, now);
}

/** Who may see that a member is writing in a match: the other person, unless one of the two hides when they were here. */
export async function whoSeesTyping(db: Db, accountId: string, matchId: string): Promise<string | undefined> {
  const conversation = await openConversation(db, accountId, matchId, false);
  return conversation?.sharesActivity === true ? conversation.otherId : undefined;
}
