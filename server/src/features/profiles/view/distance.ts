import { distanceBands, placeCellDegrees } from '#contract/constants.ts';
import { snapToPlaceCell, type Point } from '../place/place-cell.ts';

const earthRadiusKm = 6371;
const kmPerDegree = (Math.PI / 180) * earthRadiusKm;
/** How far beyond the edge of their cell someone must be before another cell becomes theirs, in cell sizes. */
const stickiness = 0.3;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** The place cell of someone at `point` who was last in the cell around `previous`: the old one until 30 % beyond its edge. */
export function cellOf(point: Point, previous: Point | null): Point {
  if (previous !== null && staysIn(previous, point)) return previous;
  return snapToPlaceCell(point.latitude, point.longitude);
}

function staysIn(cell: Point, point: Point): boolean {
  const reach = (0.5 + stickiness) * placeCellDegrees;
  const width = reach / Math.cos(radians(cell.latitude));
  return Math.abs(point.latitude - cell.latitude) <= reach && eastwards(cell.longitude, point.longitude) <= width;
}

/** Degrees of longitude between two meridians, the short way round. */
function eastwards(one: number, other: number): number {
  const apart = Math.abs(one - other) % 360;
  return Math.min(apart, 360 - apart);
}

/** Kilometres between two cell centres along the great circle (haversine). */
export function distanceKm(one: Point, other: Point): number {
  const latitude = Math.sin(radians(other.latitude - one.latitude) / 2) ** 2;
  const longitude = Math.sin(radians(other.longitude - one.longitude) / 2) ** 2;
  const chord = latitude + Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * longitude;
  return 2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** A distance as shown to members: the band's lower bound in km and its text. */
export interface ShownDistance {
  distance: number | null;
  distanceFormatted: string | null;
}

/** The distance band between two place cells; null where either is unknown. */
export function shownDistance(mine: Point | null, theirs: Point | null): ShownDistance {
  if (mine === null || theirs === null) return { distance: null, distanceFormatted: null };
  const km = distanceKm(mine, theirs);
  const band = distanceBands.findLast(({ fromKm }) => fromKm <= km) ?? distanceBands[0];
  return { distance: band.fromKm, distanceFormatted: band.text };
}

/** Latitudes and longitudes that everything within `km` of `centre` lies between; all longitudes near poles and the 180th meridian. */
export function boxAround(centre: Point, km: number): { south: number; north: number; west: number; east: number } {
  const north = centre.latitude + km / kmPerDegree;
  const south = centre.latitude - km / kmPerDegree;
  const everyLongitude = { south, north, west: -180, east: 180 };
  if (north >= 90 || south <= -90) return everyLongitude;
  const reach =
    (Math.asin(Math.min(1, Math.sin(km / earthRadiusKm) / Math.cos(radians(centre.latitude)))) * 180) / Math.PI;
  const west = centre.longitude - reach;
  const east = centre.longitude + reach;
  return west < -180 || east > 180 ? everyLongitude : { south, north, west, east };
}

/** A stored pair of coordinates as a point, or null. */
export function pointOf(row: { latitude: number | null; longitude: number | null }): Point | null {
  return row.latitude === null || row.longitude === null ? null : { latitude: row.latitude, longitude: row.longitude };
}
