import { sql } from 'kysely';
import { actorOf } from '../../../platform/db/audit.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { Caller } from '../../../platform/session/caller.ts';
import type { LockedReport } from '../reports/report-row.ts';

/** Records one click on `resolved` or `rejected` as a decision without reasons. */
export async function recordQuickDecision(tx: Db, caller: Caller, report: LockedReport, now: Date): Promise<void> {
  if (report.case_id === null) return;
  const { id } = await tx
    .insertInto('case_decision')
    .values({
      case_id: report.case_id,
      kind: 'quick',
      outcome: null,
      rule_id: null,
      facts: null,
      source: 'notice',
      answer: null,
      decided_by: caller.accountId,
      decided_by_name: actorOf(caller).name,
      decided_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx.insertInto('case_decision_report').values({ decision_id: id, report_id: report.id }).execute();
}

/** Marks the newest one-click decision on a report as undone, with the status that it gave. */
export async function undoQuickDecision(tx: Db, reportId: string, now: Date): Promise<void> {
  await sql`
    update case_decision set undone_at = ${now} where id = (
      select d.id from case_decision d join case_decision_report r on r.decision_id = d.id
      where r.report_id = ${reportId}::uuid and d.kind = 'quick' and d.undone_at is null
      order by d.decided_at desc limit 1)`.execute(tx);
}
