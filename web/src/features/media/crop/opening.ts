import { pictureMaxMegapixels } from '#contract/constants.ts';
import { heicStartBytes, isHeic } from '#contract/media.ts';
import { t } from '../../../ui/text/text.ts';
import type { Size } from './crop.ts';

/** The limits for a canvas in Safari on iPhones: the number of pixels, and the pixels of one side. */
const canvasPixels = 4096 * 4096;
const canvasSide = 8192;

/** A picture that can't be used. The message tells the member why, and what to do. */
export class UnusablePicture extends Error {}

const megapixels = ({ width, height }: Size) => Math.ceil((width * height) / 1e6);

/**
 * The size at which a picture is opened: its original size, or a smaller one that every browser can draw and for which
 * a phone has enough memory. Throws if the picture has more pixels than allowed.
 */
export function openedSize({ width, height }: Size): Size {
  if (width * height > pictureMaxMegapixels * 1e6) {
    const values = { limit: pictureMaxMegapixels, count: megapixels({ width, height }) };
    throw new UnusablePicture(
      t(
        'Pictures can have up to {limit} megapixels. This one has {count}. Make it smaller, or take a screenshot of it.',
        values,
      ),
    );
  }
  if (width * height <= canvasPixels) return { width, height };
  const scale = Math.min(Math.sqrt(canvasPixels / (width * height)), canvasSide / Math.max(width, height));
  return { width: Math.floor(width * scale), height: Math.floor(height * scale) };
}

/** The error for a picture that needs more memory than the browser has. */
export function tooLargeHere(size: Size): UnusablePicture {
  return new UnusablePicture(
    t(
      'This picture has {count} megapixels, which is more than this device can open. Choose a smaller one, or take a screenshot of it.',
      { count: megapixels(size) },
    ),
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
    return t(
      "This browser can't open HEIC pictures. Take a screenshot of it and choose that, or set your camera to save JPEG. On an iPhone: Settings, Camera, Formats, Most Compatible.",
    );
  return t("This file can't be opened as a picture. Choose a JPEG, PNG or WebP, or take a screenshot of it.");
}
