import { channelsOf, opacityOf } from './colours.ts';
import { shareAlong, type Gradient, type Paint } from './paint.ts';
import { smallestKept, type Clip, type Shape } from './sheet.ts';
import { cellHeight, cellWidth, extentOf, moved, rasterHeight, rasterWidth, spansOf, type Extent } from './spans.ts';

type Channels = readonly [red: number, green: number, blue: number, opacity: number];

/** Below this, what is left to shine through a cell is not worth painting. */
const leastVisible = 0.02;

/** Paints the shapes as RGBA without any transparency: from the front to the back, to leave out what is hidden. */
export function paintSmall(shapes: readonly Shape[]): Uint8Array {
  const cells = rasterWidth * rasterHeight;
  const pixels = new Float64Array(cells * 4);
  const visible = new Float64Array(cells).fill(1);
  const masks = new Map<Clip, Uint8Array>();
  for (const { rings, matrix, fill, opacity, clip } of shapes.toReversed()) {
    const outline = moved(rings(), matrix);
    const extent = extentOf(outline);
    if (extent.right - extent.left < smallestKept || extent.bottom - extent.top < smallestKept) continue;
    const colourAt = colourOf(fill, extent);
    const mask = clip && maskOf(clip, masks);
    for (const [row, from, to] of spansOf(outline)) {
      for (let column = from; column < to; column++) {
        const cell = row * rasterWidth + column;
        const left = visible[cell] ?? 0;
        if (left < leastVisible || mask?.[cell] === 0) continue;
        const [red, green, blue, own] = colourAt(column, row);
        const share = left * own * opacity;
        const at = cell * 4;
        pixels[at] = (pixels[at] ?? 0) + red * share;
        pixels[at + 1] = (pixels[at + 1] ?? 0) + green * share;
        pixels[at + 2] = (pixels[at + 2] ?? 0) + blue * share;
        visible[cell] = left - share;
      }
    }
  }
  for (let at = 3; at < pixels.length; at += 4) pixels[at] = 255;
  return new Uint8Array(pixels);
}

/** 1 for each cell inside of a clip and of all that it lies in. */
function maskOf(clip: Clip, known: Map<Clip, Uint8Array>): Uint8Array {
  let mask = known.get(clip);
  if (mask !== undefined) return mask;
  const outer = clip.clip && maskOf(clip.clip, known);
  mask = new Uint8Array(rasterWidth * rasterHeight);
  for (const [row, from, to] of spansOf(moved(clip.rings(), clip.matrix))) {
    for (let cell = row * rasterWidth + from; cell < row * rasterWidth + to; cell++) mask[cell] = outer?.[cell] ?? 1;
  }
  known.set(clip, mask);
  return mask;
}

function colourOf(fill: Paint, { left, top, right, bottom }: Extent): (column: number, row: number) => Channels {
  if (typeof fill === 'string') {
    const colour = channels(fill);
    return () => colour;
  }
  const steps = stepsOf(fill);
  const last = steps.length - 1;
  return (column, row) => {
    const x = ((column + 0.5) * cellWidth - left) / (right - left);
    const y = ((row + 0.5) * cellHeight - top) / (bottom - top);
    const share = Math.min(1, Math.max(0, shareAlong(fill.way, x, y)));
    return steps[Math.round(share * last)] ?? clear;
  };
}

const clear: Channels = [0, 0, 0, 0];
const channels = (colour: string): Channels => [...channelsOf(colour), opacityOf(colour)];

/** A gradient in steps so fine that nobody sees them at this size. */
function stepsOf({ stops }: Gradient): Channels[] {
  const between = 6;
  const exact = stops.map(channels);
  return exact.flatMap((from, i) => {
    const to = exact[i + 1];
    if (to === undefined) return [from];
    return Array.from({ length: between }, (_, step): Channels => {
      const way = (channel: 0 | 1 | 2 | 3) => from[channel] + ((to[channel] - from[channel]) * step) / between;
      return [way(0), way(1), way(2), way(3)];
    });
  });
}
