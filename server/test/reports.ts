import { createReport, getReportFile, replyToReport } from '#contract/moderation/reports.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import type { OwnReport, ReportStatus } from '#contract/moderation/report.ts';
import type { TestMember } from './factories.ts';
import type { TestApp } from './harness.ts';

type Given = Partial<BodyInput<typeof createReport>>;

/** Files a report by `reporter`: a bug by default. */
export async function fileReport(test: TestApp, reporter: TestMember, given: Given = {}): Promise<OwnReport> {
  const body = { problem_type: 'Bug Report' as const, description: 'The page stays white.', ...given };
  return (await test.call(createReport, { token: reporter.token, body })).body.data.report;
}

/** Moves a report to a status by any allowed steps. */
export async function putInStatus(test: TestApp, id: string, status: ReportStatus): Promise<void> {
  await test.db.updateTable('report').set({ status }).where('id', '=', id).execute();
}

/** Answers on a report. */
export const answer = (test: TestApp, by: TestMember, id: string, message: string, isInternal = false) =>
  test.call(replyToReport, { token: by.token, params: { id }, body: { message, isInternal } });

/** A report with everything staff see. */
export const fileOf = async (test: TestApp, staff: TestMember, id: string) =>
  (await test.call(getReportFile, { token: staff.token, params: { id } })).body.data;

/** The case of a report about a person. */
export async function caseIdOf(test: TestApp, reportId: string): Promise<string> {
  const row = await test.db.selectFrom('report').select('case_id').where('id', '=', reportId).executeTakeFirstOrThrow();
  return row.case_id ?? '';
}
