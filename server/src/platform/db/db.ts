import { setTimeout } from 'node:timers/promises';
import { Kysely, PostgresDialect, type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { isStalePlan, plannedMark } from './prepared.ts';
import type { Database } from './schema.ts';

/** A handle to the database or to a running transaction. */
export type Db = Kysely<Database>;

/** Kysely over `pool`. */
export const createDb = (pool: pg.Pool): Db => new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });

/** Thrown when another request was faster: the transaction runs again and finds what the other one wrote. */
export class Raced extends Error {
  override name = 'Raced';
}

const retries = 3;
const firstPauseMs = 20;

/**
 * Runs `work` in one transaction; use only the handle it receives. If the database aborts it because of a deadlock, or
 * `work` throws `Raced`, it runs again, up to three times, so `work` must have no effect outside the database.
 */
export async function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  if (db.isTransaction) return await work(db);
  for (let tries = 0; ; tries += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (tries === retries || !canSucceedAgain(error)) throw error;
      // Random pauses, because both transactions would otherwise collide again.
      await setTimeout(firstPauseMs * 2 ** tries * (0.5 + Math.random()));
    }
  }
}

/**
 * Whether the same work can succeed in another transaction: after a deadlock, a serialization failure, or a stale plan.
 */
function canSucceedAgain(error: unknown): boolean {
  if (error instanceof Raced || isStalePlan(error)) return true;
  return error instanceof pg.DatabaseError && (error.code === '40P01' || error.code === '40001');
}

/**
 * The columns of the table `alias`, constants in the code, for a select list. Plain text, because a reference per
 * column would cost time in every statement.
 */
export const columnsOf = (alias: string, columns: readonly string[]) =>
  sql.raw(columns.map((column) => `${alias}.${column}`).join(', '));

/**
 * The number of rows of `from` (tables and conditions), counted up to `most`, as a value in a statement; null counts
 * all rows.
 */
export const countOf = (from: RawBuilder<unknown>, most: number | null) => sql<number>`
  (select count(*)::int from (select from ${from} limit ${most}) counted)`;

/** Like `countOf`, as a separate query. */
export async function countRows(db: Db, from: RawBuilder<unknown>, most: number | null = null): Promise<number> {
  const [count = 0] = await countEach(db, [[from, most]]);
  return count;
}

/** Several counts in one query, in their order. */
export async function countEach(
  db: Db,
  counted: readonly (readonly [from: RawBuilder<unknown>, most: number | null])[],
): Promise<number[]> {
  if (counted.length === 0) return [];
  const counts = counted.map(([from, most]) => countOf(from, most));
  const { rows } = await sql<{ counts: number[] }>`select array[${sql.join(counts)}] as counts`.execute(db);
  return rows[0]?.counts ?? [];
}

/** The size of each of these lists, in one query. */
export async function countLists<L extends string>(
  db: Db,
  lists: readonly L[],
  rowsIn: (list: L) => RawBuilder<unknown>,
  most: number,
): Promise<Record<L, number>> {
  const sizes = await countEach(
    db,
    lists.map((list) => [rowsIn(list), most] as const),
  );
  return Object.fromEntries(lists.map((list, index) => [list, sizes[index] ?? 0])) as Record<L, number>;
}

/** The name of the constraint that a write violated, or null for any other error. */
export function refusedConstraint(error: unknown): string | null {
  return error instanceof pg.DatabaseError && error.code?.startsWith('23') === true ? (error.constraint ?? null) : null;
}

/** Whether this or an earlier process filled the database with demo data. */
export async function hasDemoData(db: Db): Promise<boolean> {
  const row = await db.selectFrom('installation').select('name').where('name', '=', 'demo').executeTakeFirst();
  return row !== undefined;
}

/**
 * A `limit` for the part of a prepared statement that unnests these rows. With it, the planner, which doesn't see the
 * value, expects one row. Without it, the planner expects ten, considers the generic plan too expensive and plans the
 * statement every time.
 */
export const planHint = (rows: readonly unknown[]) => sql`limit ${rows.length}`;

/**
 * For conditions whose best plan depends on how rare their value is, such as a searched word or a city: the statement
 * is planned each time with its values, not once per connection without them.
 */
export const plannedForValues = sql.raw(plannedMark);
