import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import type { ReactionEmoji } from '#contract/messages/messages.ts';
import type { Db } from '#platform/db/db.ts';
import { AppError, notFound } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { attachedTo } from './attached.reads.ts';
import { lockConversation } from './conversation.ts';
import { seqOf } from './numbering.ts';
import type { MessageRow, Written } from './views.ts';

export interface GivenReaction {
  id: string;
  seq: string;
  /** Null removes the reaction. */
  emoji: ReactionEmoji | null;
}

/**
 * Replaces the caller's reaction to a message that they received, or removes it. It is never held, because both people have already
 * written. Throws 403 for staff and for the caller's own message, and the same 404 for any other message, including deleted and removed
 * ones.
 */
export async function react({ tx, caller, now }: CommandContext, { id, seq, emoji }: GivenReaction): Promise<Written> {
  const conversation = await lockConversation(tx, caller, id);
  const { ownNumbers, otherNumbers, ownId, sharesActivity } = conversation;
  if (!/^[1-9]\d{0,8}$/.test(seq)) throw notFound();
  const at = seqOf(ownNumbers, Number(seq));
  const row = await tx
    .selectFrom('message')
    .selectAll()
    .where('conversation_id', '=', id)
    .where('seq', '=', at)
    .executeTakeFirst();
  if (at < 1 || row?.sender_id === ownId) throw new AppError('FORBIDDEN', msg`You can react to messages you received`);
  if (row === undefined || row.body === null || row.removed_at !== null) throw notFound();
  const isChanged = await (emoji === null
    ? removeFrom(tx, row, ownId)
    : putOn(tx, row, { accountId: ownId, emoji, now }));
  const attached = (await attachedTo(tx, id, [row])).get(at);
  const message = { row, otherId: ownId, sharesActivity, senderNumbers: otherNumbers, otherNumbers: ownNumbers };
  return { ...message, attached, isChanged };
}

async function putOn(
  tx: Db,
  { conversation_id, seq }: MessageRow,
  { accountId, emoji, now }: { accountId: string; emoji: ReactionEmoji; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into message_reaction as r (conversation_id, seq, account_id, emoji, reacted_at)
    values (${conversation_id}::uuid, ${seq}::int, ${accountId}::uuid, ${emoji}, ${now})
    on conflict (conversation_id, seq, account_id) do update
      set emoji = excluded.emoji, reacted_at = excluded.reacted_at where r.emoji <> excluded.emoji
    returning r.seq`.execute(tx);
  return rows.length > 0;
}

async function removeFrom(tx: Db, { conversation_id, seq }: MessageRow, accountId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('message_reaction')
    .where('conversation_id', '=', conversation_id)
    .where('seq', '=', seq)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** A member's reactions for their data export, oldest first. */
export async function reactionsData(db: Db, accountId: string): Promise<object[]> {
  const { rows } = await sql<object>`
    select p.first_name as to, r.emoji, r.reacted_at as "reactedAt", m.sent_at as "messageSentAt"
    from message_reaction r join message m using (conversation_id, seq) join conversation c on c.id = r.conversation_id
      left join directory d on c.ended_at is null and d.is_shown and d.account_id = m.sender_id
      left join profile p on p.account_id = d.account_id
    where r.account_id = ${accountId}::uuid order by r.reacted_at, r.conversation_id, r.seq`.execute(db);
  return rows;
}
