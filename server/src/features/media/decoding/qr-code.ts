import { decodeQR } from 'qr/decode.js';
import type { Sharp } from 'sharp';

/** The search gets at most a megapixel, in which a code that phones can read from a screen still has several pixels per module. */
const longestSide = 1000;
/** How many further places are tried, and for how long, when the first one that looks like a code can't be read. */
const effort = 64;
const timeLimit = 250;

/** Whether a QR code is in a picture. What it says is not read. */
export async function hasQrCode(image: Sharp): Promise<boolean> {
  const { data, info } = await image
    .greyscale()
    .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  try {
    // The format is that of a plane of brightness, one byte per pixel.
    decodeQR(
      { width: info.width, height: info.height, data },
      { format: 'I420', effort, timeLimit, textDecoder: () => '' },
    );
    return true;
  } catch {
    // The library throws when it finds none.
    return false;
  }
}
