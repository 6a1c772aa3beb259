import { t } from '@lingui/core/macro';
import { drawnKind, drawnName, drawnSize, type OpenPicture, type Part, sentSize, type Size, wholeOf } from './crop.ts';
import { messagePictureMaxRatio, messagePictureMinSide, pictureMaxMegapixels } from '#contract/constants.ts';
import { heicStartBytes, isHeic } from '#contract/heic.ts';

/** The limits for a canvas in Safari on iPhones: the number of pixels, and the pixels of one side. */
const canvasPixels = 4096 * 4096;
const canvasSide = 8192;

/** A picture that can't be used. The message tells the member why, and what to do. */
class UnusablePicture extends Error {}

const megapixels = ({ width, height }: Size) => Math.ceil((width * height) / 1e6);

/**
 * The size at which a picture is opened: its original size, or a smaller one that every browser can draw and for which
 * a phone has enough memory. Throws if the picture has more pixels than allowed.
 */
export function openedSize({ width, height }: Size): Size {
  if (width * height > pictureMaxMegapixels * 1e6) {
    const values = { limit: pictureMaxMegapixels, count: megapixels({ width, height }) };
    throw new UnusablePicture(
      t`Pictures can have up to ${{ limit: values.limit }} megapixels. This one has ${{ count: values.count }}. Make it smaller, or take a screenshot of it.`,
    );
  }
  if (width * height <= canvasPixels) return { width, height };
  const scale = Math.min(Math.sqrt(canvasPixels / (width * height)), canvasSide / Math.max(width, height));
  return { width: Math.floor(width * scale), height: Math.floor(height * scale) };
}

/** The error for a picture that needs more memory than the browser has. */
export function tooLargeHere(size: Size): UnusablePicture {
  return new UnusablePicture(
    t`This picture has ${{ count: megapixels(size) }} megapixels, which is more than this device can open. Choose a smaller one, or take a screenshot of it.`,
  );
}

/** The error that explains why a file could not be opened or drawn, and what the member can do. */
export async function whyUnusable(file: File, error: unknown): Promise<string> {
  if (error instanceof UnusablePicture) return error.message;
  const start = await file
    .slice(0, heicStartBytes)
    .arrayBuffer()
    .catch(() => new ArrayBuffer());
  if (isHeic(new Uint8Array(start)))
    return t`This browser can't open HEIC pictures. Take a screenshot of it and choose that, or set your camera to save JPEG. On an iPhone: Settings, Camera, Formats, Most Compatible.`;
  return t`This file can't be opened as a picture. Choose a JPEG, PNG or WebP, or take a screenshot of it.`;
}

/** The browser's functions for pictures, which tests replace. */
export interface Drawing {
  /** Opens a file, scaled down if it is large; rejects if the browser cannot display it. */
  open: (file: File) => Promise<OpenPicture>;
  /** Draws a part again, no larger than it will ever be shown, so that nothing else from the file is uploaded. */
  draw: (picture: OpenPicture, part: Part) => Promise<File>;
}

/** The JPEG quality of a picture that will be drawn once more before it is uploaded. */
const openedQuality = 0.95;

/** Starts loading an image and waits until its size is known, without decoding it. */
async function imageOf(url: string): Promise<HTMLImageElement> {
  const image = new Image();
  await new Promise((resolve, reject) => {
    image.addEventListener('load', resolve);
    image.addEventListener('error', () => reject(new Error('The browser cannot show this file')));
    image.src = url;
  });
  return image;
}

