import { distanceBands, placeCellDegrees } from '#contract/constants.ts';

/** A point in degrees: north and east are positive. */
export interface Point {
  latitude: number;
  longitude: number;
}

const lastRow = Math.round(90 / placeCellDegrees) - 1;

/**
 * The centre of the place cell that contains the point. A cell is `placeCellDegrees` of latitude high, and as wide in longitude divided by
 * the cosine of the latitude of its row's centre, so that cells have about the same size in kilometers everywhere. Rows count from the
 * equator and columns from Greenwich; the cells at the 180th meridian end there. Rounded to six decimals.
 */
export function snapToPlaceCell(latitude: number, longitude: number): Point {
  const row = Math.min(Math.max(Math.floor(latitude / placeCellDegrees), -lastRow - 1), lastRow);
  const rowCentre = (row + 0.5) * placeCellDegrees;
  const width = placeCellDegrees / Math.cos((rowCentre * Math.PI) / 180);
  const column = Math.floor(wrapLongitude(longitude) / width);
  const west = Math.max(column * width, -180);
  const east = Math.min((column + 1) * width, 180);
  return { latitude: sixDecimals(rowCentre), longitude: sixDecimals((west + east) / 2) };
}

/** The same meridian within -180…180; 180 itself becomes -180. */
function wrapLongitude(longitude: number): number {
  return longitude >= -180 && longitude < 180 ? longitude : ((((longitude + 180) % 360) + 360) % 360) - 180;
}

function sixDecimals(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}

const earthRadiusKm = 6371;
const kmPerDegree = (Math.PI / 180) * earthRadiusKm;
/** How far beyond the edge of their cell members must be before they get another cell, in cell sizes. */
const stickiness = 0.3;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** The place cell of a member at `point` who was last in the cell around `previous`: the old one until they are 30 % beyond its edge. */
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
interface ShownDistance {
  distance: number | null;
  distanceFormatted: string | null;
}

/** The distance band between two place cells; null if either is unknown. */
export function shownDistance(mine: Point | null, theirs: Point | null): ShownDistance {
  if (mine === null || theirs === null) return { distance: null, distanceFormatted: null };
  const km = distanceKm(mine, theirs);
  const band = distanceBands.findLast(({ fromKm }) => fromKm <= km) ?? distanceBands[0];
  return { distance: band.fromKm, distanceFormatted: band.text };
}

/** The bounds in latitude and longitude of everything within `km` of `centre`; all longitudes near the poles and the 180th meridian. */
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
