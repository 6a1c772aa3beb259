import { randomInt } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import { type Db, few } from '../../platform/db.ts';
import { bucketsCount } from './discovery.bucket.ts';
import {
  candidateColumns,
  learnedOfCandidate,
  likesTheViewer,
  type CandidateRow,
} from './discovery.candidates.reads.ts';
import type { Cells } from './discovery.cells.ts';
import { bitOf, gendersOf } from './discovery.codes.ts';
import { fits, isBefore, likelyFits } from './discovery.fit.ts';
import type { ViewerRow } from './discovery.viewer.reads.ts';

/** How many of each source a deck is chosen from (matching.md, section 1). */
const sources = { best: 400, pendingLikers: 60, newcomers: 40, random: 80 };
/** How many of each are looked at for that. */
const lookedAt = { best: 520, pendingLikers: 400, newcomers: 100, newest: 5000 };
const perCell = { best: 80, newcomers: 10, random: 2, newest: 500 };
/** So many cells are looked into first, and then always four times as many, until enough people are found. */
const cellsFirst = 12;
const cellsMost = 1200;
/** Newcomers and the random few come from so many of the nearest. */
const cellsNear = 60;
const dayMs = 86_400_000;
/** Nobody joined before. */
const firstJoined = new Date(0);
/** The random few are younger than an age drawn from these or from those wished for. */
const [youngest, oldest] = [18, 80];

/** For whom, and on which day (`YYYY-MM-DD`, UTC). */
interface Search {
  viewer: ViewerRow;
  day: string;
}

/** Those of `picked`, a query for `account_id`, who fit; the first `most` in an order by columns of `t` and `picked`. */
async function thoseWhoFit(
  db: Db,
  { viewer, day }: Search,
  picked: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  most: number,
): Promise<CandidateRow[]> {
  const { rows } = await sql<CandidateRow>`/* prepared */
    with viewer as materialized (select * from discovery_row where account_id = ${viewer.account_id}::uuid),
      picked as materialized (${picked}),
      fitting as materialized (
        select t.* from viewer v cross join picked join discovery_row t on t.account_id = picked.account_id
        where ${fits({ viewerId: viewer.account_id, day })}
        order by ${order} limit ${most})
    select ${candidateColumns(likesTheViewer(day))}
    from viewer v cross join fitting t ${learnedOfCandidate}`.execute(db);
  return rows;
}

