/**
 * A child process of the server that decodes uploads one after another; see `decode.ts`. It has no part of the server's environment and no
 * connection but the channel to its parent.
 */
import { createHash } from 'node:crypto';
import { setPriority } from 'node:os';
import sharp, { type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { pictureMinSide, pictureWidth, thumbnailHeight, thumbnailWidth } from '#contract/constants.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { type MadePicture, type Refusal, wrongType } from './picture.ts';

// A service manager or a terminal signals all processes of a group; uploads in progress are still answered.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// The parent has ended. A regular exit would wait for the decoder's threads.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', (upload: Buffer) => void reencode(upload).then((outcome) => process.send?.(outcome)));

// Requests go first: two pictures could keep all processors of a small machine busy.
setPriority(5);
sharp.concurrency(1);
sharp.cache(false);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadHeif'],
});

/** More than any camera produces; larger images are refused based on their header. */
const mostPixels = 50e6;
const widestRatio = 4;

/** The size aimed at, and the qualities tried for it, best first. */
const thumbnailBytes = 20 * 1024;
const thumbnailQualities = [78, 66, 54, 44];

const refusal = (code: ErrorCode, msg: string): Refusal => ({ code, msg });
const unreadable = refusal('PICTURE_UNREADABLE', 'This picture is damaged or cannot be read');

async function reencode(upload: Buffer): Promise<MadePicture | Refusal> {
  const refused = await refusalOf(upload);
  return refused ?? (await render(upload).catch(() => unreadable));
}

/** Why the upload isn't taken, judged by its header; undefined if it may be decoded. */
async function refusalOf(upload: Buffer): Promise<Refusal | undefined> {
  const metadata = await sharp(upload, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined);
  if (metadata === undefined) return wrongType;
  const { format, width, height, compression } = metadata;
  if (format === 'heif' && compression !== 'av1')
    return refusal('UNSUPPORTED_MEDIA_TYPE', "We can't read HEIC pictures. Please choose a JPEG, PNG or WebP.");
  if (width * height > mostPixels)
    return refusal('PICTURE_TOO_LARGE', 'This picture has too many pixels. The limit is 50 million.');
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  if (short < pictureMinSide)
    return refusal('PICTURE_TOO_SMALL', `This picture is too small: each side needs ${pictureMinSide} pixels at least`);
  if (long > short * widestRatio) return refusal('PICTURE_UNREADABLE', 'This picture is too long and narrow');
  return undefined;
}

const startOfJpeg = Buffer.of(0xff, 0xd8);
const endOfJpeg = Buffer.of(0xff, 0xd9);

/** Opens an upload. Adds the end marker that some cameras and messengers omit from a JPEG; one that lacks more than that is refused. */
function opened(upload: Buffer): Sharp {
  const lacksEnd = upload.subarray(0, 2).equals(startOfJpeg) && upload.lastIndexOf(endOfJpeg) < upload.length - 64;
  const options = { limitInputPixels: mostPixels, pages: 1 };
  return lacksEnd
    ? sharp(Buffer.concat([upload, endOfJpeg]), { ...options, failOn: 'warning' })
    : sharp(upload, { ...options, failOn: 'error' });
}

async function render(upload: Buffer): Promise<MadePicture> {
  const { data, info } = await opened(upload)
    .autoOrient()
    .toColourspace('srgb')
    .flatten({ background: '#ffffff' })
    .resize({ width: pictureWidth, height: 2 * pictureWidth, fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const pixels = () => sharp(data, { raw: { width, height, channels } });
  const large = await pixels().webp({ quality: 80, effort: 3 }).toBuffer();
  return {
    large,
    thumbnail: await thumbnailOf(pixels()),
    width,
    height,
    placeholder: await placeholderOf(pixels()),
    sha256: createHash('sha256').update(large).digest(),
    dhash: dhashOf(await pixels().greyscale().resize(9, 8, { fit: 'fill' }).raw().toBuffer()),
  };
}

/** Kept small, since a page of cards shows twenty: busy pictures, which hide what compression does to them, with a lower quality. */
async function thumbnailOf(image: Sharp): Promise<Buffer> {
  const { data, info } = await image
    .resize({ width: thumbnailWidth, height: thumbnailHeight, fit: 'cover', position: sharp.strategy.attention })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  let smallest: Buffer = Buffer.of();
  for (const quality of thumbnailQualities) {
    smallest = await sharp(data, { raw: { width, height, channels } }).webp({ quality, effort: 3 }).toBuffer();
    if (smallest.length <= thumbnailBytes) break;
  }
  return smallest;
}

async function placeholderOf(image: Sharp): Promise<string> {
  const { data, info } = await image
    .resize({ width: 80, height: 80, fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64');
}

/**
 * The difference hash of 9 × 8 grey pixels: one bit per pair of neighbours, set if the right one is brighter
 * (N. Krawetz, "Kind of Like That", 2013). Signed, as the database keeps 64 bits.
 */
function dhashOf(grey: Buffer): bigint {
  let bits = 0n;
  for (let row = 0; row < 8; row += 1) {
    for (let column = 0; column < 8; column += 1) {
      const at = row * 9 + column;
      bits = (bits << 1n) | ((grey[at] ?? 0) < (grey[at + 1] ?? 0) ? 1n : 0n);
    }
  }
  return BigInt.asIntN(64, bits);
}
