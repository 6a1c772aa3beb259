import { sql } from 'kysely';
import type { BodyOf } from '#contract/endpoint.ts';
import type { decideCase } from '#contract/moderation/cases.ts';
import type { decisionKinds, DecisionOutcome, DecisionSource } from '#contract/moderation/decisions.ts';
import { isWithoutReporter } from '#contract/moderation/staff-reports.ts';
import { againAnswer, usualAnswers } from '#contract/moderation/usual-answers.ts';
import { actorOf } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { textOf } from '#platform/texts.ts';
import type { Reactions } from '../../../events.ts';
import type { CaseRow, StaffContext } from '../work/case-row.ts';
import { lockHold } from '../holds/hold.ts';
import { changeReports, type LockedReport } from '../reports/report-row.ts';
import { statusOf } from './policy.ts';

type Given = BodyOf<typeof decideCase>;

/**
 * How a case came to light unless the decision says otherwise: on our own initiative if no one else reported anything, and through software
 * if an automatic rule hit the person, or their messages are held because of a rule or a link to a ban.
 */
export async function usualOrigin(
  tx: Db,
  { person_id }: CaseRow,
  reports: readonly LockedReport[],
): Promise<{ source: DecisionSource; isDetectionAutomated: boolean }> {
  const isOwn = reports.length > 0 && reports.every(({ source }) => isWithoutReporter(source) && source !== 'outsider');
  const hold = person_id === null ? undefined : await lockHold(tx, person_id);
  const isDetectionAutomated =
    reports.some(({ source }) => source === 'automatic') || (hold !== undefined && hold.cause !== 'critical_case');
  return { source: isOwn ? 'own_initiative' : 'notice', isDetectionAutomated };
}

/** Writes a decision and returns its id. Only a full one has an outcome and an answer to reporters. */
export async function insertDecision(
  { tx, caller, now }: StaffContext,
  caseId: string,
  { kind, ...given }: Partial<Given> & { kind: (typeof decisionKinds)[number] },
): Promise<string> {
  const outcome = kind === 'full' ? (given.outcome ?? null) : null;
  const { id } = await tx
    .insertInto('case_decision')
    .values({
      case_id: caseId,
      kind,
      outcome,
      rule_id: given.ruleId ?? null,
      facts: given.facts ?? null,
      source: given.source ?? 'notice',
      is_detection_automated: given.isDetectionAutomated ?? false,
      answer: outcome === null ? null : (given.answer ?? textOf(usualAnswers[outcome], {}, 'en')),
      decided_by: caller.accountId,
      decided_by_name: actorOf(caller).name,
      decided_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The open reports of a case, locked. */
export function openReports(tx: Db, caseId: string): Promise<LockedReport[]> {
  return tx
    .selectFrom('report')
    .selectAll()
    .where('case_id', '=', caseId)
    .where('deleted_at', 'is', null)
    .where('status', 'in', ['pending', 'in_progress'])
    .orderBy('created_at')
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** The newest decision about each of these reports, except one-click decisions that were undone. */
async function earlierDecisions(tx: Db, reportIds: string[]) {
  const { rows } = await sql<{ report_id: string; outcome: DecisionOutcome | null; isUndone: boolean }>`
    select distinct on (l.report_id) l.report_id, d.outcome, d.undone_at is not null as "isUndone"
    from case_decision_report l join case_decision d on d.id = l.decision_id
    where l.report_id = any (${reportIds}::uuid[]) and (d.kind = 'full' or d.undone_at is null)
    order by l.report_id, d.decided_at desc`.execute(tx);
  return new Map(rows.map((row) => [row.report_id, row]));
}

/** Sets the outcome of a case's reports and answers their reporters. */
export async function closeReports(
  context: CommandContext,
  reports: LockedReport[],
  { decisionId, given }: { decisionId: string; given: Given },
): Promise<void> {
  const { tx, now } = context;
  const ids = reports.map(({ id }) => id);
  const earlier = await earlierDecisions(tx, ids);
  await sql`insert into case_decision_report (decision_id, report_id)
    select ${decisionId}::uuid, unnest(${ids}::uuid[])`.execute(tx);
  await sql`update outsider_notice set answer_due_since = ${now} where report_id = any (${ids}::uuid[])`.execute(tx);
  const changes = reports.map((report) => {
    const again = againAnswer(earlier.get(report.id), given.outcome);
    const texts = [...(again === null ? [] : [again]), given.answer ?? usualAnswers[given.outcome]];
    return { report, message: texts, to: statusOf(given.outcome) };
  });
  await changeReports(context, changes);
}

export const decisionReactions: Reactions = {
  // One click is a decision without reasons.
  async closedInOneClick(tx, { reportId, caseId, by, now }) {
    if (caseId === null) return;
    const id = await insertDecision({ tx, caller: by, now }, caseId, { kind: 'quick' });
    await tx.insertInto('case_decision_report').values({ decision_id: id, report_id: reportId }).execute();
  },
  async oneClickUndone(tx, { reportId, now }) {
    await sql`
      update case_decision set undone_at = ${now} where id = (
        select d.id from case_decision d join case_decision_report r on r.decision_id = d.id
        where r.report_id = ${reportId}::uuid and d.kind = 'quick' and d.undone_at is null
        order by d.decided_at desc limit 1)`.execute(tx);
  },
};
