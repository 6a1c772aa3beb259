import type { TaskList } from 'graphile-worker';
import { secondsAfter } from '../../platform/process/clock.ts';
import type { Deps } from '../../deps.ts';
import type { Schedule, Ticker } from '../../platform/jobs/jobs.ts';
import { forgetSeen } from '../profiles/public.ts';
import { createMarketStats, createCells } from './deck/market.reads.ts';
import { type DeckMaker, makeDeck } from './deck/deck.ts';
import { deckRules } from './deck/page.ts';
import { dropOldLogs, estimate } from './insights/estimates.ts';
import { countWeeks } from './insights/weeks.ts';
import { learn } from './learn/learn.ts';
import { sql } from 'kysely';
import { decayed, decidedDays, impressionDays, keptAfterADay } from './learn/learning.ts';
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
    switchback: deps.config.matchingSwitchback,
  };
  deckMakers.set(deps, maker);
  return maker;
}

/** Learns from all queued decisions. */
async function learnAll(deps: Deps): Promise<void> {
  const maker = deckMakerOf(deps);
  while (await learn(deps.db, maker.marketStats, deps.clock.now()));
}

/** Background work of discovery: decks, training events and decaying figures. */
export function discoveryTasks(deps: Deps): TaskList {
  const { db, clock } = deps;
  const maker = deckMakerOf(deps);
  return {
    'discovery.refill': (payload) => makeDeck(maker, (payload as { accountId: string }).accountId, clock.now()),
    'discovery.learn': () => learnAll(deps),
    'discovery.noteActivity': () => noteActivity(db, secondsAfter(clock.now(), -activityOverlapSeconds)),
    'discovery.sampleInterests': () => sampleInterests(db),
    'discovery.countWeeks': (payload) => countWeeks(deps, payload as Parameters<typeof countWeeks>[1]),
    'discovery.estimate': (payload) => estimate(deps, payload as Parameters<typeof estimate>[1]),
    'discovery.fade': async () => {
      await fade(db);
      await dropOldDecks(db, secondsAfter(clock.now(), -deckRules.keptDays * 86_400));
      await dropOldLogs(db, clock.now());
      await forgetSeen(db, clock.now());
    },
  };
}

export const discoveryTickers = (deps: Deps): Ticker[] => [
  { name: 'lessons', everyMs: 2000, run: () => learnAll(deps) },
];

export const discoverySchedules: Schedule[] = [
  { cron: '* * * * *', task: 'discovery.learn' },
  { cron: '*/5 * * * *', task: 'discovery.noteActivity' },
  { cron: '7 * * * *', task: 'discovery.sampleInterests' },
  { cron: '11 4 * * *', task: 'discovery.fade' },
  { cron: '37 2 * * *', task: 'discovery.countWeeks' },
  { cron: '17 3 * * *', task: 'discovery.estimate' },
];

const sampledPercent = 5;

/** Decays the counters as their windows move on; runs once a day. */
async function fade(db: Db): Promise<void> {
  const kept = decayed(1, 1);
  await sql`
    update discovery_row set impressions = impressions * ${keptAfterADay(impressionDays)}::real,
      cards_decided = cards_decided * ${keptAfterADay(decidedDays)}::real,
      decisions_received = decisions_received * ${kept}::real
    where impressions > 0.01 or cards_decided > 0.01 or decisions_received > 0.01`.execute(db);
  await sql`
    update reply_count set received = received * ${kept}::real, answered = answered * ${kept}::real
    where received > 0.01`.execute(db);
  await sql`update segment_base set shown = shown * ${kept}, liked = liked * ${kept}`.execute(db);
}

/** Deletes decks built before `madeBefore`; they contain ids of people who may be deleted. */
async function dropOldDecks(db: Db, madeBefore: Date): Promise<void> {
  await db.deleteFrom('deck').where('made_at', '<', madeBefore).execute();
}

/** Records members active since `since`; discovery only needs the day. */
async function noteActivity(db: Db, since: Date): Promise<void> {
  await sql`
    update discovery_row r set last_active_on = (p.last_active_at at time zone 'UTC')::date
    from presence p
    where p.last_active_at >= ${since} and r.account_id = p.account_id
      and r.last_active_on < (p.last_active_at at time zone 'UTC')::date`.execute(db);
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
