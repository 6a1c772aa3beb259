import { msg } from '@lingui/core/runtime-macro';
import { type RawBuilder, sql } from 'kysely';
import { outranks } from '#contract/roles.ts';
import { type StaffRole, staffRoles } from '#contract/staff-roles.ts';
import { AppError, involved, notFound } from '../http/app-error.ts';
import type { Db } from '../db/db.ts';
import type { Caller } from './caller.ts';
import { isUuid } from '../db/uuid.ts';
import type { Involvement } from './access.policy.ts';

/** Determines which people, cases and reports a member of staff may see and act on. */
export type Staff = Pick<Caller, 'accountId' | 'staffRole'>;

/** The viewer: a member of staff or, for many at once, those whose id is in a column. The role matters only for `reach`. */
interface Viewer {
  accountId: string | RawBuilder<unknown>;
  staffRole?: StaffRole | null;
  /** The hidden ids, as far as they were read for the whole request. */
  hides?: Hides;
}

type Hides = Partial<Record<Id, readonly string[]>>;

/**
 * The ids that are hidden from staff, by what they would reveal; `server/sql/reports.sql` defines who is a party, and who reviews again.
 */
const hidden = {
  /** Their own accounts. */
  self: ({ accountId }: Viewer) => sql`select id from logic.own_accounts(${accountId}::uuid) id`,
  /** The existence of a case: hidden from its parties. */
  case: ({ accountId }: Viewer) => sql`select id from logic.own_cases(${accountId}::uuid) id`,
  /** The decision in a case: also hidden from colleagues who review it again. */
  decision: ({ accountId }: Viewer) => sql`select id from logic.hidden_cases(${accountId}::uuid) id`,
  /** The state of an account: hidden from colleagues who review its case again, because it reveals the decision. */
  account: ({ accountId }: Viewer) => sql`select id from logic.judged_people(${accountId}::uuid) id`,
  /** Facts about a person, such as cases and sanctions: also hidden from the person, and from the parties of their case. */
  person: ({ accountId }: Viewer) => sql`select id from logic.hidden_people(${accountId}::uuid) id`,
  /** The people that someone may not act on: also people who rank above them. */
  reach: (viewer: Viewer): RawBuilder<unknown> => {
    const above = staffRoles.filter((role) => outranks(role, viewer.staffRole ?? null));
    return sql`${hidden.person(viewer)} union all select id from account where staff_role = any (${above}::text[])`;
  },
};

/**
 * The hidden reports, besides those that someone filed or is reported in. Evidence isn't hidden from colleagues who review its case again.
 */
const reports = { report: 'decision', evidence: 'case' } as const;

type Id = keyof typeof hidden;
/** The compared column or value with an id, or the table with reports. */
type Compared = [what: Id, id: string | RawBuilder<unknown>] | [what: keyof typeof reports, table: string];

/** The hidden ids as an array, for statements that compare many rows for each of many viewers. */
export const hiddenIds = (viewer: Viewer, what: Id) =>
  viewer.hides?.[what] ? sql`${viewer.hides[what]}::uuid[]` : sql`array(${hidden[what](viewer)})`;

/** The viewer with the ids that are hidden from them, for reads with several statements. */
export async function withHidden<T extends Pick<Staff, 'accountId'>>(
  db: Db,
  viewer: T,
  ...of: Id[]
): Promise<T & { hides: Hides }> {
  const ids = of.map((what) => sql`array(${hidden[what](viewer)}) as ${sql.ref(what)}`);
  const { rows } = await sql<Hides>`select ${sql.join(ids)}`.execute(db);
  return { ...viewer, hides: rows[0] ?? {} };
}

/** The hidden ids, for decisions row by row. */
export async function readHidden(
  db: Db,
  viewer: Pick<Viewer, 'hides'> & Pick<Staff, 'accountId'>,
  what: Id,
): Promise<ReadonlySet<string>> {
  const { hides } = viewer.hides?.[what] ? viewer : await withHidden(db, viewer, what);
  return new Set(hides?.[what]);
}

