import { sql, type RawBuilder } from 'kysely';
import { type Db, planHint } from '#platform/db/db.ts';
import { dayOf } from '#platform/process/clock.ts';
import {
  bitOf,
  candidateColumns,
  type CandidateRow,
  gendersOf,
  learnedOfCandidate,
  type ViewerRow,
} from './people.reads.ts';
import type { Cells } from './market.reads.ts';
import { sources } from './page.ts';
import { pointOf } from '../../profiles/public.ts';
import { isBefore, likelyFits, likelyOneFits, likesTheViewer, theirDecision } from '../score/fit.ts';

/** How many rows are examined per source. */
const lookedAt = { best: 520, pendingLikers: 400, newcomers: 100, random: 120, newest: 2000 };
const perCell = { best: 80, newcomers: 10 };
/** How many cells are examined first; each round examines four times as many until enough people are found. */
const cellsFirst = 12;
const cellsMost = 1200;
/** Newcomers and random candidates come from this many of the nearest cells. */
const cellsNear = 60;
const dayMs = 86_400_000;
/** How many rounds look further back for the newest members. */
const looksMost = 40;
/** Earlier than any join date. */
const firstJoined = new Date(0);
const leastId = '00000000-0000-0000-0000-000000000000';
/**
 * Random candidates are members who joined before a random time, which is log-uniformly distributed between one and this many days ago.
 */
const drawnDays = 4000;
/** At most this many rows are skipped per random candidate. */
const passedForEach = 20;

/** The viewer and the day (`YYYY-MM-DD`, UTC). */
interface Search {
  viewer: ViewerRow;
  day: string;
}

/**
 * Returns the people of `picked` (a query for `account_id` with `likelyFits` and `isWanted`) who fit: the first `most`, ordered by columns
 * of `t` and `picked`.
 */
async function thoseWhoFit(
  db: Db,
  { viewer, day }: Search,
  picked: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  most: number,
): Promise<CandidateRow[]> {
  const { rows } = await sql<CandidateRow>`
    with viewer as materialized (select * from discovery_row where account_id = ${viewer.account_id}::uuid),
      picked as materialized (${picked}),
      fitting as materialized (
        select t.*, ${likesTheViewer(day)} as likes_viewer
        from viewer v cross join picked join discovery_row t on t.account_id = picked.account_id ${theirDecision}
        where ${likelyOneFits({ viewerId: viewer.account_id, day })}
        order by ${order} limit ${most})
    select ${candidateColumns}, t.likes_viewer
    from viewer v cross join fitting t ${learnedOfCandidate}`.execute(db);
  return rows;
}

/** Everyone from all sources who may be in a deck now, each person once. */
export async function candidatesFor(db: Db, cells: Cells, viewer: ViewerRow, now: Date): Promise<CandidateRow[]> {
  const search = { viewer, day: dayOf(now) };
  const around = await cellsAround(db, cells, viewer);
  const near = around.slice(0, cellsNear);
  const found = await Promise.all([
    best(db, search, around),
    newcomersIn(db, search, near),
    randomIn(db, search, near),
    pendingLikers(db, search, around),
  ]);
  return [...new Map(found.flat().map((row) => [row.account_id, row])).values()];
}

/**
 * The newest members the viewer may see, by joining time, whatever anyone has decided about them. Starts with the last day and looks
 * further back until there are enough. Stops after forty rounds, which is tens of thousands of rows.
 */
export async function newestFor(
  db: Db,
  cells: Cells,
  viewer: ViewerRow,
  most: number,
  now: Date,
): Promise<CandidateRow[]> {
  const search = { viewer, day: dayOf(now) };
  const around = await cellsAround(db, cells, viewer);
  const found: CandidateRow[] = [];
  let before: Joined | null = null;
  let from = now;
  let widthMs = dayMs;
  for (let look = 0; look < looksMost && found.length < most && from > firstJoined; look += 1) {
    const since = new Date(Math.max(firstJoined.getTime(), from.getTime() - widthMs));
    const joined: Joined[] = await joinedIn(db, search, around, since, before);
    found.push(...(await inTheirOrder(db, search, joined, most - found.length)));
    const last = joined[lookedAt.newest - 1];
    if (last === undefined) from = since;
    before = last ?? { account_id: leastId, at: since.toISOString() };
    if (joined.length < lookedAt.newest / 4) widthMs *= 2;
  }
  return found;
}

/** A member and their joining time as database text, because PostgreSQL's timestamps are finer than ours. */
interface Joined {
  account_id: string;
  at: string;
}

/** Members of these cells who joined after a time and before another member (null: up to now), newest first. */
async function joinedIn(
  db: Db,
  { viewer, day }: Search,
  cells: number[],
  since: Date,
  before: Joined | null,
): Promise<Joined[]> {
  const [at, id] = [before?.at ?? 'infinity', before?.account_id ?? leastId];
  const { rows } = await sql<Joined>`
    select t.account_id, t.joined_at::text as at
    from (select cell from unnest(${cells}::int[]) as cell ${planHint(cells)}) c join discovery_row t on t.cell = c.cell
    where t.visible and t.joined_at >= ${since} and t.joined_at <= ${at}::timestamptz
      and (t.joined_at, t.account_id) < (${at}::timestamptz, ${id}::uuid)
      and ${isWanted(viewer)} and ${likelyFits(viewer, day)}
    order by t.joined_at desc, t.account_id desc limit ${lookedAt.newest}`.execute(db);
  return rows;
}

