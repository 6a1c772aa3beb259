import { msg } from '@lingui/core/runtime-macro';
import { type RawBuilder, sql } from 'kysely';
import { outranks } from '#contract/roles.ts';
import { type StaffRole, staffRoles } from '#contract/staff-roles.ts';
import { AppError, involved, notFound } from '../http/app-error.ts';
import type { Db } from '../db/db.ts';
import type { Caller } from './caller.ts';
import { isUuid } from '../db/uuid.ts';
import { type Involvement, mayActOn } from './parties.policy.ts';

/** What decides on which people a colleague may act. */
export type Staff = Pick<Caller, 'accountId' | 'staffRole'>;

/** A colleague and the people they are involved with or judge again, for views that show what they may do. */
export async function withInvolvement<T extends { accountId: string }>(db: Db, staff: T): Promise<T & Involvement> {
  const { rows } = await sql<{ id: string }>`
    select id from logic.hidden_people(${staff.accountId}::uuid) as people (id)`.execute(db);
  return { ...staff, involvedWith: new Set(rows.map(({ id }) => id)) };
}

/** The people whose case a member of staff judges again. */
export async function peopleJudgedBy(db: Db, { accountId }: Pick<Staff, 'accountId'>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from logic.judged_people(${accountId}::uuid) as judged (id)`.execute(db);
  return rows.map(({ id }) => id);
}

/** Throws 403 while a member of staff has a second look at this case or person: their pages show what was decided. */
export async function refuseWhileJudging(
  db: Db,
  accountId: string,
  { caseId = null, personId = null }: { caseId?: string | null; personId?: string | null },
): Promise<void> {
  const { rows } = await sql`select where ${caseId}::uuid in (select logic.judged_cases(${accountId}::uuid))
    or ${personId}::uuid in (select logic.judged_people(${accountId}::uuid))`.execute(db);
  if (rows.length > 0)
    throw new AppError(
      'FORBIDDEN',
      msg`You have a second look at this case. Judge or skip it first: this page shows the decision.`,
    );
}

/**
 * Throws unless a colleague may act on the person with this id: 403, which is audited, or 404 for an unknown id. Every
 * staff endpoint about a person checks this first.
 */
export async function requireMayActOn(db: Db, staff: Staff, id: string): Promise<void> {
  const { rows } = await sql<{ id: string; staff_role: StaffRole | null }>`
    select id, staff_role from account where id = ${isUuid(id) ? id : null}::uuid`.execute(db);
  const [person] = rows;
  if (person === undefined) throw notFound();
  await refuseWhileJudging(db, staff.accountId, { personId: id });
  const viewer = await withInvolvement(db, staff);
  if (mayActOn(viewer, person)) return;
  const denied = { type: 'user', id } as const;
  if (viewer.involvedWith.has(id)) throw involved(denied);
  throw new AppError('FORBIDDEN', msg`You are not allowed to do this`, { denied });
}

/**
 * The people a colleague may not act on, as in `mayActOn`, for conditions on many rows: lists must not show by a filter or a count
 * what is hidden of one person.
 */
export function peopleOutOfReach({ accountId, staffRole }: Staff): RawBuilder<unknown> {
  const above = staffRoles.filter((role) => outranks(role, staffRole));
  return sql`select logic.hidden_people(${accountId}::uuid)
    union all select id from account where staff_role = any (${above}::text[])`;
}
