import type { Ring } from './outline.ts';
import type { Matrix } from './placing.ts';
import { pictureHeight, pictureWidth } from './sheet.ts';

/** A picture this small has about the shape of a whole one. */
export const rasterWidth = 25;
export const rasterHeight = 32;
export const cellWidth = pictureWidth / rasterWidth;
export const cellHeight = pictureHeight / rasterHeight;

export interface Extent {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** From which to before which cell of a row. */
export type Span = [row: number, from: number, to: number];

/** Outlines where a drawing puts them. */
export function moved(rings: readonly Ring[], [a, b, c, e, x, y]: Matrix): Ring[] {
  return rings.map((ring) => {
    const at: Ring = [];
    for (let i = 0; i < ring.length; i += 2) {
      const [px, py] = [ring[i] ?? 0, ring[i + 1] ?? 0];
      at.push(a * px + c * py + x, b * px + e * py + y);
    }
    return at;
  });
}

/** The box around outlines. */
export function extentOf(rings: readonly Ring[]): Extent {
  const extent = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      const [x, y] = [ring[i] ?? 0, ring[i + 1] ?? 0];
      if (x < extent.left) extent.left = x;
      if (x > extent.right) extent.right = x;
      if (y < extent.top) extent.top = y;
      if (y > extent.bottom) extent.bottom = y;
    }
  }
  return extent;
}

/** The cells whose middle lies inside. */
export function spansOf(rings: readonly Ring[]): Span[] {
  const spans: Span[] = [];
  for (const [row, crossings] of crossingsOf(rings).entries()) {
    if (crossings === undefined) continue;
    crossings.sort((one, other) => one - other);
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      const from = Math.max(0, Math.round((crossings[i] ?? 0) / cellWidth));
      const to = Math.min(rasterWidth, Math.round((crossings[i + 1] ?? 0) / cellWidth));
      if (from < to) spans.push([row, from, to]);
    }
  }
  return spans;
}

/** Where the middle line of each row meets the outlines. */
function crossingsOf(rings: readonly Ring[]): (number[] | undefined)[] {
  const rows: (number[] | undefined)[] = Array.from({ length: rasterHeight });
  for (const ring of rings) {
    let x0 = ring.at(-2) ?? 0;
    let y0 = ring.at(-1) ?? 0;
    for (let i = 0; i < ring.length; i += 2) {
      const x1 = ring[i] ?? 0;
      const y1 = ring[i + 1] ?? 0;
      const first = Math.max(0, Math.ceil(Math.min(y0, y1) / cellHeight - 0.5));
      const end = Math.min(rasterHeight, Math.ceil(Math.max(y0, y1) / cellHeight - 0.5));
      for (let row = first; row < end; row++) {
        const x = x0 + (((row + 0.5) * cellHeight - y0) / (y1 - y0)) * (x1 - x0);
        (rows[row] ??= []).push(x);
      }
      x0 = x1;
      y0 = y1;
    }
  }
  return rows;
}
