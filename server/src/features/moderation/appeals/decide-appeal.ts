import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type * as calls from '#contract/moderation/appeals.ts';
import { actorOf, audit } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import { AppError, invalid } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { type MailTemplates, queueMail } from '#platform/notify/mail.ts';
import { textOf } from '#platform/texts.ts';
import { caseForStaff, insertCaseEvent, syncCase, tellStaff, updateCase } from '../work/case-row.ts';
import { namesReporterIn } from '../decisions/check.ts';
import { takeBack } from '../decisions/sanctions.ts';
import { requireOwnLinks } from '#platform/http/own-links.ts';
import { changeReports, type LockedReport } from '../reports/report-row.ts';
import { type AppealRow, isSuperseded } from '../decisions/own-appeals.reads.ts';
import { appealForReview } from './review.ts';

type Given = BodyOf<typeof calls.decideAppeal>;

const resultWords: Record<Given['outcome'], MessageDescriptor> = {
  upheld: msg`The decision stays as it is.`,
  overturned: msg`We took the decision back. It no longer has any effect on your account, and its strikes no longer count.`,
  partly_overturned: msg`We took a part of the decision back.`,
  inadmissible: msg`We could not look into your appeal, and the decision stays as it is.`,
};

/** The mail about an appeal: the result and its reasons. */
export const appealMails = {
  appealDecided: (data, publicUrl) => ({
    subject: msg`The result of your appeal`,
    heading: msg`Someone else looked at the decision about your account`,
    paragraphs: [
      ...(data['result'] ? [msg`${{ text: data['result'] }}`] : []),
      msg`Their reasons: ${{ reasons: data['reasons'] }}`,
      ...(data['lost'] ? [msg`${{ text: data['lost'] }}`] : []),
    ],
    button: { text: msg`Open {brand}`, url: new URL('/app/support', publicUrl).href },
  }),
} satisfies MailTemplates;

/** The answer to reporters when a decision to act is reversed. It mentions neither who appealed nor which measures were taken. */
const changedAnswers = {
  overturned: msg`We told you that we acted on your report. Someone else on our team has looked at it again and decided differently, so we took back what we did. If something happens again, please tell us. You can block anyone you would rather not see.`,
  partly_overturned: msg`Someone else on our team has looked at our decision about your report again. Our rules were broken, as we told you, but we changed a part of what we did.`,
};
const reopenedAnswer = msg`We are looking into your report again, and will answer you here.`;

/**
 * Decides an appeal within the running transaction: what it reverses, the mails to both sides and the records. Throws 409 while a
 * colleague reviews it, and 400 for an unknown part and for reasons that name a reporter or have links to other sites.
 */
export async function decideAppeal(
  context: CommandContext,
  given: ParamsOf<typeof calls.decideAppeal> & Given,
): Promise<void> {
  const { tx, deps, caller, now } = context;
  const appeal = await appealForReview(tx, caller, given.id);
  if (appeal.reviewer_id !== null && appeal.reviewer_id !== caller.accountId)
    throw new AppError(
      'CONFLICT',
      appeal.reviewer_name === null
        ? msg`A colleague is reviewing this appeal`
        : msg`${{ name: appeal.reviewer_name }} is reviewing this appeal`,
    );
  if (appeal.party === 'person' && (await namesReporterIn(tx, appeal.case_id, given.reasons)))
    throw invalid('reasons', msg`This names someone who reported. Leave it out.`);
  requireOwnLinks('reasons', given.reasons, deps.config);
  await tx
    .updateTable('appeal')
    .set({
      state: given.outcome,
      reviewer_id: caller.accountId,
      reviewer_name: actorOf(caller).name,
      answer: given.reasons,
      answered_at: now,
    })
    .where('id', '=', appeal.id)
    .execute();
  await tx.updateTable('outsider_notice').set({ answer_due_since: now }).where('appeal_id', '=', appeal.id).execute();
  await (appeal.party === 'person' ? answerPerson : answerReporter)(context, appeal, given);
  const event = { case_id: appeal.case_id, at: now, kind: 'appeal_decided' as const, to_value: given.outcome };
  await insertCaseEvent(tx, event, actorOf(caller));
  const changes = { outcome: { from: null, to: given.outcome } };
  await audit(context, { type: 'case', id: appeal.case_id }, 'appeal.decided', { reason: given.reasons, changes });
  await tellStaff(tx, null);
}

