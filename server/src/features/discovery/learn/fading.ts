import { sql } from 'kysely';
import { type Db, inTransaction } from '../../../platform/db/db.ts';
import { decayed, decidedDays, impressionDays, keptAfterADay } from './learning.ts';

const fadedAtOnce = 1000;
const noId = '00000000-0000-0000-0000-000000000000';
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Decays the counters of members and segments as their windows move on; runs once a day. Members are processed in batches in the order of
 * their ids, and the position is stored in the same transaction, so that a failed attempt neither undoes nor repeats finished batches.
 */
export async function fade(db: Db): Promise<void> {
  while (await inTransaction(db, fadeSome));
}

/** Returns whether there are more members. */
async function fadeSome(tx: Db): Promise<boolean> {
  const { rows: positions } = await sql<{ after: string }>`
    insert into installation (name, value) values ('discoveryFade', to_jsonb(${noId}::text))
    on conflict (name) do update set value = installation.value returning value #>> '{}' as after`.execute(tx);
  const after = positions[0]?.after ?? noId;
  const kept = decayed(1, 1);
  // Rows are locked in the order of ids, as the learner does.
  const { rows: members } = await sql<{ account_id: string }>`
    with page as materialized (
      select account_id from discovery_row
      where account_id > ${after}::uuid and (impressions > 0.01 or cards_decided > 0.01 or decisions_received > 0.01)
      order by account_id limit ${fadedAtOnce} for no key update
    ), faded as (
      update discovery_row r set impressions = impressions * ${keptAfterADay(impressionDays)}::real,
        cards_decided = cards_decided * ${keptAfterADay(decidedDays)}::real,
        decisions_received = decisions_received * ${kept}::real
      from page where r.account_id = page.account_id
    )
    select account_id from page order by account_id`.execute(tx);
  const hasMore = members.length === fadedAtOnce;
  const last = hasMore ? (members.at(-1)?.account_id ?? lastId) : lastId;
  await sql`
    update reply_count set received = received * ${kept}::real, answered = answered * ${kept}::real
    where account_id > ${after}::uuid and account_id <= ${last}::uuid and received > 0.01`.execute(tx);
  if (hasMore) {
    await sql`update installation set value = to_jsonb(${last}::text) where name = 'discoveryFade'`.execute(tx);
  } else {
    await sql`update segment_base set shown = shown * ${kept}, liked = liked * ${kept}`.execute(tx);
    await tx.deleteFrom('installation').where('name', '=', 'discoveryFade').execute();
  }
  return hasMore;
}
