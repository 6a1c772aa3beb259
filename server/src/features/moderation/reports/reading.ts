import type { AnswerOf } from '#contract/endpoint.ts';
import type { OwnReport, ReportReply, StaffReport } from '#contract/moderation/report.ts';
import type { getReportFile } from '#contract/moderation/reports.ts';
import type { Caller } from '../../../platform/session/caller.ts';
import { inTransaction, type Db } from '../../../platform/db/db.ts';
import type { MediaAddresses } from '../../../platform/session/media-address.ts';
import { evidenceOf } from './evidence.ts';
import { historyOfReported, historyOfReporter, timelineOf } from './file.reads.ts';
import { asOn, conversationSeenBy, ownReport, seenRow, staffReport } from './reads.ts';
import { recordOnReport } from './reports.ts';

/** One report as the caller may see it; a reading by staff leaves an audit row with the answer. 404 for what is not theirs to see. */
export async function openReport(db: Db, caller: Caller, id: string, now: Date): Promise<StaffReport | OwnReport> {
  const { staffRole } = await asOn(db, caller, id);
  if (staffRole === null) return await ownReport(db, caller, id);
  return await inTransaction(db, async (tx) => {
    const report = await staffReport(tx, caller, id, now);
    await recordOnReport(tx, caller, id, { action: 'report.read' }, now);
    return report;
  });
}

/** Everything said on a report, oldest first, its description first; audited as `openReport`. 404. */
export async function openConversation(db: Db, caller: Caller, id: string, now: Date): Promise<ReportReply[]> {
  return await inTransaction(db, async (tx) => {
    const viewer = await asOn(tx, caller, id);
    const conversation = await conversationSeenBy(tx, viewer, id);
    if (viewer.staffRole !== null) await recordOnReport(tx, caller, id, { action: 'report.read' }, now);
    return conversation;
  });
}

/** A report with all that staff decide by: evidence, timeline, both people's history; leaves an audit row. 404. */
export async function openReportFile(
  db: Db,
  caller: Caller,
  id: string,
  addresses: MediaAddresses,
  now: Date,
): Promise<AnswerOf<typeof getReportFile>['data']> {
  return await inTransaction(db, async (tx) => {
    const row = await seenRow(tx, caller, id);
    await recordOnReport(tx, caller, id, { action: 'report.read' }, now);
    return {
      report: await staffReport(tx, caller, id, now),
      evidence: await evidenceOf(tx, id, caller.accountId, addresses, now),
      timeline: await timelineOf(tx, row),
      reporter: await historyOfReporter(tx, row, caller),
      reported: await historyOfReported(tx, row, caller),
    };
  });
}
