import type { MessageDescriptor } from '@lingui/core';
import { msg, plural, select } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import type { AnswerInput, BodyOf, ParamsOf } from '#contract/endpoint.ts';
import {
  appealDays,
  type ContentKind,
  type decisionKinds,
  type DecisionOutcome,
  type DecisionSource,
  type SanctionKind,
} from '#contract/moderation/decisions.ts';
import { againAnswer, usualAnswers } from '#contract/moderation/usual-answers.ts';
import type { decideCase } from '#contract/moderation/cases.ts';
import { restrictionDays } from '#contract/moderation/emergencies.ts';
import { isWithoutReporter } from '#contract/moderation/staff-reports.ts';
import { shippedWords } from '#contract/moderation/shipped-rules.ts';
import { AppError, notFound } from '#platform/http/app-error.ts';
import { inOneSentence } from '#contract/said.ts';
import { actorOf } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { type MailTemplates, queueMail } from '#platform/notify/mail.ts';
import { inLanguage } from '#platform/process/log.ts';
import { textOf } from '#platform/texts.ts';
import type { Reactions } from '../../../events.ts';
import { requireFewActs } from '#platform/session/act-limits.ts';
import type { Caller } from '#platform/session/caller.ts';
import { isUuid } from '#platform/db/uuid.ts';
import { languageOf } from '../../auth/public.ts';
import { mayDeactivate } from '../../profiles/public.ts';
import { type Appealable, appealToken, appealUntil } from '../appeals/links.ts';
import {
  caseForStaff,
  type CaseRow,
  checkStep,
  insertCaseEvent,
  lockPersonOf,
  noLease,
  recordOnCase,
  type StaffContext,
  tellStaff,
  updateCase,
} from '../cases/case-row.ts';
import { isWithholding, lockHold } from '../holds/hold.ts';
import { requireOwnLinks } from '#platform/http/own-links.ts';
import { changeReports, type LockedReport } from '../reports/report-row.ts';
import { removeContent } from './content.ts';
import { decisionsWhere } from './decisions.reads.ts';
import { gapsIn, maySanction, type Named, namesReporter, statusOf } from './policy.ts';
import { applySanctions, insertSanction } from './sanctions.ts';

const measureWords: Record<SanctionKind, MessageDescriptor> = {
  warn: msg`This is a warning. Please open the app and confirm that you have read it.`,
  remove_content: msg({ message: 'We removed {content}.' }),
  limit_messaging: msg`You cannot start new conversations.`,
  hide_profile: msg`Your profile is hidden from other members.`,
  suspend: msg`Your account is suspended.`,
  ban: msg`Your account is closed for good.`,
};

const contentWords: Record<ContentKind, MessageDescriptor> = {
  picture: msg`a picture of your profile`,
  prompt: msg`an answer of your profile`,
  text: msg`a text of your profile`,
  message: msg`a message you sent`,
  note: msg`a note you sent with a like`,
  badge: msg`“Photo verified” from your profile`,
};

/** The mail about a decision or a temporary restriction: what was decided and why, and how to appeal. */
export const decisionMails = {
  decisionMade: ({ rule = '', ruleText = '', facts = '', measures = '', token = '', ...data }, publicUrl) => {
    const isInterim = data['isInterim'] === 'true';
    return {
      subject: isInterim ? msg`Your account is restricted for now` : msg`A decision about your account`,
      heading: isInterim ? msg`Your account is restricted until we decide` : msg`We made a decision about your account`,
      paragraphs: [
        ...(isInterim
          ? [
              msg`We look into what follows because it may be urgent. This is not a final decision, and it counts for nothing later. It ends when we decide, and after ${{ restrictionDays }} days at the latest, unless a second person of our team restricts you again.`,
              msg`It concerns our rule "${{ rule }}": ${{ ruleText }}`,
              msg`What we know so far: ${{ facts }}`,
            ]
          : [msg`Our rule "${{ rule }}" was broken: ${{ ruleText }}`, msg`What we found: ${{ facts }}`]),
        msg`${{ text: measures }}`,
        ...(data['isBarred'] === 'true'
          ? [msg`With the link below you can also get a copy of your data, and have unused premium paid back.`]
          : []),
        msg`A member of our team made this decision${select({ isAutomated: data['isAutomated'] }, { true: ' after an automatic check', other: '' })}. If you disagree, you can appeal within ${{ appealDays }} days; someone else will decide. You can also go to court.`,
      ],
      button: { text: msg`View or appeal the decision`, url: new URL(`/app/appeal#${token}`, publicUrl).href },
    };
  },
} satisfies MailTemplates;

