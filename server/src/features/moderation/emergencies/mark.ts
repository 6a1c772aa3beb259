import { sql } from 'kysely';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import {
  type CaseSafety,
  type endRestriction,
  type markEmergency,
  restrictionDays,
} from '#contract/moderation/emergencies.ts';
import { appealDays } from '#contract/moderation/decisions.ts';
import { actorOf } from '../../../platform/db/audit.ts';
import type { Db } from '../../../platform/db/db.ts';
import { AppError, invalid } from '../../../platform/http/app-error.ts';
import type { CommandContext } from '../../../platform/http/mount.ts';
import { type MailTemplates, queueMail } from '../../../platform/notify/mail.ts';
import { appealToken, appealUntil } from '../appeals/links.ts';
import { caseForStaff, insertCaseEvent, recordOnCase, refuseIfHeld, syncCase, tellStaff } from '../cases/case-row.ts';
import { isCurrentRule, lockPersonOf, mayDiscipline, namesReporterIn } from '../decisions/decide.ts';
import { applySanctions, insertSanction } from '../decisions/sanctions.ts';
import { dueAt } from '../reports/policy.ts';
import { insertEvent, staffActor, updateReport } from '../reports/report-row.ts';
import { noteEmergency } from './note.ts';
import { liftRestrictions, liveRestrictions } from './restrictions.ts';
import { safetyOf } from './safety.reads.ts';

type Marked = ParamsOf<typeof markEmergency> & BodyOf<typeof markEmergency>;

/** The mail about a temporary restriction: why, until when, and how to appeal. */
export const restrictionMails = {
  restricted: (data, publicUrl) => ({
    subject: 'Your account is restricted for now',
    heading: 'Your account is restricted while we look into a report',
    paragraphs: [
      `What we know so far: ${data['facts'] ?? ''}`,
      `It concerns our rule "${data['rule'] ?? ''}": ${data['ruleText'] ?? ''}`,
      `Your profile is hidden and you cannot start new conversations until we decide, for ${restrictionDays} days at most. This is not a final decision, and it counts for nothing later.`,
      `A member of our team decided this. If you disagree, you can appeal within ${appealDays} days; someone else will decide.`,
    ],
    button: { text: 'View or appeal the decision', url: new URL(`/app/appeal#${data['token'] ?? ''}`, publicUrl).href },
  }),
} satisfies MailTemplates;

/** Raises the open reports of a case to critical, as staff do one by one. Returns whether there is one. */
async function raiseReports({ tx, caller, now }: CommandContext, caseId: string, reason: string): Promise<boolean> {
  const { rows } = await sql<{ id: string; priority: string; created_at: Date }>`
    select id, priority, created_at from report where case_id = ${caseId}::uuid and deleted_at is null
      and status in ('pending', 'in_progress') order by id for update`.execute(tx);
  for (const { id, priority, created_at } of rows) {
    if (priority === 'critical') continue;
    await updateReport(tx, id, { priority: 'critical', due_at: dueAt(created_at, 'critical') });
    const event = {
      report_id: id,
      at: now,
      kind: 'priority',
      from_value: priority,
      to_value: 'critical',
      reason,
    } as const;
    await insertEvent(tx, { ...event, ...staffActor(caller) });
  }
  return rows.length > 0;
}

/** Hides the person and keeps them from starting conversations, without strikes, and tells them. Returns the decision. */
async function restrict(context: CommandContext, accountId: string, { id, ruleId, facts }: Marked): Promise<string> {
  const { tx, deps, caller, now } = context;
  const by = actorOf(caller).name;
  const decided = { decided_by: caller.accountId, decided_by_name: by, decided_at: now };
  const { id: decisionId } = await tx
    .insertInto('case_decision')
    .values({ case_id: id, kind: 'interim', rule_id: ruleId, facts, source: 'notice', ...decided })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const kind of ['hide_profile', 'limit_messaging'] as const) {
    const sanction = { accountId, decisionId, kind, days: restrictionDays, reason: facts, by, isInterim: true };
    await insertSanction(tx, sanction, now);
  }
  await applySanctions(tx, accountId, now, { mayActivate: false });
  const { email } = await tx
    .selectFrom('account')
    .select('email')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const rule = await tx
    .selectFrom('community_rule')
    .select(['title', 'body'])
    .where('id', '=', ruleId)
    .executeTakeFirstOrThrow();
  const token = appealToken(deps.appealKey, { decisionId, accountId, email }, appealUntil(now));
  const data = { rule: rule.title, ruleText: rule.body, facts, token };
  await queueMail(tx, { to: email, accountId, template: 'restricted', data }, now);
  return decisionId;
}

/** Throws 400 for a rule that was replaced, and for facts that name a reporter. */
async function check(tx: Db, { id, ruleId, facts }: Marked): Promise<void> {
  if (!(await isCurrentRule(tx, ruleId))) throw invalid('ruleId', 'This rule is no longer current. Choose again.');
  if (await namesReporterIn(tx, id, facts)) throw invalid('facts', 'This names someone who reported. Leave it out.');
}

/**
 * Marks a case as an emergency, all or nothing: critical, the people on call paged, and the person restricted and told. Throws 404; 403 for a
 * party, and for colleagues beyond one's role; 409 while a colleague has the case, for a decided one, and once the person is restricted.
 */
export async function mark(context: CommandContext, given: Marked): Promise<CaseSafety> {
  const { tx, caller, now } = context;
  const { id, kind } = given;
  await lockPersonOf(tx, id);
  const row = await caseForStaff(tx, caller, id);
  refuseIfHeld(row, caller.accountId, now);
  if (row.person_id === null || row.stage === 'decided')
    throw new AppError('CONFLICT', 'This case is decided, or the account was deleted');
  if (!(await mayDiscipline(tx, caller, row.person_id)))
    throw new AppError('FORBIDDEN', 'This person is a colleague: only those who may deactivate them can act on them.');
  await check(tx, given);
  if ((await liveRestrictions(tx, id, now)).length > 0)
    throw new AppError('CONFLICT', 'This person is already restricted');
  if (!(await raiseReports(context, id, 'Emergency')))
    throw new AppError('CONFLICT', 'This case has no open report. Open one first.');
  const emergencyId = await noteEmergency(tx, { caseId: id, kind, by: actorOf(caller) }, now);
  const decisionId = await restrict(context, row.person_id, given);
  await tx.updateTable('emergency').set({ decision_id: decisionId }).where('id', '=', emergencyId).execute();
  await syncCase(tx, id, now);
  await recordOnCase(context, id, { action: 'case.emergency', changes: { kind: { from: null, to: kind } } });
  await tellStaff(tx, id);
  return await safetyOf(tx, caller, id, now);
}

/** Ends the temporary restriction of a case. Throws 404, 403 for a party, and 409 while a colleague has the case and without one in force. */
export async function end(
  context: CommandContext,
  { id, reason }: ParamsOf<typeof endRestriction> & BodyOf<typeof endRestriction>,
): Promise<CaseSafety> {
  const { tx, caller, now } = context;
  await lockPersonOf(tx, id);
  const row = await caseForStaff(tx, caller, id);
  refuseIfHeld(row, caller.accountId, now);
  if (!(await liftRestrictions(tx, { caseId: id, by: actorOf(caller), reason }, now)))
    throw new AppError('CONFLICT', 'This person is not restricted');
  await insertCaseEvent(tx, { case_id: id, at: now, kind: 'restriction_ended', reason }, actorOf(caller));
  await recordOnCase(context, id, { action: 'case.restrictionEnded', reason });
  await tellStaff(tx, id);
  return await safetyOf(tx, caller, id, now);
}
