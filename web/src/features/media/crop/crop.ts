import { thumbnailHeight, thumbnailWidth } from '#contract/constants.ts';

interface Size {
  width: number;
  height: number;
}

/** A rectangle of a picture, in the picture's own pixels. */
export interface Part extends Size {
  x: number;
  y: number;
}

/** Where the frame stands on the picture: its middle, and how much closer than as wide as can be. */
export interface Framing {
  x: number;
  y: number;
  zoom: number;
}

const frameRatio = thumbnailWidth / thumbnailHeight;
const closest = 5;

/** The longest side of what is sent: more is not shown anywhere. */
export const longestSide = 2048;

/** How close one can go: not beyond what a card needs to be sharp. */
export function mostZoom({ width, height }: Size): number {
  return Math.max(1, Math.min(closest, Math.min(width, height * frameRatio) / thumbnailWidth));
}

/** The part in the frame. */
export function partOf(size: Size, { x, y, zoom }: Framing): Part {
  const width = Math.min(size.width, size.height * frameRatio) / zoom;
  const height = width / frameRatio;
  return { x: x - width / 2, y: y - height / 2, width, height };
}

const between = (least: number, value: number, most: number) => Math.min(Math.max(value, least), most);

/** The framing nearest to the one asked for that leaves no gap. */
export function framed(size: Size, framing: Framing): Framing {
  const zoom = between(1, framing.zoom, mostZoom(size));
  const { width, height } = partOf(size, { ...framing, zoom });
  return {
    x: between(width / 2, framing.x, size.width - width / 2),
    y: between(height / 2, framing.y, size.height - height / 2),
    zoom,
  };
}

/** The frame as it begins: the middle, and of an upright picture rather the upper part, where faces are. */
export function firstFraming(size: Size): Framing {
  return framed(size, { x: size.width / 2, y: size.height * 0.4, zoom: 1 });
}

/** All of the picture. */
export function wholeOf({ width, height }: Size): Part {
  return { x: 0, y: 0, width, height };
}

/** How large a part is drawn: as it is, or smaller. */
export function drawnSize({ width, height }: Size): Size {
  const scale = Math.min(1, longestSide / Math.max(width, height));
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}