const lostText = msg`We no longer have the text that was removed, so we could not put it back. Please write it again if you like.`;

async function answerPerson(context: CommandContext, appeal: AppealRow, given: Given): Promise<void> {
  const { tx, caller, now } = context;
  let lost = 0;
  if (given.outcome === 'overturned' || given.outcome === 'partly_overturned') {
    const ids = await partOf(tx, appeal, given);
    lost = await takeBack(tx, { ids, by: actorOf(caller), reason: 'Overturned by an appeal' }, now);
    const message = [changedAnswers[given.outcome]];
    const isRejected = ({ status }: LockedReport) => given.outcome === 'overturned' && status === 'resolved';
    const changes = (await reportsOf(tx, appeal))
      // A later decision has already informed them of the current outcome.
      .filter(({ is_replaced }) => !is_replaced)
      .map((report) => ({ report, message, to: isRejected(report) ? ('rejected' as const) : null }));
    await changeReports(context, changes, 'Appeal');
    if (given.outcome === 'overturned') await undoDecision(context, appeal);
  }
  if (appeal.account_id === null) return;
  const { email, language } = await tx
    .selectFrom('account')
    .select(['email', 'language'])
    .where('id', '=', appeal.account_id)
    .executeTakeFirstOrThrow();
  const data = {
    result: textOf(resultWords[given.outcome], {}, language),
    reasons: given.reasons,
    ...(lost > 0 && { lost: textOf(lostText, {}, language) }),
  };
  await queueMail(tx, { to: email, accountId: appeal.account_id, template: 'appealDecided', data }, now);
}

/** The sanctions that an appeal reverses: all of them, or the chosen ones, which must be a part of the decision. */
async function partOf(tx: Db, { decision_id }: AppealRow, { outcome, sanctionIds = [] }: Given): Promise<string[]> {
  const rows = await tx.selectFrom('sanction').select('id').where('decision_id', '=', decision_id).execute();
  const all = rows.map(({ id }) => id);
  if (outcome === 'overturned') return all;
  const chosen = all.filter((id) => sanctionIds.includes(id));
  if (chosen.length === 0 || chosen.length === all.length || chosen.length < new Set(sanctionIds).size)
    throw invalid('sanctionIds', msg`Choose a part of the measures`);
  return chosen;
}

/** Marks a decision as undone: it no longer confirms a violation. */
async function undoDecision(context: CommandContext, { decision_id, case_id }: AppealRow): Promise<void> {
  const { tx, now } = context;
  await tx.updateTable('case_decision').set({ undone_at: now }).where('id', '=', decision_id).execute();
  await sql`update moderation_case set confirmed_at = (select max(decided_at) from case_decision
      where case_id = ${case_id}::uuid and outcome = 'actioned' and undone_at is null)
    where id = ${case_id}::uuid`.execute(tx);
  await syncCase(context, case_id);
}

async function answerReporter(context: CommandContext, appeal: AppealRow, given: Given): Promise<void> {
  const { tx, caller } = context;
  if (given.outcome === 'partly_overturned') throw invalid('outcome', msg`A decision not to act has no parts`);
  const isReopening = given.outcome === 'overturned';
  if (isReopening && (await isReplaced(tx, appeal)))
    throw new AppError('ILLEGAL_STEP', msg`A later decision has replaced this one, so it cannot be taken back`);
  const to = isReopening ? ('in_progress' as const) : null;
  const [toThem, toOthers] = isReopening
    ? [[given.reasons, reopenedAnswer], [reopenedAnswer]]
    : [[given.reasons], null];
  // Outsiders read the answer with the link that they were mailed.
  const isBy = ({ reporter_id }: LockedReport) => reporter_id !== null && reporter_id === appeal.account_id;
  const changes = (await reportsOf(tx, appeal))
    .map((report) => ({ report, message: isBy(report) ? toThem : toOthers, to }))
    .filter(({ message }) => message !== null);
  await changeReports(context, changes, 'Appeal');
  if (!isReopening) return;
  await undoDecision(context, appeal);
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

/** The reports of the decision, locked, and whether a later decision about them is in force. */
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
