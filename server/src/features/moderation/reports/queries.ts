import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { ReportPriority, ReportType } from '#contract/moderation/report.ts';
import { secondsAfter } from '../../../platform/process/clock.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { Database, ReportTable } from '../../../platform/db/schema.ts';
import type { History } from './policy.ts';

export type LockedReport = Selectable<ReportTable>;

/** A report that is not deleted and not about `exceptAbout`, held until the transaction ends; undefined if there is none. */
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

/** Writes a new report and answers its id. */
export async function insertReport(
  tx: Db,
  report: {
    reporterId: string;
    reportedId: string | null;
    namedId: string | null;
    namedName: string | null;
    type: ReportType;
    description: string;
    mayBeMinor: boolean;
    firstPriority: ReportPriority;
    priority: ReportPriority;
    dueAt: Date;
  },
  now: Date,
): Promise<string> {
  const { id } = await tx
    .insertInto('report')
    .values({
      reporter_id: report.reporterId,
      reported_id: report.reportedId,
      reporter_alias: null,
      reported_alias: null,
      named_id: report.namedId,
      named_name: report.namedName,
      problem_type: report.type,
      description: report.description,
      may_be_minor: report.mayBeMinor,
      first_priority: report.firstPriority,
      priority: report.priority,
      created_at: now,
      updated_at: now,
      due_at: report.dueAt,
      first_responded_at: null,
      unread_since: null,
      deleted_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Changes columns of a report. */
export async function updateReport(tx: Db, id: string, change: Updateable<ReportTable>): Promise<void> {
  await tx.updateTable('report').set(change).where('id', '=', id).execute();
}

/** Adds to the timeline of a report; answers the entry's id. */
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

/** The newest change of status of a report, undone or not. */
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

/** When something last happened to a report that its reporter may know of. */
export async function lastPublicMoment(tx: Db, reportId: string): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`
    select greatest(r.created_at,
      (select max(created_at) from report_reply where report_id = r.id and not is_internal),
      (select max(at) from report_event where report_id = r.id and kind = 'status' and undone_at is null)) as at
    from report r where r.id = ${reportId}::uuid`.execute(tx);
  return rows[0]?.at ?? new Date(0);
}

/** When staff first answered a report in public, or null. */
export async function firstStaffReplyAt(tx: Db, reportId: string): Promise<Date | null> {
  const { at } = await tx
    .selectFrom('report_reply')
    .select((eb) => eb.fn.min('created_at').as('at'))
    .where('report_id', '=', reportId)
    .where('is_internal', '=', false)
    .where('author_role', '<>', 'reporter')
    .executeTakeFirstOrThrow();
  return at;
}

/** What the history of somebody says about a report that `reporterId` files now; the person's row is held, so that two who report at once see each other. */
export async function historyOf(
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
    .where(sql<boolean>`reporter_id is distinct from ${reporterId}::uuid`)
    .limit(1)
    .executeTakeFirst();
  return { hasOtherReporter: other !== undefined, isNew: person.created_at > secondsAfter(now, -86_400) };
}
