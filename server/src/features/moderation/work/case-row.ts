import { msg } from '@lingui/core/runtime-macro';
import { type Selectable, sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { reportPriorities, type ReportPriority } from '#contract/moderation/reports.ts';
import { type CaseStep, type CriticalReason, mayTakeStep } from '#contract/moderation/cases.ts';
import { AppError, type ErrorBody, notFound } from '#platform/http/app-error.ts';
import type { Db } from '#platform/db/db.ts';
import { requireMayAct } from '#platform/session/access.ts';
import type { Caller } from '#platform/session/caller.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import type { Database } from '#platform/db/schema.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { reportUndoSeconds } from '#contract/constants.ts';
import { insertCaseEvent } from './case-event.ts';
import { dueOn, isLeasedByOther, isOpen, type ReportOfCase, stageNow, stepsFor, whyCritical } from './policy.ts';

export { eventActor, insertCaseEvent, system } from './case-event.ts';

/** The acting member of staff, the time and the transaction. */
export type StaffContext = Pick<CommandContext, 'tx' | 'caller' | 'now'>;

/** The context for changing a case. */
export interface CaseContext {
  tx: Db;
  deps: Pick<Deps, 'emit'>;
  now: Date;
}

export type CaseRow = Selectable<Database['moderation_case']>;

/** The case with this id, locked until the transaction ends. */
function lockCase(tx: Db, id: string): Promise<CaseRow | undefined> {
  return tx.selectFrom('moderation_case').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Locks the person of a case first, as filing a report does, so that both take their locks in the same order. */
export async function lockPersonOf(tx: Db, caseId: string): Promise<void> {
  await sql`select a.id from account a join moderation_case c on c.person_id = a.id where c.id = ${caseId}::uuid
    for no key update of a`.execute(tx);
}

/** A case that the member of staff may work on, locked until the transaction ends. Throws 404, and 403 if they are a party. */
export async function caseForStaff(tx: Db, caller: Caller, id: string): Promise<CaseRow> {
  const row = await lockCase(tx, id);
  if (row === undefined) throw notFound();
  await requireMayAct(tx, caller, 'case', id);
  return row;
}

/** Throws 409 with the colleague who has claimed the case, as long as their lease lasts. */
export function refuseLeased(
  row: CaseRow,
  accountId: string,
  now: Date,
  data: NonNullable<ErrorBody['data']> = {},
): void {
  if (!isLeasedByOther(row, accountId, now)) return;
  const holder = { _id: row.holder_id, name: row.holder_name ?? '', until: row.lease_until };
  throw new AppError('CASE_CLAIMED', msg`${{ name: holder.name }} is handling this case`, {
    data: { ...data, holder },
  });
}

/** Throws 409 unless the step is possible in the case's stage, and 403 unless this member of staff may take it. */
export function checkStep(row: CaseRow, caller: Caller, step: CaseStep, now: Date): void {
  if (stepsFor(row, caller, now).includes(step)) return;
  refuseLeased(row, caller.accountId, now);
  const stage = stageNow(row, now);
  if (!mayTakeStep(stage, step))
    throw new AppError('ILLEGAL_STEP', msg`This is not possible while the case is ${{ stage }}`);
  throw new AppError('FORBIDDEN', msg`You are not allowed to do this`);
}

export type CaseChange = Partial<Omit<CaseRow, 'id' | 'queue_at' | 'paused_ms'> & { paused_ms: number }>;

/**
 * Updates columns of a locked case, and records how long its first answer and its decision took. While its person is held, it is due when
 * the hold ends at the latest.
 */
export async function updateCase(tx: Db, before: CaseRow, change: CaseChange): Promise<void> {
  const holdEnd = sql`(select ends_at from account_hold h where h.account_id = person_id and h.ended_at is null)`;
  const due = change.due_at && { due_at: sql<Date>`least(${change.due_at}::timestamptz, ${holdEnd})` };
  await tx
    .updateTable('moderation_case')
    .set({ ...change, ...due })
    .where('id', '=', before.id)
    .execute();
  const isEnding = (['responded_at', 'decided_at'] as const).some(
    (column) => change[column] !== undefined && Number(change[column]) !== Number(before[column]),
  );
  if (isEnding)
    await keepTimes(tx, before, { ...before, ...change, paused_ms: String(change.paused_ms ?? before.paused_ms) });
}

/**
 * Sets the times of the first answer and the decision. A decision without an earlier answer counts as both. The clock of a reopened case
 * starts again, so only times after its start count. An answer undone within the seconds for undoing doesn't count.
 */
async function keepTimes(tx: Db, before: CaseRow, after: CaseRow): Promise<void> {
  const isTakenBack = (['decided_at', 'responded_at'] as const).some(
    (column) => before[column] !== null && after[column] === null,
  );
  if (isTakenBack)
    await tx
      .deleteFrom('case_time')
      .where('case_id', '=', before.id)
      .where('at', '>', secondsAfter(after.updated_at, -reportUndoSeconds))
      .execute();
  const took = (at: Date) =>
    Number(earliest([at, before.paused_at])) - Number(after.started_at) - Number(after.paused_ms);
  const ended = { response: after.responded_at ?? after.decided_at, decision: after.decided_at };
  const rows = (['response', 'decision'] as const).flatMap((what) => {
    const at = ended[what];
    if (at === null || at < after.started_at) return [];
    const { started_at, priority } = after;
    return [{ case_id: before.id, what, started_at, at, priority, took_ms: Math.max(0, took(at)) }];
  });
  if (rows.length > 0)
    await tx
      .insertInto('case_time')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

/** Notifies staff, after the commit, that a case has changed; with null, that their lists may contain others. */
export async function tellStaff(tx: Db, caseId: string | null): Promise<void> {
  await sql`select logic.notify_reports(null, ${caseId}::uuid)`.execute(tx);
}

/** The case of a person, opened if there is none. The person's account must be locked. Returns its id. */
export async function caseOf(tx: Db, personId: string, priority: ReportPriority, now: Date): Promise<string> {
  const known = await tx
    .selectFrom('moderation_case')
    .select('id')
    .where('person_id', '=', personId)
    .executeTakeFirst();
  if (known !== undefined) return known.id;
  const { id } = await tx
    .insertInto('moderation_case')
    .values({ person_id: personId, priority, opened_at: now, updated_at: now, started_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  await insertCaseEvent(tx, { case_id: id, at: now, kind: 'opened' });
  return id;
}

/** A report, whether it may hold the person, and whether it is critical for a reason other than the history of the two people. */
type JudgedReport = ReportOfCase & { may_hold: boolean; is_grave: boolean };

/** Whether the reports that may hold the person would make the case critical without the others. */
function holdsPerson(reports: readonly JudgedReport[], confirmedAt: Date | null): boolean {
  const able = reports.filter(({ may_hold }) => may_hold);
  return whyCritical(able, confirmedAt) !== null || able.some((report) => isOpen(report) && report.is_grave);
}

/**
 * The reports of a case, with the fields that the case depends on. Acts of staff and findings of software may hold the person; reports by
 * members do if they were judged so when filed, or after a colleague made them critical; an outsider report does once a colleague acted on
 * it.
 */
async function reportsOf(tx: Db, id: string): Promise<JudgedReport[]> {
  const { rows } = await sql<JudgedReport>`
    select coalesce(reporter_id, reporter_alias)::text as reporter, source, problem_type, may_be_minor and first_priority = 'critical' as may_be_minor, priority, status, created_at,
      first_responded_at, raised_by_staff, priority = 'critical' and (first_priority = 'critical' or raised_by_staff) as is_grave,
      raised_by_staff or source in ('own_initiative', 'automatic') or coalesce(power.may_hold, false)
        or source = 'outsider' and exists (select from report_event e where e.report_id = report.id and e.actor_id is not null) as may_hold
    from report left join report_power power on power.report_id = report.id
      cross join lateral (select priority = 'critical' and exists (select from report_event e
        where e.report_id = report.id and e.kind = 'priority' and e.to_value = 'critical') as raised_by_staff) raised
    where case_id = ${id}::uuid and deleted_at is null`.execute(tx);
  return rows;
}

/** Whether a colleague marked an emergency since the case started. */
async function isMarkedEmergency(tx: Db, id: string, since: Date): Promise<boolean> {
  const { rows } = await sql`select from emergency
    where case_id = ${id}::uuid and marked_at >= ${since}::timestamptz and marked_by_name is not null limit 1`.execute(
    tx,
  );
  return rows.length > 0;
}

/** How much an account has in common with banned people, in links that have not been reviewed. */
async function openLinks(tx: Db, personId: string | null): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from account_link where account_id = ${personId}::uuid and reviewed_at is null`.execute(
    tx,
  );
  return rows[0]?.count ?? 0;
}

const mostUrgent = (reports: readonly Pick<ReportOfCase, 'priority'>[]) =>
  reportPriorities.find((priority) => reports.some((report) => report.priority === priority));

const earliest = (moments: readonly (Date | null)[]) =>
  moments.reduce<Date | null>((first, at) => (at !== null && (first === null || at < first) ? at : first), null);

/**
 * Updates a case after one of its reports or links has changed: its urgency, its deadline, and whether anything is left to decide. A new or
 * reopened report, or a link to a banned person, reopens a decided case with a new clock. The case is closed with its last report, unless
 * links are waiting. Its person is held or released accordingly: a critical case holds them if reports that may do so make it critical, or
 * staff marked an emergency. `reportIds` are the reports that cause such a hold.
 */
export async function syncCase(
  { tx, deps, now }: CaseContext,
  id: string | null,
  reportIds: readonly string[] = [],
): Promise<void> {
  const row = id === null ? undefined : await lockCase(tx, id);
  if (row === undefined) return;
  const reports = await reportsOf(tx, row.id);
  const open = reports.filter(isOpen);
  const because = whyCritical(reports, row.confirmed_at);
  const hasLinks = (await openLinks(tx, row.person_id)) > 0;
  const isDecided = open.length === 0 && !hasLinks;
  const isClosing = row.stage !== 'decided' && isDecided;
  const isReopening = row.stage === 'decided' && !isDecided;
  const change = {
    ...changedBy(row, { reports, hasLinks, because }, now),
    updated_at: now,
    ...(isClosing && { stage: 'decided' as const, decided_at: now, due_at: null, ...noLease, paused_at: null }),
    ...(isReopening && { stage: 'open' as const, decided_at: null }),
  };
  await updateCase(tx, row, change);
  if (isClosing) await insertCaseEvent(tx, { case_id: row.id, at: now, kind: 'closed' });
  if (isReopening) await insertCaseEvent(tx, { case_id: row.id, at: now, kind: 'reopened' });
  if (because !== null && because !== row.critical_because)
    await insertCaseEvent(tx, { case_id: row.id, at: now, kind: 'raised_critical', to_value: because });
  if (because === 'minor' && row.critical_because !== 'minor')
    await deps.emit(tx, 'minorReported', { caseId: row.id, now });
  const mayHold =
    holdsPerson(reports, row.confirmed_at) ||
    (open.length > 0 && (await isMarkedEmergency(tx, row.id, change.started_at)));
  const changed = { caseId: row.id, personId: row.person_id, isDecided, mayHold, reportIds, now };
  await deps.emit(tx, 'caseChanged', changed);
}

/** The columns of a case that no one is handling. */
export const noLease = { holder_id: null, holder_name: null, lease_until: null };

function changedBy(
  row: CaseRow,
  found: { reports: readonly ReportOfCase[]; hasLinks: boolean; because: CriticalReason | null },
  now: Date,
) {
  const { reports, hasLinks, because } = found;
  const open = reports.filter(isOpen);
  const isDecided = open.length === 0 && !hasLinks;
  const isStartingOver = row.stage === 'decided' && !isDecided;
  const urgent = mostUrgent(hasLinks ? [...open, { priority: 'high' }] : open);
  const priority = because === null ? (urgent ?? row.priority) : 'critical';
  const startedAt = isStartingOver ? now : row.started_at;
  const responded = isDecided ? row.responded_at : earliest(open.map(({ first_responded_at }) => first_responded_at));
  const pausedMs = isStartingOver ? 0 : Number(row.paused_ms);
  const due_at = dueOn({
    priority,
    startedAt,
    pausedMs,
    isPaused: row.paused_at !== null,
    isDecided,
    hasResponse: responded !== null,
  });
  return {
    priority,
    critical_because: because,
    started_at: startedAt,
    responded_at: responded,
    paused_ms: pausedMs,
    due_at,
    report_count: reports.length,
    open_reports: open.length,
  };
}

/** Restarts a stopped clock: the remaining time is the same as when it was stopped. */
export function resumedClock(row: CaseRow, now: Date): CaseChange {
  const pausedMs = Number(row.paused_ms) + (row.paused_at === null ? 0 : now.getTime() - row.paused_at.getTime());
  const due_at = dueOn({
    priority: row.priority,
    startedAt: row.started_at,
    pausedMs,
    isPaused: false,
    isDecided: false,
    hasResponse: row.responded_at !== null,
  });
  return { paused_at: null, paused_ms: pausedMs, due_at };
}

/** Gives a case that waited for its reporter back to the colleague who had it. */
export async function resumeCase(tx: Db, row: CaseRow, now: Date): Promise<void> {
  const stage = row.holder_id === null ? 'open' : 'assigned';
  await updateCase(tx, row, { stage, updated_at: now, ...resumedClock(row, now) });
  await insertCaseEvent(tx, { case_id: row.id, at: now, kind: 'resumed' });
}
