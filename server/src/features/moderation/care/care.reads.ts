import { sql } from 'kysely';
import { type Care, sensitive, sensitivePerDay } from '#contract/moderation/care.ts';
import type { Db } from '#platform/db/db.ts';
import { dayOf } from '#platform/process/clock.ts';

/** Whether the evidence of the case with this id may be hard to look at. */
export const isSensitiveCase = (caseId: string) => sql<boolean>`(
  exists (select from report r left join outsider_notice n on n.report_id = r.id where r.case_id = ${sql.ref(caseId)}
    and (r.may_be_minor or r.problem_type = any (${sensitive.reports}::text[]) or n.type = any (${sensitive.notices}::text[])))
  or exists (select from emergency e where e.case_id = ${sql.ref(caseId)} and e.kind = any (${sensitive.emergencies}::text[])))`;

/** How many difficult cases someone has opened since midnight UTC, according to the audit trail. */
export async function careFor(db: Db, accountId: string, now: Date): Promise<Care> {
  const midnight = `${dayOf(now)}T00:00:00Z`;
  const { rows } = await sql<{ opened: number }>`
    select count(*)::int as opened from (
      select distinct target_id from audit_event
      where actor_id = ${accountId}::uuid and action = 'case.read' and at >= ${midnight}::timestamptz
    ) read where ${isSensitiveCase('read.target_id')}`.execute(db);
  const opened = rows[0]?.opened ?? 0;
  return { opened, most: sensitivePerDay, isOver: opened >= sensitivePerDay };
}
