import { distanceBands } from '#contract/constants.ts';
import { distanceKm, type Point, snapToPlaceCell } from '../../src/features/profiles/place/distance.ts';
import type { Random } from '../random.ts';

/** What an attacker can learn about one victim from any place cell they move to. */
export interface Oracle {
  /** Whether a search within this many whole kilometers finds the victim. */
  within(from: Point, km: number): boolean;
  /** The lower bound of the distance band in the victim's profile, in km. */
  band(from: Point): number;
}

/** Thrown when the allowed number of answers is used up. */
class Spent extends Error {}

/** An oracle with a limited number of answers. */
export function limited(oracle: Oracle, queries: number): Oracle & { asked(): number } {
  let asked = 0;
  const count = () => {
    if (asked === queries) throw new Spent();
    asked += 1;
  };
  return {
    asked: () => asked,
    within(from, km) {
      count();
      return oracle.within(from, km);
    },
    band(from) {
      count();
      return oracle.band(from);
    },
  };
}

const farthestKm = 20_100;
const kmPerDegree = (Math.PI / 180) * 6371;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** The point this many kilometers east and north of another, accurate enough within a country. */
export function moved(from: Point, eastKm: number, northKm: number): Point {
  return {
    latitude: from.latitude + northKm / kmPerDegree,
    longitude: from.longitude + eastKm / (kmPerDegree * Math.cos(radians(from.latitude))),
  };
}

const towards = (from: Point, angle: number, km: number) =>
  snapToPlaceCell(...coordinates(moved(from, km * Math.cos(angle), km * Math.sin(angle))));
const coordinates = ({ latitude, longitude }: Point) => [latitude, longitude] as const;

/** The victim is about `km` from `from`, plus or minus `error`. */
interface Measure {
  from: Point;
  km: number;
  error: number;
}

/** The radius at which a search from `from` starts to find the victim, by bisection. */
function ring(oracle: Oracle, from: Point, most: number): Measure | null {
  if (!oracle.within(from, most)) return null;
  let [outside, inside] = [0, most];
  while (inside - outside > 1) {
    const middle = Math.floor((outside + inside) / 2);
    if (oracle.within(from, middle)) inside = middle;
    else outside = middle;
  }
  return { from, km: inside - 0.5, error: 0.3 };
}

/**
 * Finds the edge of the band on the way out from `near`, by bisection: between two places the victim is about `edgeKm`
 * away.
 */
function bandEdge(oracle: Oracle, near: Point, angle: number, edgeKm: number): Measure | null {
  const isBeyond = (km: number) => oracle.band(towards(near, angle, km)) >= edgeKm;
  let [inner, outer] = [Math.max(0, edgeKm - 4), edgeKm + 4];
  if (isBeyond(inner) || !isBeyond(outer)) return null;
  while (outer - inner > 0.2) {
    const middle = (inner + outer) / 2;
    if (isBeyond(middle)) outer = middle;
    else inner = middle;
  }
  const [last, first] = [towards(near, angle, inner), towards(near, angle, outer)];
  const from = { latitude: (last.latitude + first.latitude) / 2, longitude: (last.longitude + first.longitude) / 2 };
  return { from, km: edgeKm, error: 0.8 };
}

/** The point that fits all measurements best: weighted least squares by Gauss–Newton. */
function trilaterate(measures: readonly Measure[], start: Point): Point {
  let at = start;
  for (let round = 0; round < 40; round += 1) {
    let [ee, en, nn, e, n] = [1e-9, 0, 1e-9, 0, 0];
    for (const { from, km, error } of measures) {
      const distance = Math.max(distanceKm(from, at), 0.01);
      const east = ((at.longitude - from.longitude) * kmPerDegree * Math.cos(radians(at.latitude))) / distance;
      const north = ((at.latitude - from.latitude) * kmPerDegree) / distance;
      const weight = error ** -2;
      const miss = (distance - km) * weight;
      [ee, en, nn] = [ee + weight * east * east, en + weight * east * north, nn + weight * north * north];
      [e, n] = [e + miss * east, n + miss * north];
    }
    const determinant = ee * nn - en * en;
    at = moved(at, -(nn * e - en * n) / determinant, -(ee * n - en * e) / determinant);
  }
  return at;
}

/** The largest allowed error of a fit. */
const asGoodAsKm = 0.2;

/**
 * Where the attacker locates the victim after using all answers: three wide rings, the edges of the bands in twelve
 * directions, then rings from random places nearby, all fitted together. A best point near the center of a cell is
 * moved there, because the cells are public.
 */
export function locate(oracle: Oracle, corners: readonly Point[], random: Random): Point {
  const measures: Measure[] = [];
  const fitted = () => trilaterate(measures, middleOf(corners));
  const note = (measure: Measure | null) => {
    if (measure !== null) measures.push(measure);
  };
  try {
    for (const corner of corners) note(ring(oracle, snapToPlaceCell(...coordinates(corner)), farthestKm));
    const rough = fitted();
    const edges = distanceBands.map(({ fromKm }) => fromKm).filter((km) => km > 0);
    for (let direction = 0; direction < 12; direction += 1)
      for (const edge of edges) note(bandEdge(oracle, rough, (direction * Math.PI) / 6, edge));
    for (;;) note(ring(oracle, towards(rough, random.next() * 2 * Math.PI, 2 + random.next() * 58), 127));
  } catch (error) {
    if (!(error instanceof Spent)) throw error;
  }
  const best = fitted();
  const centre = snapToPlaceCell(...coordinates(best));
  return distanceKm(best, centre) < asGoodAsKm ? centre : best;
}

const middleOf = (points: readonly Point[]): Point => ({
  latitude: points.reduce((sum, { latitude }) => sum + latitude, 0) / points.length,
  longitude: points.reduce((sum, { longitude }) => sum + longitude, 0) / points.length,
});
