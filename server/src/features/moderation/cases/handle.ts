import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import {
  caseSteps,
  claimsMax,
  type handleCase,
  type HandlingStep,
  stepsWithReason,
} from '#contract/moderation/cases.ts';
import { may } from '#contract/roles.ts';
import { AppError, invalid, notFound } from '#platform/http/app-error.ts';
import { actorOf } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { fullName } from '#platform/session/own-user.ts';
import { seenBy } from '#platform/session/access.ts';
import type { Caller } from '#platform/session/caller.ts';
import { isUuid } from '#platform/db/uuid.ts';
import { changeReports } from '../reports/report-row.ts';
import { actOnCase } from '../work/act.ts';
import {
  type CaseChange,
  caseForStaff,
  type CaseRow,
  checkStep,
  noLease,
  refuseLeased,
  resumedClock,
  syncCase,
  updateCase,
} from '../work/case-row.ts';
import { isLeasedByOther, isOpen, leaseEnd, stageNow } from '../work/policy.ts';
import { staffCase } from './reads.ts';

const actOfStep = {
  release: 'released',
  assign: 'assigned',
  escalate: 'escalated',
  waitForReporter: 'waiting_reporter',
  waitForAuthority: 'waiting_authority',
  resume: 'resumed',
  reopen: 'reopened',
} as const satisfies Record<HandlingStep, string>;

/**
 * Takes one step with a case. Throws 404; 409 for an illegal step, and while a colleague has the case unless the caller takes it over;
 * 400 if a required reason is missing.
 */
export async function handle(
  context: CommandContext,
  { id, step, reason, assigneeId }: ParamsOf<typeof handleCase> & BodyOf<typeof handleCase>,
): ReturnType<typeof staffCase> {
  const { tx, caller, now } = context;
  const row = await caseForStaff(tx, caller, id);
  checkStep(row, caller, step, now);
  const needsReason = stepsWithReason.includes(step) || isLeasedByOther(row, caller.accountId, now);
  if (reason === undefined && needsReason) throw invalid('reason', msg`Say why`);
  const assignee = await colleague(tx, caller, row, step === 'assign' ? (assigneeId ?? null) : null);
  await updateCase(tx, row, {
    stage: caseSteps[step].to,
    updated_at: now,
    lease_until: null,
    ...changeOfStep(row, step, assignee, now),
  });
  if (step === 'reopen') {
    await reopenReports(context, row, reason ?? '');
    await syncCase(context, id);
  }
  const to = step === 'assign' ? assignee.name : null;
  const changes = { stage: { from: row.stage, to: caseSteps[step].to } };
  await actOnCase(context, id, { what: actOfStep[step], to, reason, changes });
  if (step === 'assign' && assignee.id !== caller.accountId)
    await tellAssignee(tx, assignee.id, id, actorOf(caller).name);
  return await staffCase(tx, caller, id, now);
}

/** Notifies a member of staff, after the commit, that a colleague has assigned a case to them. */
const tellAssignee = (tx: Db, id: string, caseId: string, by: string) =>
  sql`select pg_notify('heartwood', json_build_object('what', 'assigned', 'id', ${id}::text, 'caseId', ${caseId}::text,
    'by', ${by}::text)::text)`.execute(tx);

interface Colleague {
  id: string;
  name: string;
}

function changeOfStep(row: CaseRow, step: HandlingStep, to: Colleague, now: Date): CaseChange {
  const holder = { holder_id: to.id, holder_name: to.name };
  switch (step) {
    case 'release':
    case 'escalate':
      return noLease;
    case 'assign':
      return holder;
    case 'waitForReporter':
    case 'waitForAuthority':
      return { ...holder, paused_at: now, due_at: null };
    case 'resume':
      return { ...holder, ...resumedClock(row, now) };
    case 'reopen':
      return { ...holder, started_at: now, decided_at: null, paused_ms: 0 };
  }
}

