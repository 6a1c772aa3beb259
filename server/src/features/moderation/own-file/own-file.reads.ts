import { sql } from 'kysely';
import type { FileDay } from '#contract/moderation/own-file.ts';
import type { Db } from '../../../platform/db/db.ts';

/** The days on which something was added to a member's file, newest first; without `most`, all for their data export. */
export async function ownFile(db: Db, accountId: string, most?: number): Promise<FileDay[]> {
  const { rows } = await sql<FileDay>`
    select day::text as day, array_agg(kind order by kind) as kinds from staff_read_notice
    where account_id = ${accountId}::uuid group by day order by day desc limit ${most ?? null}`.execute(db);
  return rows;
}
