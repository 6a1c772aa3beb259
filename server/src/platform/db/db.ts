import { setTimeout } from 'node:timers/promises';
import { Kysely, PostgresDialect, type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { isStalePlan, plannedMark } from './prepared.ts';
import type { Database } from './schema.ts';

/** A handle to the database or to a running transaction. */
export type Db = Kysely<Database>;

/** Kysely over `pool`. */
export const createDb = (pool: pg.Pool): Db => new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });

/** Another request was faster: a transaction that throws this runs again, and finds what that one wrote. */
export class Raced extends Error {
  override name = 'Raced';
}

const retries = 3;
const firstPauseMs = 20;

/**
 * Runs `work` in one transaction; use only the handle it receives. If the database ends it because of a deadlock, or `work` throws
 * `Raced`, it runs again, up to three times, so `work` must have no effect outside the database.
 */
export async function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  if (db.isTransaction) return await work(db);
  for (let tries = 0; ; tries += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (tries === retries || !canSucceedAgain(error)) throw error;
      // At different times, or the two would collide again.
      await setTimeout(firstPauseMs * 2 ** tries * (0.5 + Math.random()));
    }
  }
}

/** Whether the same work can succeed in another transaction: after a deadlock, a serialization failure, or a plan that has become stale. */
function canSucceedAgain(error: unknown): boolean {
  if (error instanceof Raced || isStalePlan(error)) return true;
  return error instanceof pg.DatabaseError && (error.code === '40P01' || error.code === '40001');
}

/** These columns of the table `alias`, constants of the code, for a select list; text, since a reference each takes time per statement. */
export const columnsOf = (alias: string, columns: readonly string[]) =>
  sql.raw(columns.map((column) => `${alias}.${column}`).join(', '));

/** The number of rows of `from` (tables and conditions), counted up to `most`; null counts them all. */
export async function countRows(db: Db, from: RawBuilder<unknown>, most: number | null = null): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select from ${from} limit ${most}) counted`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The name of the constraint that a write violated, or null for any other error. */
export function refusedConstraint(error: unknown): string | null {
  return error instanceof pg.DatabaseError && error.code?.startsWith('23') === true ? (error.constraint ?? null) : null;
}

/** Whether this database was filled with demo data, by this process or an earlier one. */
export async function hasDemoData(db: Db): Promise<boolean> {
  const row = await db.selectFrom('installation').select('name').where('name', '=', 'demo').executeTakeFirst();
  return row !== undefined;
}

/**
 * A `limit` for the part of a prepared statement that unnests these rows. With it, the planner, which does not see the
 * value, expects one row. Without it, the planner expects ten, considers the generic plan too expensive and plans the
 * statement every time.
 */
export const planHint = (rows: readonly unknown[]) => sql`limit ${rows.length}`;

/**
 * For conditions whose best plan depends on how rare their value is, such as a searched word or a city: the statement is planned each time,
 * not once per connection for values it doesn't see.
 */
export const plannedForValues = sql.raw(plannedMark);
