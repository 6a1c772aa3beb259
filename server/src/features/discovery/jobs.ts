import type { TaskList } from 'graphile-worker';
import { secondsAfter } from '../../platform/process/clock.ts';
import { installationSecret } from '../../platform/config/secrets.ts';
import type { Deps } from '../../deps.ts';
import type { Schedule, Ticker } from '../../platform/jobs/jobs.ts';
import { deleteWhere } from '../../platform/jobs/due-rows.ts';
import { eachInTurn, eachPage } from '../../platform/jobs/turns.ts';
import { forgetSeen } from '../profiles/public.ts';
import { createMarketStats, createCells, remembered } from './deck/market.reads.ts';
import { type DeckMaker, makeDeck } from './deck/deck.ts';
import { deckRules } from './deck/page.ts';
import { dropOldLogs, estimate } from './insights/estimates.ts';
import { countWeeks } from './insights/weeks.ts';
import { fade } from './learn/fading.ts';
import { learn } from './learn/learn.ts';
import { learnMatches, learnMeetings } from './learn/outcomes.ts';
import { type RawBuilder, sql } from 'kysely';
import { ageBuckets } from '#contract/constants.ts';
import type { Db } from '../../platform/db/db.ts';

const activityOverlapSeconds = 15 * 60;

const deckMakers = new WeakMap<Deps, DeckMaker>();

/** What decks are built with: one per app, because it remembers figures of the area. */
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
    switchback: deps.config.matchingSwitchback,
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

/** Background work of discovery: decks, training events and decaying figures. */
export function discoveryTasks(deps: Deps): TaskList {
  const { db, clock } = deps;
  const maker = deckMakerOf(deps);
  return {
    'discovery.refill': (payload) => makeDeck(maker, (payload as { accountId: string }).accountId, clock.now()),
    'discovery.learn': () => learnAll(deps),
    'discovery.noteActivity': () => noteActivity(db, secondsAfter(clock.now(), -activityOverlapSeconds)),
    'discovery.sampleInterests': () => eachInTurn([sampleInterests, sampleExposure], (sample) => sample(db)),
    'discovery.countWeeks': (payload) => countWeeks(deps, payload as Parameters<typeof countWeeks>[1]),
    'discovery.estimate': (payload) => estimate(deps, payload as Parameters<typeof estimate>[1]),
    'discovery.fade': () => fade(db),
    'discovery.recountExposure': () => recountExposure(db),
    'discovery.cleanUp': () =>
      eachInTurn([dropOldDecks, dropOldLogs, forgetSeen], (deleteOld) => deleteOld(db, clock.now())),
  };
}

export const discoveryTickers = (deps: Deps): Ticker[] => [
  { name: 'lessons', everyMs: 5000, run: () => learn(deps.db, deckMakerOf(deps).marketStats, deps.clock.now()) },
];

export const discoverySchedules: Schedule[] = [
  { cron: '* * * * *', task: 'discovery.learn' },
  { cron: '*/5 * * * *', task: 'discovery.noteActivity' },
  { cron: '7 * * * *', task: 'discovery.sampleInterests' },
  { cron: '11 4 * * *', task: 'discovery.fade' },
  // After the decks that are over were deleted, since the exposure is the sum over all decks.
  { cron: '21 4 * * *', task: 'discovery.recountExposure' },
  { cron: '13 4 * * *', task: 'discovery.cleanUp' },
  { cron: '37 2 * * *', task: 'discovery.countWeeks' },
  { cron: '17 3 * * *', task: 'discovery.estimate' },
];

const sampledPercent = 5;
const notedAtOnce = 2000;
const noId = '00000000-0000-0000-0000-000000000000';

/** Deletes decks after two days; they contain ids of people who may be deleted. */
async function dropOldDecks(db: Db, now: Date): Promise<void> {
  await deleteWhere(db, 'deck', sql`made_at < ${secondsAfter(now, -deckRules.keptDays * 86_400)}`);
}

const recountedAtOnce = 1000;

/**
 * Corrects the exposure of members to the sum over all decks: decks vanish with their viewer, or here when they are old, and earlier
 * releases kept none. The differences are of one moment and are added, so that changes made meanwhile stay.
 */
async function recountExposure(db: Db): Promise<void> {
  let added = BigInt(recountedAtOnce);
  while (added >= recountedAtOnce) {
    const { numAffectedRows = 0n } = await sql`
      insert into exposure (member_id) select a.id from account a join discovery_row r on r.account_id = a.id
      where not exists (select from exposure e where e.member_id = a.id) order by a.id limit ${recountedAtOnce}
      for key share of a on conflict do nothing`.execute(db);
    added = numAffectedRows;
  }
  const { rows } = await sql<{ id: string; drift: number }>`
    with dealt as (
      select c.id, sum(c.n)::int as n from deck cross join unnest(targets, expected) as c (id, n) where c.n > 0 group by c.id)
    select e.member_id as id, coalesce(d.n, 0) - e.expected as drift from exposure e left join dealt d on d.id = e.member_id
    where coalesce(d.n, 0) <> e.expected order by e.member_id`.execute(db);
  for (let from = 0; from < rows.length; from += recountedAtOnce) {
    const some = rows.slice(from, from + recountedAtOnce);
    const [ids, drifts] = [some.map(({ id }) => id), some.map(({ drift }) => drift)];
    await sql`select logic.expect_likes(${ids}::uuid[], ${drifts}::int[])`.execute(db);
  }
}

/** Notes for each segment below what exposure the tenth of visible members is that has the least, from a sample. */
async function sampleExposure(db: Db): Promise<void> {
  const ages = ageBuckets.slice(1).map(({ from }) => from);
  const sampled = (share: RawBuilder<unknown>) => sql`
    select r.gender, r.birth_date, e.expected from discovery_row r ${share} join exposure e on e.member_id = r.account_id
    where r.visible and r.gender > 0`;
  await sql`
    with total as (select reltuples from pg_class where oid = 'discovery_row'::regclass),
    sampled as (
      ${sampled(sql`tablesample system (${sql.raw(String(sampledPercent))})`)} and (select reltuples from total) > 20000
      union all
      ${sampled(sql``)} and (select reltuples from total) <= 20000
    )
    insert into least_exposed (gender, age_band, expected)
    select gender, width_bucket(extract(year from age(birth_date))::int, ${ages}::int[]), percentile_cont(0.1) within group (order by expected)
    from sampled group by 1, 2
    on conflict (gender, age_band) do update set expected = excluded.expected`.execute(db);
}

/** Records members active since `since`; discovery only needs the day. */
async function noteActivity(db: Db, since: Date): Promise<void> {
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
async function sampleInterests(db: Db): Promise<void> {
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
