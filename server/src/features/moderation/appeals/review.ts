import { sql } from 'kysely';
import type { BodyOf } from '#contract/endpoint.ts';
import { isOpenAppeal } from '#contract/moderation/appeal.ts';
import type { decideAppeal } from '#contract/moderation/appeals.ts';
import { AppError, invalid, notFound } from '../../../platform/http/app-error.ts';
import { actorOf } from '../../../platform/db/audit.ts';
import type { Db } from '../../../platform/db/db.ts';
import { type MailTemplates, queueMail } from '../../../platform/notify/mail.ts';
import type { Caller } from '../../../platform/session/caller.ts';
import { isUuid } from '../../../platform/db/uuid.ts';
import { caseForStaff, insertCaseEvent, recordOnCase, syncCase, tellStaff, updateCase } from '../cases/case-row.ts';
import { lockPersonOf, mayDiscipline, namesReporterIn } from '../decisions/decide.ts';
import { maySanction } from '../decisions/policy.ts';
import { takeBack } from '../decisions/sanctions.ts';
import { changeReports, type LockedReport } from '../reports/report-row.ts';
import { lockAppeal } from './submit.ts';
import { type AppealRow, isSuperseded } from './own.reads.ts';

type Given = BodyOf<typeof decideAppeal>;

const resultWords: Record<Given['outcome'], string> = {
  upheld: 'The decision stays as it is.',
  overturned:
    'We took the decision back. It no longer has any effect on your account, and its strikes no longer count.',
  partly_overturned: 'We took a part of the decision back.',
  inadmissible: 'We could not look into your appeal, and the decision stays as it is.',
};

/** Mails about appeals: the result and its reasons. */
export const appealMails = {
  appealDecided: (data, publicUrl) => ({
    subject: 'The result of your appeal',
    heading: 'Someone else looked at the decision about your account',
    paragraphs: [data['result'] ?? '', `Their reasons: ${data['reasons'] ?? ''}`, data['lost'] ?? ''].filter(Boolean),
    button: { text: 'Open Heartwood', url: new URL('/app/support', publicUrl).href },
  }),
} satisfies MailTemplates;

/** What the reporters of a decision to act read when it is taken back. It doesn't tell who appealed, nor what was done. */
const changedAnswers = {
  overturned:
    'We told you that we acted on your report. Someone else on our team has looked at it again and decided differently, so we took back what we did. If something happens again, please tell us. You can block anyone you would rather not see.',
  partly_overturned:
    'Someone else on our team has looked at our decision about your report again. Our rules were broken, as we told you, but we changed a part of what we did.',
};
const reopenedAnswer = 'We are looking into your report again, and will answer you here.';

/** An open appeal the caller may review, with its case locked. 404 for a party; 403 for who decided, and for those below; 409 once it is closed. */
async function appealForReview(tx: Db, caller: Caller, id: string): Promise<AppealRow> {
  const found = isUuid(id)
    ? await tx.selectFrom('appeal').select('case_id').where('id', '=', id).executeTakeFirst()
    : undefined;
  if (found === undefined) throw notFound();
  // In the order of deciding a case: the person, the case, then what belongs to it.
  await lockPersonOf(tx, found.case_id);
  await caseForStaff(tx, caller, found.case_id);
  const appeal = await lockAppeal(tx, id);
  if (appeal === undefined) throw notFound();
  if (!isOpenAppeal(appeal.state)) throw new AppError('ILLEGAL_STEP', 'This appeal is closed already');
  if (appeal.decided_by === caller.accountId)
    throw new AppError('FORBIDDEN', 'You made this decision, so someone else has to review it');
  if (!(await mayTakeBack(tx, caller, appeal)))
    throw new AppError('FORBIDDEN', 'You could not have made this decision, so a colleague who could has to review it');
  return appeal;
}

