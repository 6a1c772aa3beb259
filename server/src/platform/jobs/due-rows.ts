import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/db.ts';
import { checkStop } from './pieces.ts';
import { eachInTurn } from './turns.ts';

/** Rows per statement, so that each takes less than a second. */
const atOnce = 2000;

/** Rows of a table, and what to do with them. */
interface DueRows {
  table: string;
  isDue: RawBuilder<unknown>;
  most?: number;
  /** The statement for the rows matching a condition. It must make them no longer due; the number of rows that it reports is counted. */
  write: (which: RawBuilder<unknown>) => RawBuilder<unknown>;
}

/**
 * Writes all due rows of a table in batches, so that a backlog of any size doesn't time out. Rows that others have
 * locked are skipped. If a batch fails, its rows are written one by one, so that one bad row doesn't stop the others.
 */
export async function writeWhere(db: Db, { table, isDue, most = atOnce, write }: DueRows): Promise<void> {
  const tried: string[] = [];
  const isLeft = () => sql`(${isDue}) and ctid <> all (${tried}::tid[])`;
  const writeSome = async (condition: RawBuilder<unknown>, limit: number) => {
    const which = sql`ctid = any (array(
      select ctid from ${sql.table(table)} where ${condition} limit ${limit} for update skip locked))`;
    return (await write(which).execute(db)).numAffectedRows ?? 0n;
  };
  async function* refused(): AsyncGenerator<string> {
    for (;;) {
      checkStop();
      const written = await writeSome(isLeft(), most).catch(() => null);
      if (written === null) {
        const { rows } = await sql<{ at: string }>`
          select ctid::text as at from ${sql.table(table)} where ${isLeft()} limit ${most}`.execute(db);
        if (rows.length === 0) return;
        tried.push(...rows.map(({ at }) => at));
        yield* rows.map(({ at }) => at);
      } else if (written < most) return;
    }
  }
  const turn = { round: write(isDue).compile(db).sql, keyOf: (at: string) => at };
  await eachInTurn(refused(), (at) => writeSome(sql`(${isDue}) and ctid = ${at}::tid`, 1), turn);
}

/** Deletes the expired rows of a table. */
export async function deleteWhere(db: Db, table: string, isOver: RawBuilder<unknown>, most = atOnce): Promise<void> {
  const write = (which: RawBuilder<unknown>) => sql`delete from ${sql.table(table)} where ${which}`;
  await writeWhere(db, { table, isDue: isOver, most, write });
}

/** Changes the due rows of a table, which must make them no longer due. */
export async function updateWhere(
  db: Db,
  table: string,
  change: RawBuilder<unknown>,
  isDue: RawBuilder<unknown>,
): Promise<void> {
  const write = (which: RawBuilder<unknown>) => sql`update ${sql.table(table)} set ${change} where ${which}`;
  await writeWhere(db, { table, isDue, write });
}
