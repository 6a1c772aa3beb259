import { sql } from 'kysely';
import type { Db } from '../../../src/platform/db/db.ts';

/** Written with every request or by background work. */
const restless = new Set(['presence', 'statistic', 'statistic_delta', 'rate_limit', 'login_attempt']);

/** Every row of our tables as text, by table, to compare two states. */
export async function databaseContents(db: Db): Promise<Record<string, string[]>> {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(db);
  const contents: Record<string, string[]> = {};
  for (const { name } of tables.filter((table) => !restless.has(table.name))) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t order by 1`.execute(db);
    contents[name] = rows.map(({ row }) => row);
  }
  const { rows: jobs } = await sql<{
    row: string;
  }>`select task_identifier || key as row from graphile_worker.jobs order by 1`.execute(db);
  return { ...contents, jobs: jobs.map(({ row }) => row) };
}

/**
 * The given words found in each table, including those of the job queue: as text, ignoring case, or as bytes. Tables without any are left
 * out.
 */
export async function traces(db: Db, words: Record<string, string>): Promise<Record<string, string[]>> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select schemaname as schema, tablename as name from pg_tables
    where schemaname in ('public', 'graphile_worker') order by 2`.execute(db);
  const found: Record<string, string[]> = {};
  for (const { schema, name } of tables) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(`${schema}.${name}`)} t`.execute(
      db,
    );
    const text = rows
      .map(({ row }) => row)
      .join('\n')
      .toLowerCase();
    const isThere = (word: string) =>
      text.includes(word.toLowerCase()) || text.includes(Buffer.from(word, 'utf8').toString('hex'));
    const named = Object.entries(words).flatMap(([as, word]) => (isThere(word) ? [as] : []));
    if (named.length > 0) found[name] = named;
  }
  return found;
}