/** Whether the caller could have taken all measures of the decision themselves: only then may they take them back. */
async function mayTakeBack(tx: Db, caller: Caller, appeal: AppealRow): Promise<boolean> {
  if (appeal.party === 'reporter') return true;
  const sanctions = await tx
    .selectFrom('sanction')
    .select(['kind', 'starts_at', 'ends_at'])
    .where('decision_id', '=', appeal.decision_id)
    .execute();
  const dayMs = 86_400_000;
  const isWithin = sanctions.every(({ kind, starts_at, ends_at }) =>
    maySanction(caller.staffRole, { kind, days: ends_at === null ? undefined : (+ends_at - +starts_at) / dayMs }),
  );
  return isWithin && (await mayDiscipline(tx, caller, appeal.account_id));
}

/** Takes an appeal into review; a colleague who had it no longer has it. */
export async function review(tx: Db, caller: Caller, id: string, now: Date): Promise<void> {
  const appeal = await appealForReview(tx, caller, id);
  if (appeal.reviewer_id === caller.accountId) return;
  const reviewer = { reviewer_id: caller.accountId, reviewer_name: actorOf(caller).name };
  await tx
    .updateTable('appeal')
    .set({ state: 'under_review', ...reviewer })
    .where('id', '=', id)
    .execute();
  await insertCaseEvent(tx, { case_id: appeal.case_id, at: now, kind: 'appeal_reviewed' }, actorOf(caller));
  await recordOnCase(tx, caller, appeal.case_id, { action: 'appeal.reviewed' }, now);
  await tellStaff(tx, null);
}

/**
 * Decides an appeal within the running transaction: what it takes back, both sides' notices and the records. 409 while a colleague
 * reviews it; 400 for a part that is none, and for reasons that name a reporter.
 */
export async function decideReview(tx: Db, caller: Caller, id: string, given: Given, now: Date): Promise<void> {
  const appeal = await appealForReview(tx, caller, id);
  if (appeal.reviewer_id !== null && appeal.reviewer_id !== caller.accountId)
    throw new AppError('CONFLICT', `${appeal.reviewer_name ?? 'A colleague'} is reviewing this appeal`);
  if (appeal.party === 'person' && (await namesReporterIn(tx, appeal.case_id, given.reasons)))
    throw invalid('reasons', 'This names someone who reported. Leave it out.');
  await tx
    .updateTable('appeal')
    .set({
      state: given.outcome,
      reviewer_id: caller.accountId,
      reviewer_name: actorOf(caller).name,
      answer: given.reasons,
      answered_at: now,
    })
    .where('id', '=', id)
    .execute();
  await (appeal.party === 'person' ? answerPerson : answerReporter)(tx, caller, appeal, given, now);
  const event = { case_id: appeal.case_id, at: now, kind: 'appeal_decided' as const, to_value: given.outcome };
  await insertCaseEvent(tx, event, actorOf(caller));
  const changes = { outcome: { from: null, to: given.outcome } };
  await recordOnCase(tx, caller, appeal.case_id, { action: 'appeal.decided', reason: given.reasons, changes }, now);
  await tellStaff(tx, null);
}

const lostText =
  'We no longer have the text that was removed, so we could not put it back. Please write it again if you like.';

async function answerPerson(tx: Db, caller: Caller, appeal: AppealRow, given: Given, now: Date): Promise<void> {
  let lost = 0;
  if (given.outcome === 'overturned' || given.outcome === 'partly_overturned') {
    const part = await partOf(tx, appeal, given);
    lost = await takeBack(tx, part, actorOf(caller), 'Overturned by an appeal', now);
    if (given.outcome === 'overturned') await undoDecision(tx, appeal, now);
    const message = changedAnswers[given.outcome];
    const isRejected = ({ status }: LockedReport) => given.outcome === 'overturned' && status === 'resolved';
    const changes = (await reportsOf(tx, appeal))
      // A later decision already told them the current outcome.
      .filter(({ is_replaced }) => !is_replaced)
      .map((report) => ({ report, message, to: isRejected(report) ? ('rejected' as const) : null }));
    await changeReports(tx, caller, changes, { reason: 'Appeal', now });
  }
  if (appeal.account_id === null) return;
  const { email } = await tx
    .selectFrom('account')
    .select('email')
    .where('id', '=', appeal.account_id)
    .executeTakeFirstOrThrow();
  const data = { result: resultWords[given.outcome], reasons: given.reasons, ...(lost > 0 && { lost: lostText }) };
  await queueMail(tx, { to: email, accountId: appeal.account_id, template: 'appealDecided', data }, now);
}

