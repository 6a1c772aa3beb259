import type { MessageDescriptor } from '@lingui/core';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { ReportStatus } from '#contract/moderation/reports.ts';
import { isWithoutReporter } from '#contract/moderation/staff-reports.ts';
import { requireMayAct } from '#platform/session/access.ts';
import type { Caller } from '#platform/session/caller.ts';
import { notFound } from '#platform/http/app-error.ts';
import { actorOf, audit } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import { notifyAll } from '#platform/notify/notify.ts';
import type { Database } from '#platform/db/schema.ts';
import { textOf } from '#platform/texts.ts';
import type { CaseRow, StaffContext } from '../work/case-row.ts';
import { isInScope, isUnanswered } from './policy.ts';

export type LockedReport = Selectable<Database['report']>;

/** The event columns that identify a staff member. */
export const staffActor = (caller: Caller) => ({
  actor_id: caller.accountId,
  actor_role: caller.staffRole ?? ('reporter' as const),
  actor_name: actorOf(caller).name,
});

/** A report that isn't deleted and isn't about `exceptAbout`, locked until the transaction ends; undefined if there is none. */
export function lockReport(tx: Db, id: string, exceptAbout: string | null): Promise<LockedReport | undefined> {
  return tx
    .selectFrom('report')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`(reported_id is null or reported_id is distinct from ${exceptAbout}::uuid)`)
    .forUpdate()
    .executeTakeFirst();
}

/** A report the staff member may work on, locked until the transaction ends. Throws 404 if it is deleted, 403 if they are a party. */
export async function reportForStaff(tx: Db, caller: Caller, id: string): Promise<LockedReport> {
  const report = await lockReport(tx, id, null);
  if (report === undefined || isUnanswered(report) || !isInScope(caller.staffRole, report)) throw notFound();
  await requireMayAct(tx, caller, 'report', id);
  return report;
}

/** The case of a report. It is locked before the report itself, as in every command that changes both. */
export async function lockCaseOf(tx: Db, reportId: string): Promise<CaseRow | undefined> {
  return await tx
    .selectFrom('moderation_case')
    .selectAll()
    .where('id', 'in', tx.selectFrom('report').select('case_id').where('id', '=', reportId))
    .forUpdate()
    .executeTakeFirst();
}

/** Updates columns of a report. */
export async function updateReport(tx: Db, id: string, change: Updateable<Database['report']>): Promise<void> {
  await tx.updateTable('report').set(change).where('id', '=', id).execute();
}

/** Adds an event to the timeline of a report; returns its id. */
export async function insertEvent(
  tx: Db,
  event: Pick<Insertable<Database['report_event']>, 'report_id' | 'at' | 'kind' | 'actor_role'> &
    Partial<Insertable<Database['report_event']>>,
): Promise<string> {
  const { id } = await tx
    .insertInto('report_event')
    .values({
      actor_id: null,
      actor_name: null,
      from_value: null,
      to_value: null,
      reason: null,
      undone_at: null,
      ...event,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The action in the audit trail for each kind of event that staff cause on a report. */
const actions = {
  status: 'report.statusChanged',
  undone: 'report.statusUndone',
  reply: 'report.replied',
  note: 'report.noted',
} as const;

/** Records what staff do to a report in its timeline and in the audit trail; returns the id of the event. */
export async function actOnReport(
  context: StaffContext,
  id: string,
  kind: keyof typeof actions,
  event: Partial<
    Pick<Insertable<Database['report_event']>, 'from_value' | 'to_value' | 'was_first_response' | 'notice_due_since'>
  > = {},
): Promise<string> {
  const { tx, caller, now } = context;
  const { from_value: from, to_value: to } = event;
  const eventId = await insertEvent(tx, { report_id: id, at: now, kind, ...staffActor(caller), ...event });
  await audit(
    context,
    { type: 'report', id },
    actions[kind],
    to === undefined ? {} : { changes: { status: { from, to } } },
  );
  return eventId;
}

/** What staff change on one of several reports. */
export interface ReportChange {
  report: Pick<LockedReport, 'id' | 'status' | 'reporter_id' | 'source'>;
  /** The paragraphs of the answer to its reporter, if there is one; texts are translated into the reporter's language. */
  message: (MessageDescriptor | string)[] | null;
  to: ReportStatus | null;
}

/**
 * Answers the reporters of locked reports and changes their status, with `reason` in their timelines. The number of statements doesn't
 * depend on the number of reports, because a case may have hundreds.
 */
export async function changeReports(
  { tx, caller, now }: StaffContext,
  asked: readonly ReportChange[],
  reason: string | null = null,
): Promise<void> {
  if (asked.length === 0) return;
  const reporters = asked.flatMap(({ report }) => report.reporter_id ?? []);
  const speaking = await tx
    .selectFrom('account')
    .select(['id', 'language'])
    .where(sql<boolean>`id = any (${reporters}::uuid[])`)
    .execute();
  const changes = asked.map(({ message: said, ...one }) => {
    const { reporter_id: id, source } = one.report;
    const language = speaking.find((reporter) => reporter.id === id)?.language ?? 'en';
    const words = said?.map((text) => (typeof text === 'string' ? text : textOf(text, {}, language)));
    return { ...one, message: isWithoutReporter(source) ? null : (words?.join('\n\n') ?? null) };
  });
  const actor = staffActor(caller);
  const given = sql`(
    select * from unnest(
      ${changes.map(({ report }) => report.id)}::uuid[], ${changes.map(({ report }) => report.status)}::text[],
      ${changes.map(({ message }) => message)}::text[], ${changes.map(({ to }) => to)}::text[])
      with ordinality as given (id, from_status, message, to_status, place)) given`;
  await sql`
    insert into report_reply (report_id, message, is_internal, author_id, author_role, author_name, created_at)
    select id, message, false, ${actor.actor_id}::uuid, ${actor.actor_role}::text, ${actor.actor_name}::text, ${now}::timestamptz
    from ${given} where message is not null order by place`.execute(tx);
  await sql`
    update report r set updated_at = ${now}::timestamptz, status = coalesce(to_status, r.status),
      reply_count = r.reply_count + (message is not null)::int, awaits_staff = r.awaits_staff and message is null,
      unread_since = case when message is null then r.unread_since else coalesce(r.unread_since, ${now}::timestamptz) end,
      first_responded_at = case when message is null then r.first_responded_at else coalesce(r.first_responded_at, ${now}::timestamptz) end
    from ${given} where r.id = given.id`.execute(tx);
  await sql`
    insert into report_event (report_id, at, kind, actor_id, actor_role, actor_name, from_value, to_value, reason)
    select id, ${now}::timestamptz, kind, ${actor.actor_id}::uuid, ${actor.actor_role}::text, ${actor.actor_name}::text,
      from_value, to_value, reason
    from ${given} cross join lateral (values
      (1, 'reply', message is not null, null, null, null),
      (2, 'status', to_status is not null, from_status, to_status, ${reason}::text)
    ) event (step, kind, happened, from_value, to_value, reason) where happened order by place, step`.execute(tx);
  const told = changes.flatMap(({ report, message }) =>
    message === null || report.reporter_id === null ? [] : [{ accountId: report.reporter_id, subjectId: report.id }],
  );
  await notifyAll(tx, 'report', told, now);
}

/** The newest status change of a report, undone or not. */
export function lastStatusChange(tx: Db, reportId: string) {
  return tx
    .selectFrom('report_event')
    .selectAll()
    .where('report_id', '=', reportId)
    .where('kind', '=', 'status')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}
