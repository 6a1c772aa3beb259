import type { CommandContext } from '../../../platform/http/mount.ts';
import { syncCase } from '../cases/case-row.ts';
import { lockCaseOf, recordOnReport, reportForStaff, updateReport } from './report-row.ts';

/** Deletes a report from all lists and responses; its data stays in the database. Throws 404, also the second time. */
export async function deleteReport(context: CommandContext, { id }: { id: string }): Promise<void> {
  const { tx, caller, now } = context;
  await lockCaseOf(tx, id);
  const { case_id } = await reportForStaff(tx, caller, id);
  await updateReport(tx, id, { deleted_at: now });
  await syncCase(tx, case_id, now);
  await recordOnReport(context, id, { action: 'report.deleted' });
}
