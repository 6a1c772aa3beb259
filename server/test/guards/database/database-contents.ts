import { sql } from 'kysely';
import type { Db } from '#platform/db/db.ts';

/** Written by every request or by background work. */
const restless = new Set(['presence', 'active_days', 'statistic', 'statistic_delta', 'rate_limit', 'login_attempt']);

/**
 * Every row of our tables as text, by table, to compare two states. Read in one statement, because there are hundreds
 * of comparisons.
 */
export async function databaseContents(db: Db): Promise<Partial<Record<string, string[]>>> {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(db);
  const contents = tables
    .filter((table) => !restless.has(table.name))
    .map(({ name }) => sql`select ${name}::text as name, t::text as row from ${sql.table(name)} t`);
  const { rows } = await sql<{ name: string; row: string }>`
    ${sql.join(contents, sql` union all `)}
    union all select 'jobs', task_identifier || key from graphile_worker.jobs order by 1, 2`.execute(db);
  const byTable = Object.entries(Object.groupBy(rows, ({ name }) => name));
  return Object.fromEntries(byTable.map(([name, of = []]) => [name, of.map(({ row }) => row)]));
}

/**
 * The given words found in each table, including those of the job queue, as text (ignoring case) or as bytes. Tables
 * without any are omitted.
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
