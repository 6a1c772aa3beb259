import { sql } from 'kysely';
import type { Db } from '../../../platform/db/db.ts';

const halfLifeDays = 90;
const weekDays = 7;
const monthDays = 28;
const sampledPercent = 5;

/** Decays the counters as their windows move on; runs once a day. */
export async function fade(db: Db): Promise<void> {
  const keep = (days: number) => 1 - 1 / days;
  await sql`
    update discovery_row set impressions = impressions * ${keep(weekDays)}::real,
      cards_decided = cards_decided * ${keep(monthDays)}::real,
      decisions_received = decisions_received * ${2 ** (-1 / halfLifeDays)}::real
    where impressions > 0.01 or cards_decided > 0.01 or decisions_received > 0.01`.execute(db);
  await sql`
    update reply_count set received = received * ${2 ** (-1 / halfLifeDays)}::real, answered = answered * ${2 ** (-1 / halfLifeDays)}::real
    where received > 0.01`.execute(db);
  await sql`update segment_base set shown = shown * ${2 ** (-1 / halfLifeDays)}, liked = liked * ${2 ** (-1 / halfLifeDays)}`.execute(
    db,
  );
}

/** Deletes decks built before `madeBefore`; they contain ids of people who may be deleted. */
export async function dropOldDecks(db: Db, madeBefore: Date): Promise<void> {
  await db.deleteFrom('deck').where('made_at', '<', madeBefore).execute();
}

/** Records members active since `since`; discovery only needs the day. */
export async function noteActivity(db: Db, since: Date): Promise<void> {
  await sql`
    update discovery_row r set last_active_on = (p.last_active_at at time zone 'UTC')::date
    from presence p
    where p.last_active_at >= ${since} and r.account_id = p.account_id
      and r.last_active_on < (p.last_active_at at time zone 'UTC')::date`.execute(db);
}

/** Estimates how many members state each interest, from a sample. */
export async function sampleInterests(db: Db): Promise<void> {
  await sql`
    with total as (select reltuples from pg_class where oid = 'discovery_row'::regclass),
    sampled as (
      select interests from discovery_row
        tablesample system (${sql.raw(String(sampledPercent))}) where (select reltuples from total) > 20000
      union all
      select interests from discovery_row where (select reltuples from total) <= 20000
    ),
    shares as (
      select interest, count(*)::real / greatest((select count(*) from sampled), 1) as share
      from sampled cross join unnest(interests) interest group by interest
    )
    insert into interest_share (interest, share) select interest, share from shares
    on conflict (interest) do update set share = excluded.share`.execute(db);
}