/** Everybody from all sources, each once, whom a deck may be made of at this moment. */
export async function candidatesFor(db: Db, cells: Cells, viewer: ViewerRow, now: Date): Promise<CandidateRow[]> {
  const search = { viewer, day: now.toISOString().slice(0, 10) };
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
 * The newest whom the viewer may see, in the order they joined: what nobody's decisions have shaped. Looks at those who joined within
 * a day, then further and further back, until there are enough.
 */
export async function newestFor(
  db: Db,
  cells: Cells,
  viewer: ViewerRow,
  most: number,
  now: Date,
): Promise<CandidateRow[]> {
  const search = { viewer, day: now.toISOString().slice(0, 10) };
  const around = await cellsAround(db, cells, viewer);
  const found: CandidateRow[] = [];
  let before = new Date(now.getTime() + dayMs);
  for (let days = 1; found.length < most && before > firstJoined; days *= 2) {
    const from = new Date(Math.max(now.getTime() - days * dayMs, firstJoined.getTime()));
    const rows = await thoseWhoFit(db, search, joined(search, around, from, before), newestFirst, most - found.length);
    found.push(...rows.sort((one, other) => other.joined_at.getTime() - one.joined_at.getTime()));
    before = from;
  }
  return found;
}

const newestFirst = sql`t.joined_at desc, t.account_id`;

/** Those of these cells who joined in a time, the newest of each. */
function joined({ viewer, day }: Search, cells: number[], from: Date, before: Date): RawBuilder<unknown> {
  return sql`
    select t.account_id from (select cell from unnest(${cells}::int[]) as cell ${few(cells)}) c
      cross join lateral (
        select t.account_id from discovery_row t
        where t.visible and t.cell = c.cell and t.joined_at >= ${from} and t.joined_at < ${before}
          and (${viewer.seeking}::int & t.gender) <> 0 and ${likelyFits(viewer, day)}
        order by t.joined_at desc limit ${perCell.newest}
      ) t
    limit ${lookedAt.newest}`;
}

/** The cells that somebody may live in whom the viewer may see, nearest first. */
async function cellsAround(db: Db, cells: Cells, viewer: ViewerRow): Promise<number[]> {
  const { latitude, longitude } = viewer;
  const centre = latitude === null || longitude === null ? null : { latitude, longitude };
  return (await cells.around(db, centre, viewer.distance_required ? viewer.max_km : null)).slice(0, cellsMost);
}

/** The best by what depends on no viewer, from the nearest cells first. */
async function best(db: Db, search: Search, cells: number[]): Promise<CandidateRow[]> {
  const found: CandidateRow[] = [];
  for (
    let from = 0, count = cellsFirst;
    from < cells.length && found.length < sources.best;
    from += count, count *= 4
  ) {
    const picked = likely(search, cells.slice(from, from + count));
    found.push(...(await thoseWhoFit(db, search, picked, sql`t.bucket desc`, sources.best - found.length)));
  }
  return found;
}

/** The best of these cells by what the index alone tells of them: gender and age, both ways, and whether they were here. */
function likely({ viewer, day }: Search, cells: number[]): RawBuilder<unknown> {
  const genders = wanted(viewer);
  return sql`
    select t.account_id from (select cell from unnest(${cells}::int[]) as cell ${few(cells)}) c
      cross join (select gender from unnest(${genders}::smallint[]) as gender ${few(genders)}) g
      cross join lateral (
        select t.account_id, t.bucket from discovery_row t
        where t.visible and t.cell = c.cell and t.gender = g.gender and ${likelyFits(viewer, day)}
        order by t.bucket desc limit ${perCell.best}
      ) t
    order by t.bucket desc limit ${lookedAt.best}`;
}

const wanted = ({ seeking }: ViewerRow) => gendersOf(seeking).map(bitOf);

/** Those who like the viewer and wait, from where others come from as well. */
async function pendingLikers(db: Db, search: Search, cells: number[]): Promise<CandidateRow[]> {
  const picked = sql`
    select l.viewer_id as account_id, l.decided_at from decision l
      join discovery_row r on r.account_id = l.viewer_id
      join (select cell from unnest(${cells}::int[]) as cell ${few(cells)}) c on c.cell = r.cell
    where l.target_id = ${search.viewer.account_id}::uuid and l.is_pending and ${isBefore(sql.ref('l'), search.day)}
    order by l.decided_at desc limit ${lookedAt.pendingLikers}`;
  return await thoseWhoFit(db, search, picked, sql`picked.decided_at desc`, sources.pendingLikers);
}

async function newcomersIn(db: Db, search: Search, cells: number[]): Promise<CandidateRow[]> {
  const { viewer, day } = search;
  const picked = sql`
    select t.account_id from unnest(${cells}::int[]) as c (cell)
      cross join lateral (
        select t.account_id from discovery_row t
        where t.visible and t.cell = c.cell and t.is_newcomer and (${viewer.seeking}::int & t.gender) <> 0
          and ${likelyFits(viewer, day)}
        order by t.joined_at desc limit ${perCell.newcomers}
      ) t
    limit ${lookedAt.newcomers}`;
  return await thoseWhoFit(db, search, picked, sql`t.joined_at desc`, sources.newcomers);
}

/**
 * A few that no order prefers: in each cell those that stand in the index after a place drawn anew each time, by bucket and birth
 * date.
 */
async function randomIn(db: Db, search: Search, cells: number[]): Promise<CandidateRow[]> {
  const { viewer, day } = search;
  const [from, to] = viewer.age_required ? [viewer.age_min ?? 0, viewer.age_max ?? oldest] : [0, oldest];
  const buckets = cells.map(() => randomInt(bucketsCount));
  const daysOld = cells.map(() => randomInt(Math.max(youngest, from) * 365, (to + 1) * 366));
  const picked = sql`
    select t.account_id
    from unnest(${cells}::int[], ${buckets}::int[], ${daysOld}::int[]) as c (cell, bucket, days_old)
      cross join unnest(${wanted(viewer)}::smallint[]) as g (gender)
      cross join lateral (
        select t.account_id from discovery_row t
        where t.visible and t.cell = c.cell and t.gender = g.gender and t.bucket <= c.bucket
          and t.birth_date >= ${day}::date - c.days_old and ${likelyFits(viewer, day)}
        order by t.bucket desc, t.birth_date limit ${perCell.random}
      ) t
    limit ${sources.random}`;
  return await thoseWhoFit(db, search, picked, sql`t.account_id`, sources.random);
}
