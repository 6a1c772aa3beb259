import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/db.ts';

/** Failures may take this long in a round: then what they wait for is down, and every further item would wait as long. */
const failuresMs = 60_000;

/**
 * Works on one item after another. One that fails doesn't keep the later ones from their turn; it is thrown at the end. When failures have
 * taken a minute the round ends, and the rest is for the next one.
 */
export async function eachInTurn<T>(
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  let lostMs = 0;
  for await (const item of items) {
    const startedAt = performance.now();
    try {
      await work(item);
    } catch (error) {
      failures.push(error);
      lostMs += performance.now() - startedAt;
      if (lostMs >= failuresMs) break;
    }
  }
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1)
    throw new AggregateError(
      failures.slice(0, 10),
      `${failures.length} failed, the first with: ${String(failures[0])}`,
    );
}

/**
 * All rows, page by page: `read` gets the last row of the page before and returns the next ones in a fixed order, none at the end. Rows on
 * which the work failed are passed, not read again.
 */
export async function* pagesOf<T>(read: (after: T | undefined) => Promise<T[]>): AsyncGenerator<T> {
  for (let page = await read(undefined); page.length > 0; page = await read(page.at(-1))) yield* page;
}

/** Rows per statement, so that each takes less than a second. */
const atOnce = 2000;

/** Deletes the rows of a table that are over, in batches: a backlog of any size doesn't time out. */
export async function deleteWhere(db: Db, table: string, isOver: RawBuilder<unknown>, most = atOnce): Promise<void> {
  await untilNone(most, sql`delete from ${sql.table(table)} where ${inBatch(table, isOver, most)}`, db);
}

/** The same for a change, after which `isDue` must no longer hold for a row. */
export async function updateWhere(
  db: Db,
  table: string,
  change: RawBuilder<unknown>,
  isDue: RawBuilder<unknown>,
): Promise<void> {
  await untilNone(atOnce, sql`update ${sql.table(table)} set ${change} where ${inBatch(table, isDue, atOnce)}`, db);
}

const inBatch = (table: string, condition: RawBuilder<unknown>, most: number) => sql`ctid = any (array(
  select ctid from ${sql.table(table)} where ${condition} limit ${most} for update skip locked))`;

async function untilNone(most: number, statement: RawBuilder<unknown>, db: Db): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await statement.execute(db);
    if (numAffectedRows < most) return;
  }
}
