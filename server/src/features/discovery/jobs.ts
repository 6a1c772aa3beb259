import { sql } from 'kysely';
import * as z from 'zod/mini';
import { secondsAfter } from '#platform/process/clock.ts';
import { installationSecret } from '#platform/config/secrets.ts';
import type { Deps } from '../../deps.ts';
import { accountPayload, job } from '#platform/jobs/job.ts';
import type { Ticker } from '#platform/jobs/jobs.ts';
import { checkStop } from '#platform/jobs/pieces.ts';
import { eachInTurn, eachPage } from '#platform/jobs/turns.ts';
import { forgetJob } from '#platform/people/forget.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import { createCells, createMarketStats, remembered } from './deck/market.reads.ts';
import { type DeckMaker, makeDeck } from './deck/deck.ts';
import { countWeeks, walkSchema } from './insights/weeks.ts';
import { learn } from './learn/learn.ts';
import { learnMatches, learnMeetings } from './learn/outcomes.ts';
import { decayed, decidedDays, impressionDays, keptAfterADay } from './learn/learning.ts';

const activityOverlapSeconds = 15 * 60;

const deckMakers = new WeakMap<Deps, DeckMaker>();

/** The dependencies of building decks: one object per app, because it caches figures about the members of an area. */
export function deckMakerOf(deps: Deps): DeckMaker {
  const known = deckMakers.get(deps);
  if (known !== undefined) return known;
  const nowMs = () => deps.clock.now().getTime();
  const maker = {
    db: deps.db,
    reads: deps.reads,
    cells: createCells(nowMs),
    marketStats: createMarketStats(nowMs),
    decoySecret: remembered((db) => installationSecret(db, 'decoys', null), nowMs, Infinity),
  };
  deckMakers.set(deps, maker);
  return maker;
}

/** Learns from all queued decisions, from matches that have become a week old, and from what members said about meeting them. */
async function learnAll(deps: Deps): Promise<void> {
  const { marketStats } = deckMakerOf(deps);
  await eachInTurn([learn, learnMatches, learnMeetings], (learnSome) =>
    learnSome(deps.db, marketStats, deps.clock.now()),
  );
}

/** The background work of discovery: decks, training events and decaying figures. */
export const discoveryJobs = [
  job({
    name: 'discovery.refill',
    payload: accountPayload,
    sweep: { harmless: 'The next page of cards makes a deck itself.' },
    run: (deps, { accountId }) => makeDeck(deckMakerOf(deps), accountId, deps.clock.now()),
  }),
  job({ name: 'discovery.learn', cron: '* * * * *', run: learnAll }),
  job({ name: 'discovery.noteActivity', cron: '*/5 * * * *', run: noteActivity }),
  job({ name: 'discovery.sampleInterests', cron: '7 * * * *', run: sampleInterests }),
  job({
    name: 'discovery.countWeeks',
    payload: z.partial(walkSchema),
    cron: '37 2 * * *',
    sweep: { sweptBy: 'discovery.countWeeks' },
    run: countWeeks,
  }),
  job({ name: 'discovery.fade', cron: '11 4 * * *', run: ({ db }) => fade(db) }),
  forgetJob('discovery.cleanUp', '13 4 * * *', ({ db }) => dropDecksOfDeleted(db)),
];

export const discoveryTickers = (deps: Deps): Ticker[] => [
  { name: 'lessons', everyMs: 5000, run: () => learn(deps.db, deckMakerOf(deps).marketStats, deps.clock.now()) },
];

const sampledPercent = 5;
const notedAtOnce = 2000;
const decksAtOnce = 500;
const noId = '00000000-0000-0000-0000-000000000000';

/** Deletes current decks that contain ids of accounts deleted since, even in a restored database. */
async function dropDecksOfDeleted(db: Db): Promise<void> {
  const read = async (after: string | undefined) => {
    const { rows } = await sql<{ id: string }>`
      select viewer_id as id from deck where viewer_id > ${after ?? noId}::uuid order by 1 limit ${decksAtOnce}`.execute(
      db,
    );
    return rows.map(({ id }) => id);
  };
  const drop = (ids: string[]) =>
    sql`delete from deck where viewer_id = any (${ids}::uuid[]) and exists (
      select from unnest(targets) target (id) where not exists (select from account a where a.id = target.id))`.execute(
      db,
    );
  await eachPage(read, drop, { round: 'discovery.cleanUp decks', keyOf: (id) => id });
}

/** Records which members were active lately; discovery only needs the day. */
async function noteActivity({ db, clock }: Deps): Promise<void> {
  const since = secondsAfter(clock.now(), -activityOverlapSeconds);
  const isLate = sql`r.last_active_on < (p.last_active_at at time zone 'UTC')::date`;
  // The time as text, exact to the microsecond.
  const read = async (after: { id: string; at: string } | undefined) => {
    const { rows } = await sql<{ id: string; at: string }>`
      select p.account_id as id, p.last_active_at::text as at from presence p join discovery_row r on r.account_id = p.account_id
      where p.last_active_at >= ${since} and ${isLate}
        and (p.last_active_at, p.account_id) > (${after?.at ?? '-infinity'}::timestamptz, ${after?.id ?? noId}::uuid)
      order by p.last_active_at, p.account_id limit ${notedAtOnce}`.execute(db);
    return rows;
  };
  const note = (rows: { id: string }[]) =>
    sql`update discovery_row r set last_active_on = (p.last_active_at at time zone 'UTC')::date
      from presence p
      where p.account_id = any (${rows.map(({ id }) => id)}::uuid[]) and r.account_id = p.account_id and ${isLate}`.execute(
      db,
    );
  await eachPage(read, note, { round: 'discovery.noteActivity', keyOf: ({ id }) => id });
}

/** Estimates how many members state each interest, from a sample. */
async function sampleInterests({ db }: Deps): Promise<void> {
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

const fadedAtOnce = 1000;
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Decays the counters of members and segments as their windows move on; runs once a day. Members are processed in batches in the order of
 * their ids, and the position is stored in the same transaction, so that a failed attempt neither undoes nor repeats finished batches.
 */
async function fade(db: Db): Promise<void> {
  while (await inTransaction(db, fadeSome)) checkStop();
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
