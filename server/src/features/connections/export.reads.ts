import { sql } from 'kysely';
import { countRows, type Db } from '../../platform/db/db.ts';
import { visibleTo } from '../profiles/public.ts';

interface GivenLike {
  /** The first name, if the two can still see each other. */
  name: string | null;
  likedAt: Date;
  note: string | null;
  isMatch: boolean;
}

/**
 * A member's decisions for their data export: likes oldest first, matches, and the number of passes. Matches with hidden people are left
 * out (see `matchSeenBy`).
 */
export async function likesData(db: Db, accountId: string) {
  const { rows: likes } = await sql<GivenLike>`
    select seen.first_name as name, l.decided_at as "likedAt", l.note, m.id is not null as "isMatch"
    from decision l
      left join match m on m.low_id = least(l.viewer_id, l.target_id) and m.high_id = greatest(l.viewer_id, l.target_id)
      left join lateral (
        select p.account_id, p.first_name from profile p
        where p.account_id = l.target_id and ${visibleTo(sql`l.viewer_id`, sql`l.target_id`)}
      ) seen on true
    where l.viewer_id = ${accountId}::uuid and l.kind = 'like' and (m.id is null or seen.account_id is not null)
    order by l.decided_at, l.target_id`.execute(db);
  const { rows: matches } = await sql<{ name: string | null; matchedAt: Date }>`
    select p.first_name as name, m.matched_at as "matchedAt"
    from match m
      join directory d on d.is_shown
        and d.account_id = case when m.low_id = ${accountId}::uuid then m.high_id else m.low_id end
      join profile p on p.account_id = d.account_id
    where m.low_id = ${accountId}::uuid or m.high_id = ${accountId}::uuid
    order by m.matched_at, m.id`.execute(db);
  const passes = await countRows(db, sql`decision where viewer_id = ${accountId}::uuid and kind = 'pass'`);
  return { likes, matches, passes };
}