/** Sets the reports of the last round back to in progress or, if all of them had been closed earlier, the newest report. */
async function reopenReports(context: CommandContext, { id, started_at }: CaseRow, reason: string): Promise<void> {
  const { tx } = context;
  const all = await tx
    .selectFrom('report')
    .select(['id', 'status', 'created_at', 'reporter_id', 'source'])
    .where('case_id', '=', id)
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .forUpdate()
    .execute();
  if (all.length === 0) await reopenLinks(tx, id);
  const ofRound = all.filter(({ created_at, status }) => created_at >= started_at && !isOpen({ status }));
  const reopened = ofRound.length > 0 ? ofRound : all.slice(0, 1);
  const changes = reopened.map((report) => ({ report, message: null, to: 'in_progress' as const }));
  await changeReports(context, changes, reason);
}

/** A case without reports was opened because of what the person has in common with banned people. */
async function reopenLinks(tx: Db, caseId: string): Promise<void> {
  await sql`update account_link set reviewed_at = null
    where account_id = (select person_id from moderation_case where id = ${caseId}::uuid)`.execute(tx);
}

/**
 * The person who takes over the case: the caller, or the named colleague. Throws 404 unless that is a member of staff who isn't a party to
 * the case.
 */
async function colleague(tx: Db, caller: Caller, row: CaseRow, id: string | null): Promise<Colleague> {
  if (id === null || id === caller.accountId) return { id: caller.accountId, name: actorOf(caller).name };
  if (!may(caller.staffRole, 'cases.lead'))
    throw new AppError('FORBIDDEN', msg`Only senior moderators and administrators can assign cases to others`);
  const person = isUuid(id)
    ? await tx
        .selectFrom('account')
        .innerJoin('profile', 'profile.account_id', 'account.id')
        .select(['account.id', 'account.staff_role', 'first_name', 'last_name'])
        .where('account.id', '=', id)
        .where('staff_role', 'is not', null)
        .where('is_active', '=', true)
        .where(seenBy({ accountId: sql.ref('account.id') }, 'case', sql`${row.id}::uuid`))
        .executeTakeFirst()
    : undefined;
  if (person === undefined || !may(person.staff_role, 'cases.handle')) throw notFound();
  return { id: person.id, name: fullName(person.first_name, person.last_name) ?? person.staff_role ?? '' };
}

/** Throws 409 once a colleague has claimed the maximum number of other cases. Their claims wait for each other until the transaction ends. */
async function requireFewClaims({ tx, caller, now }: CommandContext, id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${caller.accountId}::text, 16))`.execute(tx);
  const { rows } =
    await sql`select from moderation_case where holder_id = ${caller.accountId}::uuid and stage = 'claimed'
    and lease_until > ${now}::timestamptz and id <> ${id}::uuid limit ${claimsMax}`.execute(tx);
  if (rows.length === claimsMax)
    throw new AppError('CONFLICT', msg`You have claimed ${{ claimsMax }} cases. Decide or release some of them first.`);
}

/**
 * Claims a case for ten minutes; repeating it renews the claim. Throws 404, and 409 with the holder while a colleague has it or with too
 * many other cases claimed.
 */
export async function claim(context: CommandContext, { id }: { id: string }): ReturnType<typeof staffCase> {
  const { tx, caller, now } = context;
  const row = await caseForStaff(tx, caller, id);
  checkStep(row, caller, 'claim', now);
  await requireFewClaims(context, id);
  const isRenewal = row.stage === 'claimed' && row.holder_id === caller.accountId;
  const name = actorOf(caller).name;
  const lease = { holder_id: caller.accountId, holder_name: name, lease_until: leaseEnd(now) };
  await updateCase(tx, row, { stage: 'claimed', ...lease });
  if (!isRenewal) await actOnCase(context, id, { what: 'claimed' });
  return await staffCase(tx, caller, id, now);
}

/** Renews the caller's claim. Throws 404, and 409 if a colleague has the case by now or the claim has expired. */
export async function renew({ tx, caller, now }: CommandContext, { id }: { id: string }): ReturnType<typeof staffCase> {
  const row = await caseForStaff(tx, caller, id);
  refuseLeased(row, caller.accountId, now);
  if (stageNow(row, now) !== 'claimed') throw new AppError('ILLEGAL_STEP', msg`Your claim has ended`);
  await updateCase(tx, row, { lease_until: leaseEnd(now) });
  return await staffCase(tx, caller, id, now);
}
