import { sql } from 'kysely';
import type { Db } from '../../../platform/db/db.ts';
import type { Point } from '../../profiles/public.ts';

const cellDegrees = 0.1;
const earthRadiusKm = 6371;
/** From a cell's centre to its corner, at the equator. */
const halfDiagonalKm = 8;
const knownForMs = 5 * 60_000;

/** The search cells that have members: read from the index and cached for five minutes. */
export interface Cells {
  /** The cells within `maxKm` of a point (null: everywhere), nearest first; without a point, unordered. */
  around(db: Db, centre: Point | null, maxKm: number | null): Promise<number[]>;
}

const radians = (degrees: number) => (degrees * Math.PI) / 180;

function centreOf(cell: number): Point {
  return {
    latitude: Math.floor(cell / 3600) * cellDegrees - 90 + cellDegrees / 2,
    longitude: (cell % 3600) * cellDegrees - 180 + cellDegrees / 2,
  };
}

function kmTo(centre: Point, cell: number): number {
  const { latitude, longitude } = centreOf(cell);
  const a =
    Math.sin(radians(latitude - centre.latitude) / 2) ** 2 +
    Math.cos(radians(centre.latitude)) *
      Math.cos(radians(latitude)) *
      Math.sin(radians(longitude - centre.longitude) / 2) ** 2;
  return 2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(a)));
}

/** The populated cells by a loose index scan: one index step per cell. */
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

/** A per-process cache of populated cells; `nowMs` is the clock. */
export function createCells(nowMs: () => number): Cells {
  let known: { cells: Promise<number[]>; readAt: number } | null = null;
  return {
    async around(db, centre, maxKm) {
      if (known === null || nowMs() - known.readAt > knownForMs) known = { cells: populated(db), readAt: nowMs() };
      const cells = await known.cells.catch((error: unknown) => {
        known = null;
        throw error;
      });
      if (centre === null) return maxKm === null ? cells : [];
      const near = cells
        .map((cell) => ({ cell, km: cell < 0 ? Infinity : kmTo(centre, cell) }))
        .filter(({ km }) => maxKm === null || km - halfDiagonalKm <= maxKm);
      return near.sort((one, other) => one.km - other.km).map(({ cell }) => cell);
    },
  };
}
