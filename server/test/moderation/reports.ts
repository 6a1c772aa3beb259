import { randomUUID } from 'node:crypto';
import { decideCase } from '#contract/moderation/cases.ts';
import { createReport, type OwnReport, type ReportStatus } from '#contract/moderation/reports.ts';
import { replyToReport } from '#contract/moderation/staff-reports.ts';
import { getReportFile } from '#contract/moderation/report-file.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import { makeMember, makeModerator, type TestMember } from '../factories.ts';
import { placeDecision } from '../likes.ts';
import type { TestApp } from '../harness.ts';

type Given = Partial<BodyInput<typeof createReport>>;

/** Files a report by `reporter`; a bug by default. */
export async function fileReport(
  test: TestApp,
  reporter: TestMember,
  given: Given = {},
  headers: Record<string, string> = {},
): Promise<OwnReport> {
  const body = { problem_type: 'Bug Report' as const, description: 'The page stays white.', ...given };
  return (await test.call(createReport, { token: reporter.token, body, headers })).body.data.report;
}

/** A person whose report about this person may hold them: not a new member, and liked by the person. */
export async function makeLikedReporter(test: TestApp, person: Pick<TestMember, 'id'>): Promise<TestMember> {
  const reporter = await makeMember(test, { createdAt: new Date('2026-01-01T00:00:00.000Z') });
  await placeDecision(test, person, reporter, 'like');
  return reporter;
}

/** Moves a report to a status by any allowed steps. */
export async function putInStatus(test: TestApp, id: string, status: ReportStatus): Promise<void> {
  await test.db.updateTable('report').set({ status }).where('id', '=', id).execute();
}

/** Adds a reply to a report. */
export const answer = (test: TestApp, by: TestMember, id: string, message: string) =>
  test.call(replyToReport, { token: by.token, params: { id }, body: { message, isInternal: false } });

/** Leaves an internal note on a report. */
export const leaveNote = (test: TestApp, by: TestMember, id: string, message: string) =>
  test.call(replyToReport, { token: by.token, params: { id }, body: { message, isInternal: true } });

/** A report with everything staff see. */
export const fileOf = async (test: TestApp, staff: TestMember, id: string) =>
  (await test.call(getReportFile, { token: staff.token, params: { id } })).body.data;

/** The case of a report about a person. */
export async function caseIdOf(test: TestApp, reportId: string): Promise<string> {
  const row = await test.db.selectFrom('report').select('case_id').where('id', '=', reportId).executeTakeFirstOrThrow();
  return row.case_id ?? '';
}

/** The current version of a rule, by its clause. */
export async function currentRuleId(test: TestApp, clause = '2'): Promise<string> {
  const { id } = await test.db
    .selectFrom('community_rule')
    .select('id')
    .where('clause', '=', clause)
    .where('replaced_at', 'is', null)
    .executeTakeFirstOrThrow();
  return id;
}

/** Creates a decision that warned someone; returns its id. */
export async function warnedBy(test: TestApp, accountId: string): Promise<string> {
  const now = test.clock.now();
  const opened = { priority: 'high' as const, opened_at: now, updated_at: now, started_at: now };
  const { id: caseId } = await test.db
    .insertInto('moderation_case')
    .values({ person_id: accountId, stage: 'decided', ...opened })
    .onConflict((conflict) => conflict.column('person_id').doUpdateSet({ updated_at: now }))
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id } = await test.db
    .insertInto('case_decision')
    .values({
      case_id: caseId,
      kind: 'full',
      outcome: 'actioned',
      rule_id: await currentRuleId(test),
      facts: 'Wrote forty insults in a row to a person who asked for silence.',
      source: 'notice',
      answer: null,
      decided_by: randomUUID(),
      decided_by_name: 'Mo Ek',
      decided_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const strikes = { strikes: 1, strikes_until: new Date(now.getTime() + 86_400_000) };
  await test.db
    .insertInto('sanction')
    .values({
      account_id: accountId,
      decision_id: id,
      kind: 'warn',
      reason: 'x',
      created_by_name: 'Mo Ek',
      starts_at: now,
      ...strikes,
    })
    .execute();
  return id;
}

/** Creates someone's appeal against a warning; returns its id. */
export async function appealedBy(test: TestApp, accountId: string): Promise<string> {
  const decision = await test.db
    .selectFrom('case_decision')
    .select(['id', 'case_id', 'decided_by'])
    .where('id', '=', await warnedBy(test, accountId))
    .executeTakeFirstOrThrow();
  const { id } = await test.db
    .insertInto('appeal')
    .values({
      decision_id: decision.id,
      case_id: decision.case_id,
      party: 'person',
      account_id: accountId,
      plea: 'It was a joke.',
      submitted_at: test.clock.now(),
      due_at: test.clock.now(),
      decided_by: decision.decided_by,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The token in the email about a decision that suspended a new member. */
export async function appealTokenOf(test: TestApp): Promise<string> {
  const person = await makeMember(test);
  const report = await fileReport(test, await makeMember(test), { problem_type: 'Other', reportedUser: person.id });
  await test.call(decideCase, {
    token: (await makeModerator(test)).token,
    params: { id: await caseIdOf(test, report._id) },
    body: {
      outcome: 'actioned',
      ruleId: await currentRuleId(test),
      facts: 'Wrote forty insults in a row to a person who asked for silence.',
      sanctions: [{ kind: 'suspend', days: 7 }],
    },
  });
  const [mail] = await test.outbox(person.email);
  return new URL(mail?.links[0] ?? '').hash.slice(1);
}
