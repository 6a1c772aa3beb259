import { type RawBuilder, sql } from 'kysely';
import { countRows, type Db } from '../../platform/db/db.ts';
import { settle } from '../../platform/notify/notify.ts';
import type { Caller } from '../../platform/session/caller.ts';

export const unreadCountedMost = 100;

/** A member's conversations with unread messages, up to the counting limit. */
export function unreadOf(accountId: string): RawBuilder<unknown> {
  const side = (own: 'low' | 'high', other: 'low' | 'high') => sql`
    select c.id from conversation c
      join directory d on d.account_id = c.${sql.ref(`${other}_id`)} and d.is_shown
    where c.${sql.ref(`${own}_id`)} = ${accountId}::uuid and c.ended_at is null
      and c.last_seq > c.${sql.ref(`${own}_read`)}
      and exists (select from message m where m.conversation_id = c.id and m.seq > c.${sql.ref(`${own}_read`)}
        and m.sender_id <> ${accountId}::uuid and m.body is not null and m.removed_at is null)`;
  return sql`((${side('low', 'high')} limit ${unreadCountedMost}) union all (${side('high', 'low')} limit ${unreadCountedMost})) unread`;
}

/** How many of the caller's conversations have unread messages, counted up to 100. */
export const unreadConversations = (db: Db, { accountId }: Caller): Promise<number> =>
  countRows(db, unreadOf(accountId), unreadCountedMost);

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
