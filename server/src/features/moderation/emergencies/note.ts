import { sql } from 'kysely';
import type { EmergencyKind } from '#contract/moderation/emergencies.ts';
import type { Actor } from '../../../platform/db/audit.ts';
import type { Db } from '../../../platform/db/db.ts';
import { addJob } from '../../../platform/jobs/jobs.ts';
import { insertCaseEvent, system } from '../cases/case-event.ts';

/** How many emergencies in each hour are paged because a notice from outside said so: a flood of them must not drown the others. */
const outsidePagesPerHour = 5;
const hourMs = 3_600_000;

/** Whether an emergency noted now comes from a notice from outside after enough others. */
async function isFlood(tx: Db, id: string, now: Date): Promise<boolean> {
  const { rows } = await sql<{ is_flood: boolean }>`
    select count(distinct e.id) > ${outsidePagesPerHour} and bool_or(e.id = ${id}::uuid) as is_flood
    from report r join emergency e on e.case_id = r.case_id and e.marked_at = r.created_at and e.marked_by_name is null
    where r.source = 'outsider' and r.deleted_at is null
      and r.created_at >= ${new Date(now.getTime() - (now.getTime() % hourMs))}`.execute(tx);
  return rows[0]?.is_flood === true;
}

/**
 * Notes an emergency of a locked case and pages the people on call, unless the same was noted since the case started, or too many
 * outsiders say so. Without `by`, a report said so. Returns whether it is new.
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
  if (!(await isFlood(tx, noted.id, now)))
    await addJob(tx, 'emergencies.page', { id: noted.id }, { jobKey: `emergencies.page ${noted.id}`, maxAttempts: 25 });
  return true;
}
