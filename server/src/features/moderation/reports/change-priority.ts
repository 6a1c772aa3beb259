import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type { StaffReport, changeReport } from '#contract/moderation/reports.ts';
import type { CommandContext } from '../../../platform/http/mount.ts';
import { syncCase } from '../cases/case-row.ts';
import { dueAt } from './policy.ts';
import { staffReport } from './reads.ts';
import { insertEvent, lockCaseOf, recordOnReport, reportForStaff, staffActor, updateReport } from './report-row.ts';

/** Changes a report's priority and with it the response deadline. Setting the same priority again records nothing. Throws 404. */
export async function changePriority(
  context: CommandContext,
  { id, priority: to, reason }: ParamsOf<typeof changeReport> & BodyOf<typeof changeReport>,
): Promise<StaffReport> {
  const { tx, caller, now } = context;
  await lockCaseOf(tx, id);
  const { priority: from, created_at, case_id } = await reportForStaff(tx, caller, id);
  if (from !== to) {
    await updateReport(tx, id, { priority: to, due_at: dueAt(created_at, to) });
    const event = { report_id: id, at: now, kind: 'priority', from_value: from, to_value: to, reason } as const;
    await insertEvent(tx, { ...event, ...staffActor(caller) });
    const changes = { priority: { from, to } };
    await recordOnReport(context, id, { action: 'report.priorityChanged', reason, changes });
    await syncCase(tx, case_id, now);
  }
  return await staffReport(tx, caller, id, now);
}
