import { type RawBuilder, sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { Db } from '../db/db.ts';
import { isOfUnpreservedCase, isUnpreserved } from '../db/preservation.ts';
import { deleteWhere } from '../jobs/due-rows.ts';
import { type Job, job } from '../jobs/job.ts';
import { eachInTurn, inTurn } from '../jobs/turns.ts';
import { secondsAfter } from '../process/clock.ts';
import type { End, Row, Unexported } from './row.ts';
import { people } from './tables.ts';

type People = typeof people;
/** A table with data about people. */
export type PeopleTable = keyof People;
/** A file of the data export, or a folder in it. */
export type ExportFile = Exclude<People[PeopleTable]['exportAs'], Unexported>;
/** A job that deletes expired rows. */
type Forgetting = Extract<People[PeopleTable], { until: unknown }>['until'][0];

/** The rows of the map, by table. */
export const rowsOfPeople: [table: string, row: Row][] = Object.entries(people as Record<string, Row>);

const listed = (some: string | readonly string[] = []) => (typeof some === 'string' ? [some] : some);

/** A condition on the rows of a table that no legal hold keeps. Columns are unqualified. */
export function isFree(table: PeopleTable): RawBuilder<boolean> {
  const { heldBy = 'account_id', unheld }: Row = people[table];
  if (unheld !== undefined) return sql`true`;
  if (typeof heldBy === 'function') return heldBy();
  const free = listed(heldBy).map((column) => (column === 'case_id' ? isOfUnpreservedCase : isUnpreserved(column)));
  return sql`(${sql.join(free, sql` and `)})`;
}

/** Deletes expired rows of a table, except those that a legal hold keeps. */
export async function deleteOver(db: Db, table: PeopleTable, condition: RawBuilder<unknown>): Promise<void> {
  const { atOnce }: Row = people[table];
  await deleteWhere(db, table, sql`(${condition}) and ${isFree(table)}`, atOnce);
}

const timed = /^(?:(\d+) (days|hours) after )?(\w+)$/;

function isOver(end: End, now: Date): RawBuilder<unknown> {
  if (typeof end === 'function') return end(now);
  const [, count = '0', unit, column = ''] = timed.exec(end) ?? [];
  return sql`${sql.ref(column)} <= ${secondsAfter(now, -Number(count) * (unit === 'days' ? 86_400 : 3600))}`;
}

/** Deletes the expired rows of all tables that the map leaves to a job, each separately, so that a failing one doesn't delay the others. */
export async function forget({ db, clock }: Pick<Deps, 'db' | 'clock'>, name: Forgetting): Promise<void> {
  const now = clock.now();
  const due = rowsOfPeople.flatMap(([table, { until }]) => {
    const [by, ...ends] = until ?? [];
    return by === name ? (ends as End[]).map((end) => ({ table: table as PeopleTable, end })) : [];
  });
  await eachInTurn(due, ({ table, end }) => deleteOver(db, table, isOver(end, now)));
}

/** Declares a job that deletes the expired rows of the tables that the map leaves to it, and then takes these steps. */
export const forgetJob = (name: Forgetting, cron: string, ...steps: ((deps: Deps) => Promise<unknown>)[]): Job =>
  job({ name, cron, run: (deps) => inTurn(() => forget(deps, name), ...steps.map((step) => () => step(deps))) });

/** Deletes or clears references without a foreign key to accounts that are about to be deleted, in the order of the map. */
export async function forgetAccounts(tx: Db, accountIds: readonly string[]): Promise<void> {
  const isTheirs = (column: string) => sql`${sql.ref(column)} = any (${accountIds}::uuid[])`;
  for (const [table, { owner, erased }] of rowsOfPeople) {
    const owners = listed(owner).map(isTheirs);
    if (owners.length > 0) await sql`delete from ${sql.table(table)} where ${sql.join(owners, sql` or `)}`.execute(tx);
    const [account, ...others] = erased ?? [];
    if (account === undefined) continue;
    const emptied = [account, ...others].map((column) => sql`${sql.ref(column)} = null`);
    await sql`update ${sql.table(table)} set ${sql.join(emptied)} where ${isTheirs(account)}`.execute(tx);
  }
}