/** The first `most` of these people who fit, in order. */
async function inTheirOrder(db: Db, search: Search, joined: Joined[], most: number): Promise<CandidateRow[]> {
  if (joined.length === 0) return [];
  const ids = joined.map(({ account_id }) => account_id);
  const picked = sql`select account_id, place from unnest(${ids}::uuid[]) with ordinality as joined (account_id, place)`;
  const fitting = await thoseWhoFit(db, search, picked, sql`picked.place`, most);
  const rowOf = new Map(fitting.map((row) => [row.account_id, row]));
  return ids.flatMap((id) => rowOf.get(id) ?? []);
}

/** A condition on `t`: has a gender that the viewer seeks. */
const isWanted = ({ seeking }: ViewerRow) => sql`(${seeking}::int & t.gender) <> 0`;

/** The cells where people that the viewer may see can live, nearest first. */
async function cellsAround(db: Db, cells: Cells, viewer: ViewerRow): Promise<number[]> {
  return (await cells(db, pointOf(viewer), viewer.distance_required ? viewer.max_km : null)).slice(0, cellsMost);
}

/** The best people by viewer-independent rank, nearest cells first. */
async function best(db: Db, search: Search, cells: number[]): Promise<CandidateRow[]> {
  const found: CandidateRow[] = [];
  for (
    let from = 0, count = cellsFirst;
    from < cells.length && found.length < sources.best;
    from += count, count *= 4
  ) {
    const missing = sources.best - found.length;
    const picked = likely(search, cells.slice(from, from + count), Math.min(lookedAt.best, 80 + 4 * missing));
    found.push(...(await thoseWhoFit(db, search, picked, sql`t.bucket desc`, missing)));
  }
  return found;
}

/** The best `most` of these cells by what the index contains: gender and age both ways, and recent activity. */
function likely({ viewer, day }: Search, cells: number[], most: number): RawBuilder<unknown> {
  const genders = wanted(viewer);
  return sql`
    select t.account_id from (select cell from unnest(${cells}::int[]) as cell ${planHint(cells)}) c
      cross join (select gender from unnest(${genders}::smallint[]) as gender ${planHint(genders)}) g
      cross join lateral (
        select t.account_id, t.bucket from discovery_row t
        where t.visible and t.cell = c.cell and t.gender = g.gender and ${likelyFits(viewer, day)}
        order by t.bucket desc limit ${perCell.best}
      ) t
    order by t.bucket desc limit ${most}`;
}

const wanted = ({ seeking }: ViewerRow) => gendersOf(seeking).map(bitOf);

/** People with a pending like for the viewer, from the same cells. */
async function pendingLikers(db: Db, search: Search, cells: number[]): Promise<CandidateRow[]> {
  const { viewer, day } = search;
  const picked = sql`
    select t.account_id, coalesce(l.delivered_at, l.decided_at) as arrived_at from decision l
      join discovery_row t on t.account_id = l.viewer_id
      join (select cell from unnest(${cells}::int[]) as cell ${planHint(cells)}) c on c.cell = t.cell
    where l.target_id = ${viewer.account_id}::uuid and l.is_pending and ${isBefore(sql.ref('l'), day)}
      and ${isWanted(viewer)} and ${likelyFits(viewer, day)}
    order by coalesce(l.delivered_at, l.decided_at) desc limit ${lookedAt.pendingLikers}`;
  return await thoseWhoFit(db, search, picked, sql`picked.arrived_at desc`, sources.pendingLikers);
}

async function newcomersIn(db: Db, search: Search, cells: number[]): Promise<CandidateRow[]> {
  const { viewer, day } = search;
  const picked = sql`
    select t.account_id from unnest(${cells}::int[]) as c (cell)
      cross join lateral (
        select t.account_id, t.joined_at from discovery_row t
        where t.visible and t.cell = c.cell and t.is_newcomer and ${isWanted(viewer)} and ${likelyFits(viewer, day)}
        order by t.joined_at desc limit ${perCell.newcomers}
      ) t
    order by t.joined_at desc limit ${lookedAt.newcomers}`;
  return await thoseWhoFit(db, search, picked, sql`t.joined_at desc`, sources.newcomers);
}

/** A few candidates independent of rank: in each cell, members who joined before a random time. */
async function randomIn(db: Db, search: Search, cells: number[]): Promise<CandidateRow[]> {
  const { viewer, day } = search;
  const daysAgo = cells.map(() => drawnDays ** Math.random());
  const each = Math.ceil(lookedAt.random / Math.max(1, cells.length));
  const picked = sql`
    select t.account_id from unnest(${cells}::int[], ${daysAgo}::float8[]) as c (cell, days_ago)
      cross join lateral (
        select t.account_id from (
          select * from discovery_row where visible and cell = c.cell and joined_at < ${day}::date - make_interval(secs => c.days_ago * 86400)
          order by joined_at desc limit ${each * passedForEach}
        ) t
        where ${isWanted(viewer)} and ${likelyFits(viewer, day)}
        limit ${each}
      ) t`;
  return await thoseWhoFit(db, search, picked, sql`t.account_id`, sources.random);
}
