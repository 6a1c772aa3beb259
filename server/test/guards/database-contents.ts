import { sql } from 'kysely';
import type { Db } from '../../src/platform/db.ts';

/** Written with every request or by background work, whatever is asked. */
const restless = new Set(['presence', 'statistic', 'statistic_delta', 'rate_limit', 'login_attempt']);

/** Every row of every table of ours as text, by table, so that two moments can be compared. */
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
