import { short } from './outline.ts';

/** The six numbers of SVG's `matrix`. */
export type Matrix = readonly [number, number, number, number, number, number];

/** Where and how a part of a drawing is put; `about` is its point that `x`, `y` move and that the rest leaves in place. */
export interface Placing {
  x?: number;
  y?: number;
  scale?: number;
  /** Degrees, clockwise. */
  turn?: number;
  /** Left and right swapped. */
  mirror?: boolean;
  about?: readonly [x: number, y: number];
}

export const nowhereElse: Matrix = [1, 0, 0, 1, 0, 0];

/** What a placing does to each point. */
export function matrixOf({ x = 0, y = 0, scale = 1, turn = 0, mirror = false, about = [0, 0] }: Placing): Matrix {
  const angle = (turn * Math.PI) / 180;
  const side = mirror ? -scale : scale;
  const [a, b, c, e] = [
    Math.cos(angle) * side,
    Math.sin(angle) * side,
    -Math.sin(angle) * scale,
    Math.cos(angle) * scale,
  ];
  const [px, py] = about;
  return [a, b, c, e, x + px - a * px - c * py, y + py - b * px - e * py];
}

/** First `inner`, then `outer`. */
export function combine(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, e, x, y] = outer;
  const [ia, ib, ic, ie, ix, iy] = inner;
  return [a * ia + c * ib, b * ia + e * ib, a * ic + c * ie, b * ic + e * ie, a * ix + c * iy + x, b * ix + e * iy + y];
}

/** As an attribute of a group. */
export function transformOf(matrix: Matrix): string {
  const [a, b, c, e, x, y] = matrix;
  return `matrix(${[a, b, c, e].map((value) => String(Math.round(value * 1e4) / 1e4)).join(' ')} ${short(x)} ${short(y)})`;
}