/** The sanctions an appeal takes back: all, or those that were chosen, which must be a part. */
async function partOf(tx: Db, { decision_id }: AppealRow, { outcome, sanctionIds = [] }: Given): Promise<string[]> {
  const rows = await tx.selectFrom('sanction').select('id').where('decision_id', '=', decision_id).execute();
  const all = rows.map(({ id }) => id);
  if (outcome === 'overturned') return all;
  const chosen = all.filter((id) => sanctionIds.includes(id));
  if (chosen.length === 0 || chosen.length === all.length || chosen.length < new Set(sanctionIds).size)
    throw invalid('sanctionIds', 'Choose a part of the measures');
  return chosen;
}

/** Marks a decision as undone: it confirms no violation any more. */
async function undoDecision(tx: Db, { decision_id, case_id }: AppealRow, now: Date): Promise<void> {
  await tx.updateTable('case_decision').set({ undone_at: now }).where('id', '=', decision_id).execute();
  await sql`update moderation_case set confirmed_at = (select max(decided_at) from case_decision
      where case_id = ${case_id}::uuid and outcome = 'actioned' and undone_at is null)
    where id = ${case_id}::uuid`.execute(tx);
  await syncCase(tx, case_id, now);
}

async function answerReporter(tx: Db, caller: Caller, appeal: AppealRow, given: Given, now: Date): Promise<void> {
  if (given.outcome === 'partly_overturned') throw invalid('outcome', 'A decision not to act has no parts');
  const isReopening = given.outcome === 'overturned';
  if (isReopening && (await isReplaced(tx, appeal)))
    throw new AppError('ILLEGAL_STEP', 'A later decision has replaced this one, so it cannot be taken back');
  const to = isReopening ? ('in_progress' as const) : null;
  const [toThem, toOthers] = isReopening
    ? [`${given.reasons}\n\n${reopenedAnswer}`, reopenedAnswer]
    : [given.reasons, null];
  const changes = (await reportsOf(tx, appeal))
    .map((report) => ({ report, message: report.reporter_id === appeal.account_id ? toThem : toOthers, to }))
    .filter(({ message }) => message !== null);
  await changeReports(tx, caller, changes, { reason: 'Appeal', now });
  if (!isReopening) return;
  await undoDecision(tx, appeal, now);
  await updateCase(tx, await caseForStaff(tx, caller, appeal.case_id), {
    stage: 'assigned',
    holder_id: caller.accountId,
    holder_name: actorOf(caller).name,
    lease_until: null,
  });
}

async function isReplaced(tx: Db, { decision_id }: AppealRow): Promise<boolean> {
  const { rows } = await sql<{ is_replaced: boolean }>`
    select ${isSuperseded} as is_replaced from case_decision d where d.id = ${decision_id}::uuid`.execute(tx);
  return rows[0]?.is_replaced === true;
}

/** The reports of the decision, locked, and whether a later decision about them holds. */
function reportsOf(tx: Db, { decision_id }: AppealRow): Promise<(LockedReport & { is_replaced: boolean })[]> {
  return tx
    .selectFrom('report')
    .innerJoin('case_decision_report', 'report_id', 'report.id')
    .selectAll('report')
    .select(
      sql<boolean>`exists (select from case_decision_report l join case_decision later on later.id = l.decision_id
        join case_decision d on d.id = ${decision_id}::uuid
        where l.report_id = report.id and later.undone_at is null and later.decided_at > d.decided_at)`.as(
        'is_replaced',
      ),
    )
    .where('decision_id', '=', decision_id)
    .where('deleted_at', 'is', null)
    .orderBy('report.id')
    .forUpdate('report')
    .execute();
}
