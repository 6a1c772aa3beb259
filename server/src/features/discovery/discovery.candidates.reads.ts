import { randomUUID } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../platform/db.ts';
import type { Cells } from './discovery.cells.ts';
import { gendersOf, bitOf, type StatedRow } from './discovery.codes.ts';
import { fits, isBefore, kmBetween, likelyFits } from './discovery.fit.ts';
import type { ViewerRow } from './discovery.viewer.reads.ts';

/** Somebody who may become a card, with what the score asks for. */
export interface CandidateRow extends StatedRow {
  km: number | null;
  likes_viewer: boolean;
  height_cm: number | null;
  is_vip: boolean;
  joined_at: Date;
  last_active_on: string;
  pending: number;
  decisions_received: number;
  impressions: number;
  cards_decided: number;
  appeal: number | null;
  selectivity: number | null;
  /** First messages to them, and how many of these they answered; fading. */
  received: number | null;
  answered: number | null;
  bucket: number;
}

/** How many of each source a deck is chosen from (matching.md, section 1). */
const sources = { likely: 520, best: 400, pendingLikers: 60, newcomers: 40, random: 80 };
const perCell = 80;
/** So many cells are looked into first, and then always four times as many, until enough people are found. */
const cellsFirst = 12;
const cellsMost = 1200;
/** Newcomers and the random few come from so many of the nearest. */
const cellsNear = 60;
/** How many rows a random walk passes at most. */
const walkedMost = 1000;

/** What the score asks for of the candidate `t` of the viewer `v`. */
export const candidateColumns = (likesViewer: RawBuilder<boolean>): RawBuilder<unknown> => sql`
  t.account_id, t.gender, t.seeking, t.birth_date, t.latitude, t.longitude, t.shows_activity, t.age_min, t.age_max,
  t.age_required, t.max_km, t.distance_required, t.height_cm, t.goal, t.children, t.smoking, t.drinking, t.exercise, t.interests,
  t.languages, t.is_vip, t.joined_at, t.last_active_on, t.pending, t.decisions_received, t.impressions, t.cards_decided,
  t.bucket, ${kmBetween(sql.ref('v'), sql.ref('t'))} as km, ${likesViewer} as likes_viewer`;

/**
 * Whether the candidate likes the viewer and waits, since before today (UTC): an order that followed each like at once would
 * tell who it came from. Not `exists`, which the planner may answer by reading everybody's likes
 * that wait into memory.
 */
export const likesTheViewer = (day: string): RawBuilder<boolean> => sql<boolean>`coalesce((
  select l.is_pending and ${isBefore(sql.ref('l'), day)}
  from decision l where l.viewer_id = t.account_id and l.target_id = v.account_id), false)`;

/** Everybody from all sources, each once, whom a deck may be made of at this moment. */
export async function candidatesFor(db: Db, cells: Cells, viewer: ViewerRow, now: Date): Promise<CandidateRow[]> {
  const day = now.toISOString().slice(0, 10);
  const centre =
    viewer.latitude === null || viewer.longitude === null
      ? null
      : { latitude: viewer.latitude, longitude: viewer.longitude };
  const around = await cells.around(db, centre, viewer.distance_required ? viewer.max_km : null);
  const found = new Map<string, CandidateRow>();
  const add = (rows: CandidateRow[]) => {
    for (const row of rows) found.set(row.account_id, row);
  };
  add(await best(db, viewer, around, day));
  const near = around.slice(0, cellsNear);
  const [likers, newcomers, random] = await Promise.all([
    pendingLikers(db, viewer, around.slice(0, cellsMost), day),
    newcomersIn(db, viewer, near, day),
    randomIn(db, viewer, near, day),
  ]);
  for (const rows of [newcomers, random, likers]) add(rows);
  return await withStanding(db, [...found.values()], viewer);
}

/** The best by what depends on no viewer, from the nearest cells first. */
async function best(db: Db, viewer: ViewerRow, cells: number[], day: string): Promise<CandidateRow[]> {
  const found: CandidateRow[] = [];
  const most = Math.min(cells.length, cellsMost);
  for (let from = 0, count = cellsFirst; from < most && found.length < sources.best; from += count, count *= 4) {
    const ids = await likely(db, viewer, cells.slice(from, from + count), day);
    const { rows } = await sql<CandidateRow>`/* prepared */
      select ${candidateColumns(likesTheViewer(day))} from discovery_row v
        join discovery_row t on t.account_id = any (${ids}::uuid[])
      where v.account_id = ${viewer.account_id}::uuid and ${fits(day)}
      order by t.bucket desc limit ${sources.best - found.length}`.execute(db);
    found.push(...rows);
  }
  return found;
}

