import { sql } from 'kysely';
import type { AnswerInput, BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type { decideCase } from '#contract/moderation/cases.ts';
import { actorOf } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import { notFound } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { requireOwnLinks } from '#platform/http/own-links.ts';
import { requireFewActs } from '#platform/session/act-limits.ts';
import { actOnCase } from '../work/act.ts';
import { caseForStaff, checkStep, lockPersonOf, noLease, updateCase } from '../work/case-row.ts';
import { checkDecision } from './check.ts';
import { decisionsWhere } from './decisions.reads.ts';
import { notifyPerson } from './notify-person.ts';
import { closeReports, insertDecision, openReports, usualOrigin } from './record.ts';
import { applySanctions, imposeSanctions } from './sanctions.ts';

/**
 * Decides a case within the running transaction: closes its open reports, answers their reporters, applies the sanctions and notifies the
 * person. Throws 404; 400 for an incomplete decision, and for facts with links to other sites; 403 beyond the caller's role; 409 for a decided case and while a colleague has it; 429 for too many
 * measures within an hour, and for fewer in cases of one's own initiative.
 */
export async function decide(
  context: CommandContext,
  given: ParamsOf<typeof decideCase> & BodyOf<typeof decideCase>,
): Promise<AnswerInput<typeof decideCase>['data']['decision']> {
  const { tx, deps, caller, now } = context;
  const hasMeasures = (given.sanctions ?? []).length > 0;
  const isOwnInitiative = hasMeasures && (await isOpenedByStaff(tx, given.id));
  if (isOwnInitiative) await requireFewActs(context, 'ownCase');
  if (hasMeasures && given.outcome === 'actioned') await requireFewActs(context, 'measure');
  await lockPersonOf(tx, given.id);
  const row = await caseForStaff(tx, caller, given.id);
  checkStep(row, caller, 'decide', now);
  await checkDecision(tx, caller, row, given);
  if (given.facts !== undefined) requireOwnLinks('facts', given.facts, deps.config);
  const reports = await openReports(tx, row.id);
  const usual = await usualOrigin(tx, row, reports);
  const isDetectionAutomated = given.isDetectionAutomated === true || usual.isDetectionAutomated;
  const source = given.source ?? usual.source;
  const decisionId = await insertDecision(context, row.id, { ...given, kind: 'full', source, isDetectionAutomated });
  const isAlwaysWithheld = given.source === 'authority' || reports.some(({ may_be_minor }) => may_be_minor);
  await closeReports(context, reports, { decisionId, given });
  await imposeSanctions(context, row, { ...given, decisionId, isAlwaysWithheld });
  const decided = { caseId: row.id, personId: row.person_id, outcome: given.outcome, by: actorOf(caller), now };
  await deps.emit(tx, 'caseDecided', decided);
  if (row.person_id !== null && hasMeasures) {
    await applySanctions(tx, row.person_id, now, { mayActivate: false });
    await notifyPerson(context, { decisionId, accountId: row.person_id }, { ...given, isDetectionAutomated });
  }
  await tx
    .updateTable('account_link')
    .set({ reviewed_at: now })
    .where('account_id', '=', row.person_id)
    .where('reviewed_at', 'is', null)
    .execute();
  await updateCase(tx, row, {
    stage: 'decided',
    decided_at: now,
    updated_at: now,
    responded_at: row.responded_at ?? now,
    due_at: null,
    paused_at: null,
    critical_because: null,
    open_reports: 0,
    ...noLease,
    ...(given.outcome === 'actioned' && { confirmed_at: now }),
  });
  const changes = {
    outcome: { from: null, to: given.outcome },
    sanctions: { from: null, to: (given.sanctions ?? []).map(({ kind }) => kind) },
    ...(isOwnInitiative && { isOwnInitiative: { from: null, to: true } }),
  };
  await actOnCase(context, row.id, { what: 'decided', to: given.outcome, changes });
  const changed = { caseId: row.id, personId: row.person_id, isDecided: true, mayHold: false, reportIds: [], now };
  await deps.emit(tx, 'caseChanged', changed);
  const [decision] = await decisionsWhere(tx, sql`d.id = ${decisionId}::uuid`, now);
  if (decision === undefined) throw notFound();
  return decision;
}

/** Whether a case is open only because staff opened it: no one reported the person, and no rule hit them. */
async function isOpenedByStaff(tx: Db, caseId: string): Promise<boolean> {
  const { rows } = await sql<{
    isOwn: boolean | null;
  }>`select bool_and(source = 'own_initiative') as "isOwn" from report
    where case_id = ${caseId}::uuid and deleted_at is null and status in ('pending', 'in_progress')`.execute(tx);
  return rows[0]?.isOwn === true;
}
