import { type RawBuilder, sql } from 'kysely';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type { readMessages } from '#contract/messages/messages.ts';
import { countRows, type Db } from '#platform/db/db.ts';
import { settle } from '#platform/notify/notify.ts';
import type { Caller } from '#platform/session/caller.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { lockConversation, type OwnConversation } from './conversation.ts';
import { numberOf, seqOf } from './numbering.ts';
import { notSnoozed } from './snooze.ts';
import type { Openness } from './views.ts';

export const unreadCountedMost = 100;

/** A member's conversations with unread messages apart from snoozed ones, up to the counting limit. */
export function unreadOf(accountId: string, now: Date): RawBuilder<unknown> {
  const side = (own: 'low' | 'high', other: 'low' | 'high') => sql`
    select c.id from conversation c
      join directory d on d.account_id = c.${sql.ref(`${other}_id`)} and d.is_shown
    where c.${sql.ref(`${own}_id`)} = ${accountId}::uuid and c.ended_at is null and ${notSnoozed(sql.ref(`c.${own}_snoozed_until`), now)}
      and c.last_seq > c.${sql.ref(`${own}_read`)}
      and exists (select from message m where m.conversation_id = c.id and m.seq > c.${sql.ref(`${own}_read`)}
        and m.sender_id <> ${accountId}::uuid and m.body is not null and m.removed_at is null)`;
  return sql`((${side('low', 'high')} limit ${unreadCountedMost}) union all (${side('high', 'low')} limit ${unreadCountedMost})) unread`;
}

/** How many of a member's conversations have unread messages, counted up to 100. */
export const unreadConversations = (db: Db, { accountId }: Pick<Caller, 'accountId'>, now: Date): Promise<number> =>
  countRows(db, unreadOf(accountId, now), unreadCountedMost);

/** Removes a member's notification about messages once none in the conversation is unread, because they were read, deleted or removed. */
export async function settleMessages(tx: Db, accountId: string, conversationId: string, now: Date): Promise<void> {
  if (await hasUnread(tx, accountId, conversationId)) return;
  await settle(tx, { accountId, kind: 'message', subjectId: conversationId }, now);
}

/** Whether a member has unread messages in a conversation that still exists. */
async function hasUnread(db: Db, accountId: string, conversationId: string): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select exists (select from conversation c join message m on m.conversation_id = c.id
      where c.id = ${conversationId}::uuid and m.sender_id <> ${accountId}::uuid and m.body is not null and m.removed_at is null
        and m.seq > case when c.low_id = ${accountId}::uuid then c.low_read else c.high_read end) as is`.execute(db);
  return rows[0]?.is === true;
}

/** A read mark that may have moved, and whether the other person may see it, because it shows when the reader was active. */
interface ReadMark extends Openness {
  /** The number for the reader, and for the other person. */
  seq: number;
  otherSeq: number;
  otherId: string;
  isNew: boolean;
}

/** Moves the caller's read mark forward, at most to the newest message. Throws 403 for staff, 404 if it isn't their match. */
export async function markRead(
  { tx, caller, now }: CommandContext,
  given: ParamsOf<typeof readMessages> & BodyOf<typeof readMessages>,
): Promise<ReadMark> {
  const { id } = given;
  const conversation = await lockConversation(tx, caller, id);
  const { isLow, ownRead, last_seq, otherId, sharesActivity, ownNumbers, otherNumbers } = conversation;
  if (last_seq === 0 && ownNumbers.held > 0) return await markHeldRead(tx, conversation, given.seq, now);
  const seq = Math.max(ownRead, Math.min(seqOf(ownNumbers, given.seq), last_seq));
  const seen = { seq: numberOf(ownNumbers, seq), otherSeq: numberOf(otherNumbers, seq) };
  const mark = { ...seen, otherId, sharesActivity };
  if (seq === ownRead) return { ...mark, isNew: false };
  await tx
    .updateTable('conversation')
    .set(isLow ? { low_read: seq } : { high_read: seq })
    .where('id', '=', id)
    .execute();
  await tx
    .updateTable('message')
    .set({ read_at: now, is_read_hidden: sharesActivity ? null : true })
    .where('conversation_id', '=', id)
    .where('seq', '>', ownRead)
    .where('seq', '<=', seq)
    .where('sender_id', '=', otherId)
    .execute();
  await settle(tx, { accountId: caller.accountId, kind: 'match', subjectId: id }, now);
  await settleMessages(tx, caller.accountId, id, now);
  return { ...mark, isNew: true };
}

/** Moves the read mark among the caller's own messages that no one received, as it moves among delivered ones. */
async function markHeldRead(tx: Db, conversation: OwnConversation, given: number, now: Date): Promise<ReadMark> {
  const { id, isLow, ownId, otherId, ownNumbers, low_held_read, high_held_read } = conversation;
  const before = isLow ? low_held_read : high_held_read;
  const seq = Math.max(before, Math.min(given, ownNumbers.held));
  if (seq > before) {
    await tx
      .updateTable('conversation')
      .set(isLow ? { low_held_read: seq } : { high_held_read: seq })
      .where('id', '=', id)
      .execute();
    await settle(tx, { accountId: ownId, kind: 'match', subjectId: id }, now);
  }
  // The other person must not learn that there is something to read.
  return { seq, otherSeq: 0, otherId, sharesActivity: false, isNew: seq > before };
}
