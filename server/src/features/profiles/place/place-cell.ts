import { placeCellDegrees } from '#contract/constants.ts';

/** A point in degrees: north and east are positive. */
export interface Point {
  latitude: number;
  longitude: number;
}

const lastRow = Math.round(90 / placeCellDegrees) - 1;

/**
 * The centre of the place cell that holds the point: `placeCellDegrees` of latitude high, and as wide in longitude divided by
 * the cosine of the latitude of its row's centre, so that cells have about the same size in kilometres everywhere.
 * Rows count from the equator and columns from Greenwich; the cells at the 180th meridian end there. Six decimals.
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

/** The same meridian within -180…180, where 180 itself is -180. */
function wrapLongitude(longitude: number): number {
  return longitude >= -180 && longitude < 180 ? longitude : ((((longitude + 180) % 360) + 360) % 360) - 180;
}

function sixDecimals(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}
