import {
  longPictureRatio,
  longPictureShortSide,
  longPictureSide,
  pictureMaxRatio,
  pictureNameMaxLength,
  thumbnailHeight,
  thumbnailWidth,
} from '#contract/constants.ts';

export interface Size {
  width: number;
  height: number;
}

/** A rectangle in a picture, in the picture's pixels. */
export interface Part extends Size {
  x: number;
  y: number;
}

/** The centre of the frame on the picture, and the zoom relative to the widest view. */
export interface Framing {
  x: number;
  y: number;
  zoom: number;
}

const frameRatio = thumbnailWidth / thumbnailHeight;
const closest = 5;

/** The longest side of an uploaded picture, in px, because no screen shows it larger. */
const longestSide = 2048;

/** The maximum zoom, at which a card is still sharp. */
export function mostZoom({ width, height }: Size): number {
  return Math.max(1, Math.min(closest, Math.min(width, height * frameRatio) / thumbnailWidth));
}

/** The part of the picture inside the frame. */
export function partOf(size: Size, { x, y, zoom }: Framing): Part {
  const width = Math.min(size.width, size.height * frameRatio) / zoom;
  const height = width / frameRatio;
  return { x: x - width / 2, y: y - height / 2, width, height };
}

const between = (least: number, value: number, most: number) => Math.min(Math.max(value, least), most);

/** The nearest framing in which the picture fills the frame. */
export function framed(size: Size, framing: Framing): Framing {
  const zoom = between(1, framing.zoom, mostZoom(size));
  const { width, height } = partOf(size, { ...framing, zoom });
  return {
    x: between(width / 2, framing.x, size.width - width / 2),
    y: between(height / 2, framing.y, size.height - height / 2),
    zoom,
  };
}

/** The default framing: the middle, or for portrait pictures the upper part, where faces usually are. */
export function firstFraming(size: Size): Framing {
  return framed(size, { x: size.width / 2, y: size.height * 0.4, zoom: 1 });
}

/** The whole picture. */
export function wholeOf({ width, height }: Size): Part {
  return { x: 0, y: 0, width, height };
}

/** Whether a picture, such as a panorama, can't be used uncropped because one side is much longer than the other. */
export function isTooLong({ width, height }: Size): boolean {
  return Math.max(width, height) > Math.min(width, height) * pictureMaxRatio;
}

/** The size at which a part is drawn: its original size, or smaller. */
export function drawnSize({ width, height }: Size): Size {
  const scale = Math.min(1, longestSide / Math.max(width, height));
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/** The size at which a photo of a message is drawn: a long one keeps a shorter side on which text can be read. */
export function sentSize(size: Size): Size {
  const [short, long] = [Math.min(size.width, size.height), Math.max(size.width, size.height)];
  if (long < short * longPictureRatio) return drawnSize(size);
  const scale = Math.min(1, longPictureSide / long, Math.max(longestSide / long, longPictureShortSide / short));
  return { width: Math.round(size.width * scale), height: Math.round(size.height * scale) };
}

/** A file that the browser could open, ready to be shown. */
export interface OpenPicture {
  url: string;
  width: number;
  height: number;
  name: string;
  /** Releases the memory of the picture. */
  close: () => void;
}

/** The format in which pictures are drawn and uploaded. */
export const drawnKind = { type: 'image/jpeg', extension: '.jpg', quality: 0.9 };

/** The file name of the drawn picture for an original file name. */
export function drawnName(name: string): string {
  const base = name.replace(/\.\w{1,5}$/, '');
  return [...base].slice(0, (pictureNameMaxLength - drawnKind.extension.length) / 2).join('') + drawnKind.extension;
}
