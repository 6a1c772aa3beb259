import { sql } from 'kysely';
import { exactTotalMax } from '#contract/constants.ts';
import type { Db } from '../../../platform/db/db.ts';
import {
  countQuery,
  hitsQuery,
  positionsQuery,
  sortedHitsQuery,
  walkQuery,
  type Position,
  type Wanted,
  type Window,
} from './positions.queries.ts';

/** Found rows in order; a `total` of more than 10,000 is where counting stopped. */
export interface Found {
  positions: Position[];
  total: number;
}

const countedMost = exactTotalMax + 1;
/**
 * From how many hits on walking along the order beats sorting them. By name, hits lie together, far behind everyone who comes
 * before; times of activity have to be looked up for each hit first.
 */
const sortedMost = { createdAt: countedMost, lastActive: 3000, name: 100_001 };

/** The rows of a list in their order, uncounted. */
export async function listed(db: Db, wanted: Wanted, window: Window): Promise<Position[]> {
  const { rows } = await positionsQuery(wanted, window).execute(db);
  return rows;
}

/** The rows of a search and how many there are, counted to 10,001 at most. */
export async function searched(db: Db, wanted: Wanted, window: Window): Promise<Found> {
  if (wanted.text?.isCommon === true) {
    const [positions, total] = await Promise.all([walk(db, wanted, window), count(db, wanted)]);
    return { positions, total };
  }
  const { positions, total } = await collect(db, wanted, window);
  return { positions: positions ?? (await walk(db, wanted, window)), total };
}

async function walk(db: Db, wanted: Wanted, window: Window): Promise<Position[]> {
  const { rows } = await walkQuery(wanted, window).execute(db);
  return rows;
}

async function count(db: Db, wanted: Wanted): Promise<number> {
  const { rows } = await countQuery(wanted, countedMost).execute(db);
  return rows[0]?.total ?? 0;
}

/** Collects and counts the hits, then sorts them. Null positions: too many to collect. */
async function collect(
  db: Db,
  wanted: Wanted,
  window: Window,
): Promise<{ positions: Position[] | null; total: number }> {
  const fewEnough = sortedMost[wanted.sort.key];
  const most = Math.max(countedMost, fewEnough);
  const worthwhile = sql<boolean>`(select total from counted) < ${fewEnough}`;
  const { rows } = await sql<{ total: number; key: string | null; id: string | null }>`
    with hits as materialized (${hitsQuery(wanted, most)}), counted as (select count(*)::int as total from hits)
    select counted.total, found.key, found.id
    from counted left join (${sortedHitsQuery(wanted.sort, window, worthwhile)}) found on true`.execute(db);
  const total = rows[0]?.total ?? 0;
  if (total >= fewEnough) return { positions: null, total };
  return { positions: rows.flatMap(({ key, id }) => (key === null || id === null ? [] : [{ key, id }])), total };
}
