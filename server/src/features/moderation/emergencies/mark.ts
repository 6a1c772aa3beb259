import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import {
  type endRestriction,
  type markEmergency,
  type recordReferral,
  restrictionDays,
} from '#contract/moderation/emergencies.ts';
import { actorOf, audit } from '#platform/db/audit.ts';
import { AppError, invalid } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { requireFewActs } from '#platform/session/act-limits.ts';
import { actOnCase } from '../work/act.ts';
import { caseForStaff, type CaseRow, lockPersonOf, type StaffContext, syncCase, tellStaff } from '../work/case-row.ts';
import { checkDecision } from '../decisions/check.ts';
import { notifyPerson } from '../decisions/notify-person.ts';
import { insertDecision, openReports, usualOrigin } from '../decisions/record.ts';
import { applySanctions, insertSanction } from '../decisions/sanctions.ts';
import { requireOwnLinks } from '#platform/http/own-links.ts';
import { dayOf } from '#platform/process/clock.ts';
import { setPriority } from '../reports/change-report.ts';
import type { LockedReport } from '../reports/report-row.ts';
import { noteEmergency } from './note.ts';
import { liftRestrictions, liveRestrictions } from './restrictions.ts';

type Marked = ParamsOf<typeof markEmergency> & BodyOf<typeof markEmergency>;
type Reasons = { ruleId: string; facts: string };

const measures = (['hide_profile', 'limit_messaging'] as const).map((kind) => ({ kind, days: restrictionDays }));

/** Why the caller can't restrict the person of a case now; null if they can. One person restricts only once until the case starts again. */
async function whyNotRestricted({ tx, caller, now }: StaffContext, { id, started_at }: CaseRow) {
  if ((await liveRestrictions(tx, id, now)).length > 0) return msg`This person is already restricted`;
  const { rows } = await sql`select from case_decision where case_id = ${id}::uuid and kind = 'interim'
    and decided_by = ${caller.accountId}::uuid and decided_at >= ${started_at}::timestamptz limit 1`.execute(tx);
  return rows.length === 0 ? null : msg`You have restricted this person before. Ask a colleague to look at the case.`;
}

/** The rule and facts without which no one is restricted: 400 if one is missing, and for links to other sites. */
function reasonsOf({ ruleId, facts }: Marked, deps: CommandContext['deps']): Reasons {
  if (ruleId === undefined) throw invalid('ruleId', msg`Choose a rule`);
  if (facts === undefined) throw invalid('facts', msg`Write what the person will read`);
  requireOwnLinks('facts', facts, deps.config);
  return { ruleId, facts };
}

/** Hides the person and keeps them from starting conversations, without strikes, and tells them. */
async function restrict(
  context: CommandContext,
  { row, accountId, reports }: { row: CaseRow; accountId: string; reports: readonly LockedReport[] },
  { ruleId, facts }: Reasons,
): Promise<void> {
  const { tx, caller, now } = context;
  const origin = await usualOrigin(tx, row, reports);
  const decisionId = await insertDecision(context, row.id, { kind: 'interim', ruleId, facts, ...origin });
  for (const measure of measures) {
    const by = actorOf(caller).name;
    await insertSanction(tx, { ...measure, accountId, decisionId, reason: facts, by, isInterim: true }, now);
  }
  await applySanctions(tx, accountId, now, { mayActivate: false });
  const given = { outcome: 'actioned' as const, ruleId, facts, sanctions: measures, ...origin };
  await notifyPerson(context, { decisionId, accountId }, given, { isInterim: true });
}

/**
 * Marks a case as an emergency, all or nothing: it becomes critical, the people on call are paged for a new danger, and the person is
 * restricted and notified. A restriction in force stays as it is. Throws 404; 400 without a rule and facts to restrict someone with, and
 * for facts that name a reporter; 403 for a party, and for colleagues beyond one's role; 409 for a decided case, and if the danger is known
 * and the person can't be restricted; 429 for more emergencies than a colleague may mark within an hour.
 */
export async function mark(context: CommandContext, given: Marked): Promise<void> {
  const { tx, deps, caller, now } = context;
  const { id, kind } = given;
  await requireFewActs(context, 'emergency');
  await lockPersonOf(tx, id);
  const row = await caseForStaff(tx, caller, id);
  const { person_id: accountId } = row;
  if (accountId === null || row.stage === 'decided')
    throw new AppError('CONFLICT', msg`This case is decided, or the account was deleted`);
  const obstacle = await whyNotRestricted(context, row);
  const reasons = obstacle === null ? reasonsOf(given, deps) : null;
  if (reasons !== null) await checkDecision(tx, caller, row, { outcome: 'actioned', ...reasons, sanctions: measures });
  const reports = await openReports(tx, id);
  if (reports.length === 0) throw new AppError('CONFLICT', msg`This case has no open report. Open one first.`);
  const isNew = await noteEmergency(tx, { caseId: id, kind, by: actorOf(caller) }, now);
  if (obstacle !== null && !isNew) throw new AppError('CONFLICT', obstacle);
  for (const report of reports)
    if (report.priority !== 'critical') await setPriority(context, report, 'critical', 'Emergency');
  if (reasons !== null) await restrict(context, { row, accountId, reports }, reasons);
  await syncCase(context, id);
  await audit(context, { type: 'case', id }, 'case.emergency', { changes: { kind: { from: null, to: kind } } });
  await tellStaff(tx, id);
}

/** Ends the temporary restriction of a case. A colleague's claim doesn't matter. Throws 404, 403 for a party, and 409 without one in force. */
export async function end(
  context: CommandContext,
  { id, reason }: ParamsOf<typeof endRestriction> & BodyOf<typeof endRestriction>,
): Promise<void> {
  const { tx, caller, now } = context;
  await lockPersonOf(tx, id);
  await caseForStaff(tx, caller, id);
  if (!(await liftRestrictions(tx, { caseId: id, by: actorOf(caller), reason, isTold: true }, now)))
    throw new AppError('CONFLICT', msg`This person is not restricted`);
  await actOnCase(context, id, { what: 'restriction_ended', reason });
}

/**
 * Records what was given to an authority. The timeline and the audit trail only mention it, because they are kept for longer. Throws 404,
 * 403 for a party, and 400 for a future day.
 */
export async function refer(
  context: CommandContext,
  { id, authority, handedOver, legalBasis, on }: ParamsOf<typeof recordReferral> & BodyOf<typeof recordReferral>,
): Promise<void> {
  const { tx, caller, now } = context;
  await caseForStaff(tx, caller, id);
  if (on > dayOf(now)) throw invalid('on', msg`This day is in the future`);
  const what = { authority, handed_over: handedOver, legal_basis: legalBasis, referred_on: on };
  await tx
    .insertInto('referral')
    .values({ case_id: id, ...what, made_at: now, made_by_name: actorOf(caller).name })
    .execute();
  await actOnCase(context, id, { what: 'referred' });
}