type Given = BodyOf<typeof decideCase>;

/** Rejects an incomplete decision (400), one that names a reporter (400), and sanctions beyond the caller's role (403). */
export async function checkDecision(tx: Db, caller: Caller, row: CaseRow, given: Given): Promise<void> {
  const gaps = gapsIn(given, row.person_id !== null);
  if (given.ruleId !== undefined && !(await isCurrentRule(tx, given.ruleId)))
    gaps.push({ field: 'ruleId', msg: msg`This rule is no longer current. Choose again.` });
  if (await namesReporterIn(tx, row.id, given.facts ?? ''))
    gaps.push({ field: 'facts', msg: msg`This names someone who reported. Leave it out.` });
  const [first] = gaps;
  if (first !== undefined) throw new AppError('INVALID_INPUT', first.msg, { errors: gaps });
  if ((given.sanctions ?? []).length > 0 && !(await mayDiscipline(tx, caller, row.person_id)))
    throw new AppError(
      'FORBIDDEN',
      msg`This person is a colleague: only those who may deactivate them can act on them.`,
    );
  if (!(given.sanctions ?? []).every((sanction) => maySanction(caller.staffRole, sanction)))
    throw new AppError(
      'FORBIDDEN',
      msg`Only senior moderators and administrators can restrict an account for more than a week. Escalate the case.`,
    );
}

/** Whether the caller may act on this person: on a colleague only if they could deactivate them. */
export async function mayDiscipline(tx: Db, caller: Caller, personId: string | null): Promise<boolean> {
  const person = await tx
    .selectFrom('account')
    .select('staff_role')
    .where('id', '=', personId)
    .where('staff_role', 'is not', null)
    .executeTakeFirst();
  return person === undefined || mayDeactivate(caller.staffRole, person.staff_role);
}

/** Whether a rule can be chosen: its id is that of the current version. */
async function isCurrentRule(tx: Db, id: string): Promise<boolean> {
  if (!isUuid(id)) return false;
  const rule = await tx
    .selectFrom('community_rule')
    .select('id')
    .where('id', '=', id)
    .where('replaced_at', 'is', null)
    .executeTakeFirst();
  return rule !== undefined;
}

/** Whether what is written to the person of a case names someone who reported them, or them if they are meant as well. */
export async function namesReporterIn(
  tx: Db,
  caseId: string,
  text: string,
  { isPersonMeant = false } = {},
): Promise<boolean> {
  const { rows } = await sql<Named & { isPerson: boolean }>`
    select a.id = c.person_id as "isPerson", a.email, p.first_name as "firstName", p.last_name as "lastName", null as "givenName"
    from moderation_case c join account a on a.id = c.person_id or a.id in (select reporter_id from report where case_id = c.id)
      join profile p on p.account_id = a.id
    where c.id = ${caseId}::uuid
    union
    select false, n.email, null, null, n.name from outsider_notice n join report r on r.id = n.report_id where r.case_id = ${caseId}::uuid`.execute(
    tx,
  );
  if (isPersonMeant) return namesReporter(text, rows, []);
  const own = rows.filter(({ isPerson }) => isPerson).flatMap(({ firstName, lastName }) => [firstName, lastName]);
  const reporters = rows.filter(({ isPerson }) => !isPerson);
  return namesReporter(text, reporters, own);
}

const removedText = msg`We removed this picture. You can read the reasons under Support.`;

/**
 * Decides a case within the running transaction: closes its open reports, answers their reporters, applies the sanctions and notifies the
 * person. Throws 404; 400 for an incomplete decision, and for facts with links to other sites; 403 beyond the caller's role; 409 for a decided case and while a colleague has it; 429 for too many
 * cases of one's own initiative within an hour.
 */