async function open(file: File): Promise<OpenPicture> {
  const url = URL.createObjectURL(file);
  const close = () => URL.revokeObjectURL(url);
  try {
    const image = await imageOf(url);
    const { naturalWidth: width, naturalHeight: height } = image;
    if (width === 0 || height === 0) throw new Error('The picture has no size');
    const size = openedSize({ width, height });
    if (size.width < width) return await openSmaller(file, image, size).finally(close);
    await image.decode();
    return { url, width, height, name: file.name, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Makes a smaller copy, so that displaying, cropping and drawing do not decode the whole picture each time. */
async function openSmaller(file: File, image: HTMLImageElement, size: Size): Promise<OpenPicture> {
  const original = { width: image.naturalWidth, height: image.naturalHeight };
  try {
    const copy = await copyOf(file, image, size);
    const url = URL.createObjectURL(copy.blob);
    return { url, ...copy.size, name: file.name, close: () => URL.revokeObjectURL(url) };
  } catch {
    throw tooLargeHere(original);
  }
}

async function copyOf(
  file: File,
  image: HTMLImageElement,
  size: Size,
  quality = openedQuality,
): Promise<{ blob: Blob; size: Size }> {
  const frame = await decodeSmaller(file, size);
  if (frame === null) {
    await image.decode();
    const whole = wholeOf({ width: image.naturalWidth, height: image.naturalHeight });
    return { blob: await drawn(image, whole, size, quality), size };
  }
  const own = { width: frame.displayWidth, height: frame.displayHeight };
  try {
    return { blob: await drawn(frame, wholeOf(own), own, quality), size: own };
  } finally {
    frame.close();
  }
}

/**
 * Decodes a JPEG at an eighth to seven eighths of its size, at most at `size`: for 108 megapixels Chromium then needs
 * 390 MiB instead of 930. Null in browsers that can't do this or that ignore the orientation of the camera.
 */
async function decodeSmaller(file: File, { width, height }: Size): Promise<VideoFrame | null> {
  if (file.type !== 'image/jpeg' || !('ImageDecoder' in window) || !('rotation' in VideoFrame.prototype)) return null;
  const decoder = new ImageDecoder({
    data: file.stream(),
    type: file.type,
    desiredWidth: width,
    desiredHeight: height,
  });
  try {
    const { image } = await decoder.decode();
    if (image.displayWidth * image.displayHeight <= width * height) return image;
    image.close();
    return null;
  } catch {
    return null;
  } finally {
    decoder.close();
  }
}

/** Draws a part of an image as a JPEG of the given size. */
async function drawn(image: CanvasImageSource, part: Part, size: Size, quality: number): Promise<Blob> {
  const canvas = document.createElement('canvas');
  const { width, height } = size;
  Object.assign(canvas, { width, height });
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('No canvas context');
  // Without a white background, transparent parts would turn black.
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, width, height);
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(image, part.x, part.y, part.width, part.height, 0, 0, width, height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, drawnKind.type, quality));
  if (!blob) throw new Error('The picture could not be drawn');
  return blob;
}

async function draw({ url, name }: OpenPicture, part: Part): Promise<File> {
  const image = await imageOf(url);
  await image.decode();
  const blob = await drawn(image, part, drawnSize(part), drawnKind.quality);
  return new File([blob], drawnName(name), { type: drawnKind.type });
}

function requireSendable({ width, height }: Size): void {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  if (long > short * messagePictureMaxRatio)
    throw new UnusablePicture(
      t`This picture is too long: one side can be up to ${{ most: messagePictureMaxRatio }} times the other. Crop it first.`,
    );
  if (short < messagePictureMinSide)
    throw new UnusablePicture(
      t`This picture is too small: each side needs at least ${{ least: messagePictureMinSide }} pixels.`,
    );
}

/** A picture ready to be sent, redrawn without the file's data about the place and the camera. */
export interface DrawnPicture extends Size {
  file: File;
}

/**
 * Draws a whole photo of a message again, no larger than it will ever be shown; rejects if the browser cannot display it,
 * or if it is too long or too small for a message.
 */
export async function redrawn(file: File): Promise<DrawnPicture> {
  const url = URL.createObjectURL(file);
  try {
    const image = await imageOf(url);
    const { naturalWidth: width, naturalHeight: height } = image;
    if (width === 0 || height === 0) throw new Error('The picture has no size');
    openedSize({ width, height });
    requireSendable({ width, height });
    const { blob, size } = await copyOf(file, image, sentSize({ width, height }), drawnKind.quality);
    return { file: new File([blob], drawnName(file.name), { type: drawnKind.type }), ...size };
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Opens and draws pictures with the browser's functions. */
export const browserDrawing: Drawing = { open, draw };
