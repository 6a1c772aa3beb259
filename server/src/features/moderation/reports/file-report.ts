import type { MessageDescriptor } from '@lingui/core';
import { msg, plural } from '@lingui/core/runtime-macro';
import { type MailTemplates, queueMail } from '#platform/notify/mail.ts';
import { randomUUID } from 'node:crypto';
import { type Insertable, sql } from 'kysely';
import type { createReport, ReportPriority } from '#contract/moderation/reports.ts';
import { answerWithinHours } from '#contract/moderation/staff-reports.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { Language } from '#contract/languages.ts';
import type { Caller } from '#platform/session/caller.ts';
import { isUuid } from '#platform/db/uuid.ts';
import { invalid } from '#platform/http/app-error.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { textOf } from '#platform/texts.ts';
import type { Db } from '#platform/db/db.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { hide, noteFrom } from '../../connections/public.ts';
import { conversationCopy, type ConversationCopy } from '../../messages/public.ts';
import { userById, userShownTo } from '../../profiles/public.ts';
import { caseOf, syncCase } from '../work/case-row.ts';
import { judgePower } from './report-power.ts';
import { freeze, freezeMessages, freezeNote } from './evidence.ts';
import { dueAt, firstPriority, type History, raisesBy, reference } from './policy.ts';
import { insertEvent, type staffActor } from './report-row.ts';
import type { Database } from '#platform/db/schema.ts';

const reportLink = (publicUrl: string, id: string) => new URL(`/app/support/${id}`, publicUrl).href;

/** The mail to reporters. It says that there is something to read, but contains neither that text nor anything about other people. */
export const reportMails = {
  reportReceived: (data, publicUrl) => ({
    subject: msg`We received your message`,
    heading: msg`Thank you, we received your report`,
    paragraphs: [
      msg`Your report number is ${{ reference: data['reference'] }}. Someone on our team will read it and reply ${{ within: data['within'] ?? textOf(msg`soon`) }}.`,
      msg`Your report stays with our team. The people you report never learn who reported them.`,
    ],
    button: { text: msg`View your report`, url: reportLink(publicUrl, data['id'] ?? '') },
  }),
} satisfies MailTemplates;

const hoursInWords: Record<number, MessageDescriptor> = {
  1: msg`within an hour`,
  4: msg`within four hours`,
  24: msg`within a day`,
  72: msg`within three days`,
};

/** The response time as text for a mail. */
const withinHours = (hours: number, language: Language): string =>
  textOf(
    hoursInWords[hours] ?? msg`within ${plural({ hours }, { one: 'an hour', other: '# hours' })}`,
    { hours },
    language,
  );

type Given = BodyOf<typeof createReport>;
type Reference = NonNullable<Given['evidence']>[number];

/** The differences for a report that a member files without the form. */
interface Filing {
  /** The priority instead of the one for the type. */
  priority?: ReportPriority;
  /** Whether the reporter gets a receipt by email. */
  isMailed?: boolean;
}

/**
 * Files a report within the current transaction: freezes the evidence, sets the priority, hides the two people from each other unless
 * declined, and mails a receipt. Returns the report's id. Any id can be reported, visible or not: a refusal would reveal who is a member,
 * and people who harass and then hide must still be reportable. Without an id, the conversation identifies the person; the reporter learns
 * nothing about them, nor whether the conversation exists. Throws 400 for reporting oneself, malformed ids, another person's evidence, and
 * two conversations at once.
 */
export async function fileReport(
  context: CommandContext,
  given: Given,
  { priority: filedAs, isMailed = true }: Filing = {},
): Promise<string> {
  const { tx, deps, caller, now } = context;
  const namedId = given.reportedUser ?? null;
  const evidence = given.evidence ?? [];
  checkNamed(caller, namedId, evidence);
  const conversation = await conversationPointedAt(tx, caller, namedId, evidence);
  const aboutId = namedId ?? conversation?.otherId ?? null;
  const user = aboutId === null ? undefined : await userById(tx, aboutId);
  const seen = namedId === null ? undefined : await userShownTo(tx, caller, namedId);

  // An account without a confirmed address can be created in seconds, so its reports are read, but raise no emergency.
  const isUrgent = given.mayBeMinor === true && caller.emailVerifiedAt !== null;
  const first = filedAs ?? firstPriority(given.problem_type, isUrgent);
  const raises = user === undefined ? [] : raisesBy(first, await historyOf(tx, user, caller.accountId, now));
  const priority = raises.at(-1)?.to ?? first;
  const caseId = user === undefined ? null : await caseOf(tx, user.id, priority, now);
  const id = await insertReport(tx, {
    reporter_id: caller.accountId,
    reported_id: user?.id ?? null,
    named_id: namedId,
    named_name: seen?.first_name ?? null,
    problem_type: given.problem_type,
    description: given.description,
    may_be_minor: given.mayBeMinor ?? false,
    first_priority: first,
    priority,
    created_at: now,
    updated_at: now,
    due_at: dueAt(now, priority),
    case_id: caseId,
  });
  const filed = { report_id: id, at: now };
  await insertEvent(tx, {
    ...filed,
    kind: 'filed',
    actor_id: caller.accountId,
    actor_role: 'reporter',
    to_value: first,
  });
  for (const { from, to, reason } of raises) {
    await insertEvent(tx, { ...filed, kind: 'raised', actor_role: 'system', from_value: from, to_value: to, reason });
  }
  const about = { id, problem_type: given.problem_type, may_be_minor: given.mayBeMinor ?? false };
  const holding = user && caseId !== null ? await judgePower(context, { ...about, caseId, personId: user.id }) : [];
  await syncCase(context, caseId, holding);
  if (user !== undefined) await freeze(context, id, user, picturesPointedAt(evidence));
  if (conversation !== undefined) await freezeMessages(context, id, conversation, placesPointedAt(evidence));
  const conversationId = evidence.find(({ type }) => type === 'message')?.id;
  if (conversation !== undefined && conversationId !== undefined)
    await deps.emit(tx, 'conversationReported', { reportId: id, conversationId, reporterId: caller.accountId, now });
  const note = evidence.some(({ type }) => type === 'note') ? await noteFrom(tx, caller.accountId, aboutId) : null;
  if (note !== null) await freezeNote(context, id, note);
  if (aboutId !== null && given.hideFromEachOther !== false && caller.staffRole === null) {
    const how = namedId === null ? 'unlisted' : 'listed';
    await hide(context, { blockerId: caller.accountId, blockedId: aboutId, how });
  }
  if (!isMailed) return id;
  const data = { id, reference: reference(id), within: withinHours(answerWithinHours[first], caller.language) };
  await queueMail(tx, { to: caller.email, accountId: caller.accountId, template: 'reportReceived', data }, now);
  return id;
}

