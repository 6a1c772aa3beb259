import { sql } from 'kysely';
import { type CaseOpener, ownCaseDays, ownCaseShareFrom } from '#contract/moderation/own-cases.ts';
import type { Db } from '#platform/db/db.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { seenBy } from '#platform/session/access.ts';
import type { Viewer } from '../../profiles/public.ts';

interface OpenerRow {
  id: string;
  name: string;
  opened: number;
  decided: number;
  without_action: number;
}

/**
 * How many cases each colleague opened on their own initiative lately, and how many of the decided ones led to no action, by the newest
 * decision. A decision that an appeal reversed counts as no action.
 */
export async function ownCaseFigures(db: Db, { accountId }: Viewer, now: Date): Promise<CaseOpener[]> {
  const { rows } = await sql<OpenerRow>`
    select r.opened_by as id, (array_agg(r.opened_by_name order by r.opened_at desc))[1] as name,
      count(distinct r.case_id)::int as opened, count(distinct d.id)::int as decided,
      (count(distinct d.id) filter (where d.outcome in ('no_violation', 'unfounded') or d.undone_at is not null))::int as without_action
    from report r left join lateral (
      select d.id, d.outcome, d.undone_at from case_decision_report l join case_decision d on d.id = l.decision_id
      where l.report_id = r.id and d.kind = 'full' order by d.decided_at desc limit 1
    ) d on true
    where r.source = 'own_initiative' and r.opened_at > ${secondsAfter(now, -ownCaseDays * 86_400)}::timestamptz
      and ${seenBy({ accountId }, 'decision', 'r.case_id')}
    group by r.opened_by order by opened desc, id`.execute(db);
  return rows.map(({ id, name, opened, decided, without_action }) => ({
    _id: id,
    name,
    opened,
    decided,
    withoutAction: decided < ownCaseShareFrom ? null : without_action,
  }));
}
