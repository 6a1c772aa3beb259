import { sql } from 'kysely';
import type { EmergencyKind } from '#contract/moderation/emergencies.ts';
import type { Actor } from '../../../platform/db/audit.ts';
import type { Db } from '../../../platform/db/db.ts';
import { addJob } from '../../../platform/jobs/jobs.ts';
import { insertCaseEvent, system } from '../cases/case-event.ts';

/**
 * Notes an emergency of a locked case and pages the people on call, unless the same was noted since the case started. Without `by`, a report
 * said so. Returns whether it is new.
 */
export async function noteEmergency(
  tx: Db,
  { caseId, kind, by }: { caseId: string; kind: EmergencyKind; by?: Actor },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    insert into emergency (case_id, kind, marked_at, marked_by_name)
    select id, ${kind}, ${now}::timestamptz, ${by?.name ?? null} from moderation_case c where id = ${caseId}::uuid
      and not exists (select from emergency e where e.case_id = c.id and e.kind = ${kind} and e.marked_at >= c.started_at)
    returning id`.execute(tx);
  const [noted] = rows;
  if (noted === undefined) return false;
  await insertCaseEvent(tx, { case_id: caseId, at: now, kind: 'emergency', to_value: kind }, by ?? system);
  await addJob(tx, 'emergencies.page', { id: noted.id }, { jobKey: `emergencies.page ${noted.id}`, maxAttempts: 25 });
  return true;
}
