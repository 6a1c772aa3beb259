import { sql } from 'kysely';
import type { Db } from '../../platform/db/db.ts';

interface OwnWords {
  /** The first name, if the two can still see each other. */
  to: string | null;
  sentAt: Date;
  editedAt: Date | null;
  /** Null if deleted. */
  text: string | null;
}

/** The messages a member wrote, for their data export, oldest first; not the ones they received. */
export async function messagesData(db: Db, accountId: string): Promise<OwnWords[]> {
  const { rows } = await sql<OwnWords>`
    select p.first_name as "to", m.sent_at as "sentAt", m.edited_at as "editedAt", m.body as text
    from message m join conversation c on c.id = m.conversation_id
      left join directory d on c.ended_at is null and d.is_shown
        and d.account_id = case when c.low_id = ${accountId}::uuid then c.high_id else c.low_id end
      left join profile p on p.account_id = d.account_id
    where m.sender_id = ${accountId}::uuid
    order by m.sent_at, m.conversation_id, m.seq`.execute(db);
  return rows;
}
