import { sql } from 'kysely';
import type { MatchView } from '#contract/connections.ts';
import { countRows } from '../../platform/db/db.ts';
import { afterPlace, cutPage, type PageWindow } from '../../platform/db/page-cursor.ts';
import { type Reader, toPerson } from '../profiles/public.ts';
import { withUsers } from './people.reads.ts';

interface MatchRow {
  id: string;
  user_id: string;
  matched_at: Date;
  my_note: string | null;
  their_note: string | null;
}

/** One page of the caller's matches with visible people, newest first, and how many there are. */
export async function matchesPage(
  reader: Reader,
  { limit, offset, after }: PageWindow,
): Promise<{ matches: MatchView[]; total: number; nextCursor: string | null }> {
  const { db, caller } = reader;
  const own = sql`(
      select id, high_id as user_id, matched_at from match where low_id = ${caller.accountId}::uuid
      union all
      select id, low_id, matched_at from match where high_id = ${caller.accountId}::uuid
    ) m join directory d on d.account_id = m.user_id and d.is_shown`;
  const total = await countRows(db, own, null);
  const found = await sql<MatchRow>`
    select m.id, m.user_id, m.matched_at, mine.note as my_note, theirs.note as their_note from ${own}
      left join decision mine on mine.viewer_id = ${caller.accountId}::uuid and mine.target_id = m.user_id
      left join decision theirs on theirs.viewer_id = m.user_id and theirs.target_id = ${caller.accountId}::uuid
    where true ${afterPlace(after, sql`m.matched_at`, sql`m.id`)}
    order by m.matched_at desc, m.id desc limit ${limit + 1} offset ${offset}`.execute(db);
  const { rows, nextCursor } = cutPage(found.rows, limit, ({ matched_at, id }) => ({ at: matched_at, id }));
  const matches = await withUsers(reader, rows, (user, row) => ({
    _id: row.id,
    user: toPerson(user, caller, reader.now, reader.pictures),
    matchedAt: row.matched_at.toISOString(),
    myNote: row.my_note,
    theirNote: row.their_note,
  }));
  return { matches, total, nextCursor };
}
