import { sql } from 'kysely';
import type { Db } from '#platform/db/db.ts';
import type { Attached, MessageRow } from './views.ts';

type AttachedRow = Pick<MessageRow, 'seq' | 'own_seq' | 'body' | 'media' | 'removed_at' | 'reply_to'> & {
  quoted: string | null;
  reactions: Attached['reactions'] | null;
};

/**
 * Everything that is shown with these messages of one conversation, by their `seq`. A quote has the current text of its message, so that a
 * deleted or removed one can't be read in an answer to it.
 */
export async function attachedTo(
  db: Db,
  conversationId: string,
  messages: readonly Pick<MessageRow, 'seq' | 'reply_to' | 'sender_id'>[],
): Promise<Map<number, Attached>> {
  if (messages.length === 0) return new Map();
  const id = sql`${conversationId}::uuid`;
  const { rows } = await sql<AttachedRow>`
    select l.seq, l.reply_to, m.own_seq, coalesce(m.sender_id, h.sender_id) as quoted, coalesce(m.body, h.body) as body,
      coalesce(m.media, h.media) as media, m.removed_at, (
        select json_agg(json_build_object('accountId', r.account_id, 'emoji', r.emoji) order by r.reacted_at, r.account_id)
        from message_reaction r where r.conversation_id = ${id} and r.seq = l.seq) as reactions
    from unnest(${messages.map(({ seq }) => seq)}::int[], ${messages.map(({ reply_to }) => reply_to)}::int[],
        ${messages.map(({ sender_id }) => sender_id)}::uuid[]) as l (seq, reply_to, sender_id)
      left join message m on m.conversation_id = ${id} and m.seq = l.reply_to
      left join held_message h on h.conversation_id = ${id} and h.sender_id = l.sender_id and h.n = -l.reply_to`.execute(
    db,
  );
  return new Map(
    rows.map(({ seq, reply_to, own_seq, quoted, body, media, removed_at, reactions }) => [
      seq,
      {
        reactions: reactions ?? [],
        quote:
          quoted === null || reply_to === null
            ? null
            : { seq: reply_to, own_seq, sender_id: quoted, body, media, removed_at },
      },
    ]),
  );
}
