import type { Db } from '#platform/db/db.ts';
import { alikeWeightOf, baseOf } from '../learn/learning.ts';
import { boostMax } from '../score/score.ts';
import type { MarketStats } from '../score/people.ts';
import { sql } from 'kysely';
import { distanceKm, type Point } from '../../profiles/public.ts';

const statsKnownForMs = 60_000;

/** The market's figures, which are read from small tables. */
export async function readMarketStats(db: Db): Promise<MarketStats> {
  const [segments, shares] = await Promise.all([
    db.selectFrom('segment_base').selectAll().execute(),
    db.selectFrom('interest_share').selectAll().execute(),
  ]);
  return {
    base: new Map(segments.map(({ segment, shown, liked }) => [segment, baseOf(shown, liked)])),
    // In these segments the two columns hold other sums.
    alike: new Map(
      segments.map(({ segment, shown, liked }) => [segment, alikeWeightOf({ information: shown, evidence: liked })]),
    ),
    interestShares: new Map(shares.map(({ interest, share }) => [interest, share])),
    premiumBoost: boostMax,
  };
}

/** Returns a function that caches the result of `read` for `forMs`; a failure is not cached. */
export function remembered<T>(
  read: (db: Db) => Promise<T>,
  nowMs: () => number,
  forMs: number,
): (db: Db) => Promise<T> {
  let known: { value: Promise<T>; readAt: number } | null = null;
  return async (db) => {
    if (known === null || nowMs() - known.readAt > forMs) known = { value: read(db), readAt: nowMs() };
    return await known.value.catch((error: unknown) => {
      known = null;
      throw error;
    });
  };
}

/** The market's figures, cached per process for a minute; `nowMs` is the current time. */
export const createMarketStats = (nowMs: () => number): ((db: Db) => Promise<MarketStats>) =>
  remembered(readMarketStats, nowMs, statsKnownForMs);

const cellDegrees = 0.1;
/** From a cell's centre to its corner, at the equator. */
const halfDiagonalKm = 8;
const cellsKnownForMs = 5 * 60_000;

/** The search cells with members within `maxKm` of a point (null: everywhere), nearest first; unordered without a point. */
export type Cells = (db: Db, centre: Point | null, maxKm: number | null) => Promise<number[]>;

function centreOf(cell: number): Point {
  return {
    latitude: Math.floor(cell / 3600) * cellDegrees - 90 + cellDegrees / 2,
    longitude: (cell % 3600) * cellDegrees - 180 + cellDegrees / 2,
  };
}

/** Finds the populated cells by a loose index scan: one index step per cell. */
async function populated(db: Db): Promise<number[]> {
  const { rows } = await sql<{ cell: number }>`
    with recursive walk as (
      (select cell from discovery_row where visible order by cell limit 1)
      union all
      select (select r.cell from discovery_row r where r.visible and r.cell > walk.cell order by r.cell limit 1)
      from walk where walk.cell is not null
    ) select cell from walk where cell is not null`.execute(db);
  return rows.map(({ cell }) => cell);
}

/** The search cells, cached per process for five minutes; `nowMs` is the current time. */
export function createCells(nowMs: () => number): Cells {
  const read = remembered(populated, nowMs, cellsKnownForMs);
  return async (db, centre, maxKm) => {
    const cells = await read(db);
    if (centre === null) return maxKm === null ? cells : [];
    const near = cells
      .map((cell) => ({ cell, km: cell < 0 ? Infinity : distanceKm(centre, centreOf(cell)) }))
      .filter(({ km }) => maxKm === null || km - halfDiagonalKm <= maxKm);
    return near.sort((one, other) => one.km - other.km).map(({ cell }) => cell);
  };
}
