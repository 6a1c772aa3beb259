import { sql } from 'kysely';
import { type HeldBack, heldTextsShown } from '#contract/moderation/holds.ts';
import { may } from '#contract/roles.ts';
import type { Db } from '#platform/db/db.ts';
import { seenBy } from '#platform/session/access.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import type { Viewer } from '../../profiles/public.ts';

/** The likes and messages of a held account that wait for a decision, as shown to staff. */
export async function heldBackOf(db: Db, viewer: Viewer, accountId: string): Promise<HeldBack> {
  const { rows: counts } = await sql<Omit<HeldBack, 'texts'>>`
    select count(*) filter (where is_like)::int as likes, count(*) filter (where not is_like)::int as messages,
      count(distinct receiver_id)::int as receivers
    from ${waiting(accountId)}`.execute(db);
  const { rows: texts } = await sql<{ text: string; count: number }>`
    select text, count(*)::int as count from ${waiting(accountId)} where text is not null
    group by text order by count desc, text limit ${heldTextsShown}`.execute(db);
  const { likes, messages, receivers } = counts[0] ?? { likes: 0, messages: 0, receivers: 0 };
  return { likes, messages, receivers, texts: may(viewer.staffRole, 'evidence.view') ? texts : null };
}

/**
 * The person to compare a held one with: the reporter of the newest open report of the case or, without one, the person who would receive
 * most of what is held back, named only to staff who may see evidence. Null if the viewer may not see that person.
 */
export async function comparedWith(
  db: Db,
  viewer: Viewer,
  held: { caseId: string; accountId: string },
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from (select id from (
    (select reporter_id as id, 0 as place from report where case_id = ${held.caseId}::uuid and status in ('pending', 'in_progress')
      and deleted_at is null and source not in ('own_initiative', 'automatic', 'outsider') and reporter_id is not null
      order by created_at desc limit 1)
    union all
    (select receiver_id, 1 from ${waiting(held.accountId)}
      where ${may(viewer.staffRole, 'evidence.view')}::boolean
      group by receiver_id order by count(*) desc, receiver_id limit 1)) known order by place limit 1) other
    where ${seenBy(viewer, 'person', 'id')}`.execute(db);
  return rows[0]?.id ?? null;
}

const waiting = (accountId: string) => sql`(
    select target_id as receiver_id, note as text, true as is_like from decision d
      join account_hold h on h.id = d.hold_id and h.account_id = d.viewer_id
    where d.viewer_id = ${accountId}::uuid and d.kind in ('held', 'like')
    union all
    select case when c.low_id = h.sender_id then c.high_id else c.low_id end, h.body, false
    from held_message h join conversation c on c.id = h.conversation_id
    where h.sender_id = ${accountId}::uuid and not h.is_dropped and h.body is not null
  ) waiting`;

/** How long after its end a person may know about a hold. */
const untoldDays = 7;

/**
 * The holds of an account that ended long ago, for its data export. It contains only the months in which they ended, because some holds
 * begin at the moment in which someone files a report, and end after a fixed time.
 */
export const endedHolds = (db: Db, accountId: string, now: Date) =>
  db
    .selectFrom('account_hold')
    .select([sql<string>`to_char(ended_at at time zone 'UTC', 'YYYY-MM')`.as('endedIn'), 'outcome'])
    .where('account_id', '=', accountId)
    .where('ended_at', '<=', secondsAfter(now, -untoldDays * 86_400))
    .orderBy('ended_at')
    .execute();