export async function decide(
  context: CommandContext,
  given: ParamsOf<typeof decideCase> & Given,
): Promise<AnswerInput<typeof decideCase>['data']['decision']> {
  const { tx, deps, caller, now } = context;
  const hasMeasures = (given.sanctions ?? []).length > 0;
  const isOwnInitiative = hasMeasures && (await isOpenedByStaff(tx, given.id));
  if (isOwnInitiative) await requireFewActs(context, 'ownCase');
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
  const reason = textOf(removedText, {}, await languageOf(tx, row.person_id));
  for (const { kind, days, content: chosen } of given.sanctions ?? []) {
    const [accountId, by] = [row.person_id ?? '', actorOf(caller).name];
    const from = { caseId: row.id, accountId, reason, addressKey: deps.addressKey };
    const removed = chosen && (await removeContent(tx, from, chosen, now));
    const isWithheld = removed?.type === 'picture' && (isAlwaysWithheld || chosen?.isWithheld === true);
    const content = removed && { ...removed, ...(isWithheld && { isWithheld }) };
    const sanction = { accountId, decisionId, kind, days, content, reason: given.facts ?? '', by };
    const sanctionId = await insertSanction(tx, sanction, now);
    if (kind === 'ban') await deps.emit(tx, 'banned', { sanctionId, accountId, banKey: deps.banKey, now });
  }
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
  const event = { case_id: row.id, at: now, kind: 'decided' as const, to_value: given.outcome };
  await insertCaseEvent(tx, event, actorOf(caller));
  const changed = { caseId: row.id, personId: row.person_id, isDecided: true, mayHold: false, reportIds: [], now };
  await deps.emit(tx, 'caseChanged', changed);
  const changes = {
    outcome: { from: null, to: given.outcome },
    sanctions: { from: null, to: (given.sanctions ?? []).map(({ kind }) => kind) },
    ...(isOwnInitiative && { isOwnInitiative: { from: null, to: true } }),
  };
  await recordOnCase(context, row.id, { action: 'case.decided', changes });
  await tellStaff(tx, row.id);
  const [decision] = await decisionsWhere(tx, sql`d.id = ${decisionId}::uuid`, now);
  if (decision === undefined) throw notFound();
  return decision;
}

/** Whether a case is open only because staff opened it: no one reported the person, and no rule found them. */
async function isOpenedByStaff(tx: Db, caseId: string): Promise<boolean> {
  const { rows } = await sql<{
    isOwn: boolean | null;
  }>`select bool_and(source = 'own_initiative') as "isOwn" from report
    where case_id = ${caseId}::uuid and deleted_at is null and status in ('pending', 'in_progress')`.execute(tx);
  return rows[0]?.isOwn === true;
}

/**
 * How a case came to light unless the decision says otherwise: on our own initiative where no one else reported anything, and through
 * software if an automatic rule hit the person, or their words wait because of one or of a link to a ban.
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
async function closeReports(
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

/** Whether a decision keeps the person from signing in. */
const measuresBar = ({ sanctions = [] }: Given) => sanctions.some(({ kind }) => kind === 'suspend' || kind === 'ban');

/** What a decision does, in the present language. */
function measuresText({ sanctions = [] }: Given, isHeldBack: boolean): string {
  const kinds = new Set(sanctions.flatMap(({ content }) => content?.type ?? []));
  const removed = inOneSentence([...kinds].map((kind) => textOf(contentWords[kind])));
  const measures = [...new Map(sanctions.map((one) => [one.kind, one])).values()].flatMap(({ kind, days }) => [
    textOf(measureWords[kind], { content: removed }),
    ...(days === undefined
      ? []
      : [textOf(msg`This ends by itself after ${plural({ days }, { one: '# day', other: '# days' })}.`)]),
  ]);
  if (isHeldBack)
    measures.push(textOf(msg`Likes, notes and first messages that waited for this decision are not delivered.`));
  return measures.join(' ');
}

/** Mails the person of a case what was decided, why, and how to appeal. */
export async function notifyPerson(
  { tx, deps, now }: CommandContext,
  about: Appealable,
  given: Given,
  { isInterim = false } = {},
): Promise<void> {
  const { accountId } = about;
  const account = await tx
    .selectFrom('account')
    .select(['email', 'language'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const rule = await tx
    .selectFrom('community_rule')
    .select(['clause', 'version', 'title', 'body'])
    .where('id', '=', given.ruleId ?? '')
    .executeTakeFirstOrThrow();
  const shipped = shippedWords(rule);
  const words = (text: MessageDescriptor) => textOf(text, {}, account.language);
  const isHeldBack = !isInterim && (await isWithholding(tx, accountId, about.decisionId));
  const expiresAt = appealUntil(now);
  const data = {
    rule: shipped ? words(shipped.title) : rule.title,
    ruleText: shipped ? words(shipped.text) : rule.body,
    facts: given.facts ?? '',
    measures: inLanguage(account.language, () => measuresText(given, isHeldBack)),
    isBarred: String(measuresBar(given)),
    isInterim: String(isInterim),
    isAutomated: String(given.isDetectionAutomated ?? false),
    token: appealToken(deps.appealKey, { ...about, email: account.email }, expiresAt),
  };
  await queueMail(tx, { to: account.email, accountId, template: 'decisionMade', data, expiresAt }, now);
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