/** The best of these cells by what the index alone tells of them: gender and age, both ways, and whether they were here. */
async function likely(db: Db, viewer: ViewerRow, cells: number[], day: string): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`/* prepared */
    select t.account_id from unnest(${cells}::int[]) as c (cell)
      cross join unnest(${gendersOf(viewer.seeking).map(bitOf)}::smallint[]) as g (gender)
      cross join lateral (
        select t.account_id, t.bucket from discovery_row t
        where t.visible and t.cell = c.cell and t.gender = g.gender and ${likelyFits(viewer, day)}
        order by t.bucket desc limit ${perCell}
      ) t
    order by t.bucket desc limit ${sources.likely}`.execute(db);
  return rows.map(({ account_id }) => account_id);
}

/** Those who like the viewer and wait, from where others come from as well. */
async function pendingLikers(db: Db, viewer: ViewerRow, cells: number[], day: string): Promise<CandidateRow[]> {
  const { rows } = await sql<CandidateRow>`/* prepared */
    select ${candidateColumns(sql`true`)} from discovery_row v
      join decision l on l.target_id = v.account_id and l.is_pending and ${isBefore(sql.ref('l'), day)}
      join discovery_row t on t.account_id = l.viewer_id and t.cell = any (${cells}::int[])
    where v.account_id = ${viewer.account_id}::uuid and ${fits(day)}
    order by l.decided_at desc limit ${sources.pendingLikers}`.execute(db);
  return rows;
}

async function newcomersIn(db: Db, viewer: ViewerRow, cells: number[], day: string): Promise<CandidateRow[]> {
  const { rows } = await sql<CandidateRow>`/* prepared */
    select ${candidateColumns(likesTheViewer(day))} from discovery_row v
      cross join unnest(${cells}::int[]) as c (cell)
      cross join lateral (
        select t.* from discovery_row t where t.cell = c.cell and t.is_newcomer and ${fits(day)}
        order by t.joined_at desc limit 10
      ) t
    where v.account_id = ${viewer.account_id}::uuid limit ${sources.newcomers}`.execute(db);
  return rows;
}

/** A few that no order prefers, from another part of all members each time. */
async function randomIn(db: Db, viewer: ViewerRow, cells: number[], day: string): Promise<CandidateRow[]> {
  const { rows } = await sql<CandidateRow>`/* prepared */
    select ${candidateColumns(likesTheViewer(day))} from discovery_row v
      cross join (
        select * from discovery_row where account_id > ${randomUUID()}::uuid order by account_id limit ${walkedMost}
      ) t
    where v.account_id = ${viewer.account_id}::uuid and t.cell = any (${cells}::int[]) and ${fits(day)}
    limit ${sources.random}`.execute(db);
  return rows;
}

/** The candidates with what was learned of them towards people of the viewer's gender, and how often they answer. */
export async function withStanding(db: Db, rows: CandidateRow[], viewer: ViewerRow): Promise<CandidateRow[]> {
  const ids = rows.map(({ account_id }) => account_id);
  const { rows: standings } = await sql<{ account_id: string; appeal: number; selectivity: number }>`/* prepared */
    select account_id, appeal, selectivity from standing
    where gender = ${viewer.gender}::smallint and account_id = any (${ids}::uuid[])`.execute(db);
  const { rows: replies } = await sql<{ account_id: string; received: number; answered: number }>`/* prepared */
    select account_id, received, answered from reply_count where account_id = any (${ids}::uuid[])`.execute(db);
  const learnedOf = new Map(standings.map((row) => [row.account_id, row]));
  const repliesOf = new Map(replies.map((row) => [row.account_id, row]));
  return rows.map((row) => {
    const { appeal = 0, selectivity = 0 } = learnedOf.get(row.account_id) ?? {};
    const { received = 0, answered = 0 } = repliesOf.get(row.account_id) ?? {};
    return { ...row, appeal, selectivity, received, answered };
  });
}

/** The newest whom the viewer may see, in the order they joined: what nobody's decisions have shaped. */
export async function newestFor(
  db: Db,
  cells: Cells,
  viewer: ViewerRow,
  most: number,
  now: Date,
): Promise<CandidateRow[]> {
  const day = now.toISOString().slice(0, 10);
  const centre =
    viewer.latitude === null || viewer.longitude === null
      ? null
      : { latitude: viewer.latitude, longitude: viewer.longitude };
  const around = (await cells.around(db, centre, viewer.distance_required ? viewer.max_km : null)).slice(0, cellsMost);
  const { rows } = await sql<CandidateRow>`/* prepared */
    select ${candidateColumns(likesTheViewer(day))} from discovery_row v join discovery_row t on t.cell = any (${around}::int[])
    where v.account_id = ${viewer.account_id}::uuid and ${fits(day)}
    order by t.joined_at desc, t.account_id limit ${most}`.execute(db);
  return await withStanding(db, rows, viewer);
}