const picturesPointedAt = (evidence: readonly Reference[]) =>
  evidence.filter(({ type }) => type === 'picture').map(({ id }) => id);

const placesPointedAt = (evidence: readonly Reference[]) =>
  evidence.flatMap((one) => (one.type === 'message' && one.seq !== undefined ? [one.seq] : []));

/** The reported conversation, unless it is with a different person than the one named. */
async function conversationPointedAt(
  tx: Db,
  caller: Caller,
  namedId: string | null,
  evidence: readonly Reference[],
): Promise<ConversationCopy | undefined> {
  const pointedAt = evidence.find(({ type }) => type === 'message');
  if (pointedAt === undefined) return undefined;
  const copy = await conversationCopy(tx, caller.accountId, pointedAt.id, placesPointedAt(evidence));
  return namedId === null || copy?.otherId === namedId ? copy : undefined;
}

function checkNamed(caller: Caller, namedId: string | null, evidence: readonly Reference[]): void {
  if (namedId !== null && !isUuid(namedId)) throw invalid('reportedUser', msg`This is not a valid member id`);
  if (namedId === caller.accountId) throw invalid('reportedUser', msg`You cannot report yourself`);
  const conversationId = evidence.find(({ type }) => type === 'message')?.id;
  evidence.forEach(({ type, id }, index) => {
    const field = `evidence.${index}.id`;
    // Pictures and conversations that aren't theirs (any more) are left out silently, because a refusal would reveal what exists.
    const isOfThem = type === 'message' || (type === 'picture' ? namedId !== null : id === namedId);
    if (!isOfThem) throw invalid(field, msg`This doesn't belong to the person you're reporting`);
    if (type === 'message' && id !== conversationId) throw invalid(field, msg`Report one conversation at a time`);
  });
}

type NewReport = Pick<
  Insertable<Database['report']>,
  'problem_type' | 'description' | 'first_priority' | 'priority' | 'created_at' | 'updated_at' | 'due_at'
> &
  Partial<Insertable<Database['report']>>;

/** Inserts a report and returns its id. */
export async function insertReport(tx: Db, report: NewReport): Promise<string> {
  const id = randomUUID();
  const { reporter_id = null, reported_id = null, description } = report;
  await tx
    .insertInto('report')
    .values({
      id,
      reporter_alias: null,
      reported_alias: null,
      named_id: null,
      named_name: null,
      first_responded_at: null,
      unread_since: null,
      deleted_at: null,
      case_id: null,
      ...report,
      reporter_id,
      reported_id,
      search_text: sql<string>`logic.report_search_text(${id}::uuid, ${description}, ${reporter_id}::uuid,
        ${reported_id}::uuid)`,
    })
    .execute();
  return id;
}

/** Inserts a report that no member filed, which is in no list of reports, with its first event; returns its id. */
export async function insertCaseReport(
  tx: Db,
  report: Omit<NewReport, 'first_priority' | 'created_at' | 'updated_at' | 'due_at'>,
  by: Partial<ReturnType<typeof staffActor>>,
  now: Date,
): Promise<string> {
  const { priority } = report;
  const report_id = await insertReport(tx, {
    ...report,
    first_priority: priority,
    created_at: now,
    updated_at: now,
    due_at: dueAt(now, priority),
    opened_at: now,
    is_listed: false,
    awaits_staff: false,
  });
  await insertEvent(tx, { report_id, at: now, kind: 'filed', actor_role: 'system', ...by, to_value: priority });
  return report_id;
}

/** The reported person's history at the time of filing. Locks their row, so that two concurrent reporters see each other's reports. */
async function historyOf(
  tx: Db,
  person: { id: string; created_at: Date },
  reporterId: string,
  now: Date,
): Promise<History> {
  await tx.selectFrom('account').select('id').where('id', '=', person.id).forNoKeyUpdate().execute();
  const other = await tx
    .selectFrom('report')
    .select('id')
    .where('reported_id', '=', person.id)
    .where('created_at', '>', secondsAfter(now, -30 * 86_400))
    .where('deleted_at', 'is', null)
    // A case that staff opened themselves is not another member's report.
    .where('is_listed', '=', true)
    .where(sql<boolean>`reporter_id is distinct from ${reporterId}::uuid`)
    .limit(1)
    .executeTakeFirst();
  return { hasOtherReporter: other !== undefined, isNew: person.created_at > secondsAfter(now, -86_400) };
}