/** The condition for hidden rows; null means not hidden. */
export function hiddenFrom(viewer: Viewer, ...[what, of]: Compared): RawBuilder<boolean> {
  if (what !== 'report' && what !== 'evidence')
    return sql`${typeof of === 'string' ? sql.ref(of) : of} = any (${hiddenIds(viewer, what)})`;
  const own = hiddenIds(viewer, 'self');
  return sql`(${sql.ref(`${of}.reported_id`)} = any (${own}) or ${sql.ref(`${of}.reporter_id`)} = any (${own})
    or ${hiddenFrom(viewer, reports[what], `${of}.case_id`)})`;
}

/** The condition for visible rows. Lists, counts and filters all use it, because a difference would reveal hidden rows. */
export const seenBy = (viewer: Viewer, ...compared: Compared) =>
  sql<boolean>`(${hiddenFrom(viewer, ...compared)}) is not true`;

/** `isByOthers` as a condition: `first` is an array of ids, in which null means no one. */
export const byOthers = ({ accountId }: Viewer, first: RawBuilder<unknown>) =>
  sql<boolean>`(${accountId}::uuid = any (${first})) is not true`;

/** An object that a member of staff opens or acts on, and what is hidden of it from parties and from colleagues who review it again. */
const matters = {
  case: { party: 'case', judge: 'decision' },
  report: { party: 'evidence', judge: 'report' },
  user: { party: 'person', judge: 'account' },
} as const;

/** Reads the hidden ids again, even if they were read before, because others may act meanwhile. */
async function isHidden(db: Db, { accountId, staffRole }: Staff, what: Compared[0], id: string): Promise<boolean> {
  const staff = { accountId, staffRole };
  const { rows } = await (
    what === 'report' || what === 'evidence'
      ? sql`select from report where id = ${id}::uuid and ${hiddenFrom(staff, what, 'report')}`
      : sql`select where ${hiddenFrom(staff, what, sql`${id}::uuid`)}`
  ).execute(db);
  return rows.length > 0;
}

/**
 * Throws 403 to parties of a case or report, which is audited, and to colleagues who review the case again. Parties may see the people of
 * their cases, but no facts about them.
 */
export async function requireMaySee(db: Db, staff: Staff, type: keyof typeof matters, id: string): Promise<void> {
  const { party, judge } = matters[type];
  if (type !== 'user' && (await isHidden(db, staff, party, id))) throw involved({ type, id });
  if (await isHidden(db, staff, judge, id))
    throw new AppError(
      'FORBIDDEN',
      msg`This case is one of your second looks. Judge or skip it first: this page shows the decision.`,
    );
}

/**
 * Throws 403, which is audited, to parties of a case or report and for people that someone may not act on: themselves, people of cases to
 * which they are a party, and people who rank above them. Throws 403 while they review a person's case again, 404 for unknown people. Every
 * staff call about one of these checks this first.
 */
export async function requireMayAct(db: Db, staff: Staff, type: keyof typeof matters, id: string): Promise<void> {
  if (type === 'user') {
    const { rows } = await sql`select from account where id = ${isUuid(id) ? id : null}::uuid`.execute(db);
    if (rows.length === 0) throw notFound();
    await requireMaySee(db, staff, type, id);
  }
  const denied = { type, id };
  if (await isHidden(db, staff, matters[type].party, id)) throw involved(denied);
  if (type === 'user' && (await isHidden(db, staff, 'reach', id)))
    throw new AppError('FORBIDDEN', msg`You are not allowed to do this`, { denied });
}

/** A member of staff and the people they are involved with or review again, for views that show the possible actions. */
export async function withInvolvement<T extends Pick<Staff, 'accountId'>>(db: Db, staff: T): Promise<T & Involvement> {
  return { ...staff, involvedWith: await readHidden(db, staff, 'person') };
}
