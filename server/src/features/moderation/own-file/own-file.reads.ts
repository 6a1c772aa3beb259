import { sql } from 'kysely';
import type { FileDay } from '#contract/moderation/own-file.ts';
import type { Db } from '#platform/db/db.ts';

/** The days with new entries in a member's file, newest first; without `most`, all of them, for their data export. */
export async function ownFile(db: Db, accountId: string, most?: number): Promise<FileDay[]> {
  const { rows } = await sql<FileDay>`
    select shown_on::text as day, array_agg(distinct shown_as order by shown_as) as kinds from staff_read
    where account_id = ${accountId}::uuid and shown_as is not null group by shown_on order by shown_on desc limit ${most ?? null}`.execute(
    db,
  );
  return rows;
}
