import { sql } from 'kysely';
import type { EmergencyKind } from '#contract/moderation/emergencies.ts';
import type { Reactions } from '../../../events.ts';
import type { Actor } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { insertCaseEvent, system } from '../work/case-event.ts';

/** How many emergencies from reports are paged one by one in each hour. A flood of them must not hide those that staff mark. */
const pagesPerHour = 5;
const hourMs = 3_600_000;

/** Whether reports have raised enough emergencies in this hour. Reports that are filed at the same time wait for each other. */
async function isFlood(tx: Db, now: Date): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtext('emergencies'))`.execute(tx);
  const { rows } = await sql<{ is_flood: boolean }>`
    select count(*) >= ${pagesPerHour} as is_flood from emergency
    where marked_by_name is null and marked_at >= ${new Date(now.getTime() - (now.getTime() % hourMs))}`.execute(tx);
  return rows[0]?.is_flood === true;
}

/**
 * Records an emergency of a locked case and pages the people on call, unless the same one was recorded since the case started. Without
 * `by`, it came from a report or a check; after five of these in an hour, one page covers all further ones. Returns whether it is new.
 */
export async function noteEmergency(
  tx: Db,
  { caseId, kind, by }: { caseId: string; kind: EmergencyKind; by?: Actor },
  now: Date,
): Promise<boolean> {
  const isGrouped = by === undefined && (await isFlood(tx, now));
  const { rows } = await sql<{ id: string }>`
    insert into emergency (case_id, kind, marked_at, marked_by_name, is_grouped, page_due_since)
    select id, ${kind}, ${now}::timestamptz, ${by?.name ?? null}, ${isGrouped}::boolean,
      ${now}::timestamptz from moderation_case c
    where id = ${caseId}::uuid
      and not exists (select from emergency e where e.case_id = c.id and e.kind = ${kind} and e.marked_at >= c.started_at)
    returning id`.execute(tx);
  const [noted] = rows;
  if (noted === undefined) return false;
  await insertCaseEvent(tx, { case_id: caseId, at: now, kind: 'emergency', to_value: kind }, by ?? system);
  if (!isGrouped)
    await addJob(tx, 'emergencies.page', { id: noted.id }, { jobKey: `emergencies.page ${noted.id}`, maxAttempts: 25 });
  return true;
}

export const emergencyReactions: Reactions = {
  async minorReported(tx, { caseId, now }) {
    await noteEmergency(tx, { caseId, kind: 'minor' }, now);
  },
};
