import { sql } from 'kysely';
import type { Db } from '#platform/db/db.ts';

/** The ids of the cases at which a member of staff has a second look: nothing may show them what was decided. */
export const casesJudgedBy = (accountId: string) => sql`select logic.judged_cases(${accountId}::uuid)`;

/** The same, for lines that stay in a list without what was decided. */
export async function judgedCases(db: Db, accountId: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{
    id: string;
  }>`select id from logic.judged_cases(${accountId}::uuid) as judged (id)`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
