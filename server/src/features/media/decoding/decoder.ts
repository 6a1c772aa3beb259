import { createHash } from 'node:crypto';
import type { MessageDescriptor } from '@lingui/core';
import { msg, select } from '@lingui/core/runtime-macro';
import sharp, { type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import {
  longPictureRatio,
  longPictureShortSide,
  longPictureSide,
  messagePictureMaxRatio,
  messagePictureMinSide,
  pictureMaxMegapixels,
  pictureMaxRatio,
  pictureMinSide,
  pictureWidth,
  thumbnailHeight,
  thumbnailWidth,
} from '#contract/constants.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { isHeic } from '#contract/heic.ts';
import { type MadePicture, type Refusal, wrongHeic, wrongType } from './picture.ts';
import { hasQrCode } from './qr-code.ts';
import { serveParent } from './serve.ts';

/**
 * A child process of the server that decodes uploads one after another; see `decode.ts`. It has neither the server's environment nor any
 * connection except the channel to its parent.
 */

sharp.concurrency(1);
sharp.cache(false);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadHeif'],
});

/**
 * The most megapixels for pictures that must be in memory as a whole to be decoded; an ordinary JPEG is scaled down while it is read. The
 * limits keep a process below 600 MB. Cameras advertised with "50 megapixels" have up to 50.2.
 */
const wholeMegapixels = { jpeg: 51, png: 51, webp: 51, heif: 16 };

const isOfMessage = process.argv[2] === 'messagePicture';
const minSide = isOfMessage ? messagePictureMinSide : pictureMinSide;
const maxRatio = isOfMessage ? messagePictureMaxRatio : pictureMaxRatio;

/** The target size in bytes, and the qualities tried to reach it, best first. */
const thumbnailBytes = 20 * 1024;
const thumbnailQualities = [78, 66, 54, 44];

/** How hard libwebp tries: 3 takes three times as long as 1, for pictures a seventh smaller. Pictures in messages are seen by one person. */
const effort = isOfMessage ? 1 : 3;

const refusal = (code: ErrorCode, text: MessageDescriptor): Refusal => ({ code, text });
const unreadable = refusal(
  'PICTURE_UNREADABLE',
  msg`This picture is damaged and can't be read. Choose another one, or take a screenshot of it.`,
);

async function reencode(upload: Buffer): Promise<MadePicture | Refusal> {
  const refused = await refusalOf(upload);
  return refused ?? (await render(upload).catch(() => unreadable));
}

/** The reason why the upload is refused, judged by its header; undefined if it may be decoded. */
async function refusalOf(upload: Buffer): Promise<Refusal | undefined> {
  if (isHeic(upload)) return wrongHeic;
  const metadata = await sharp(upload, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined);
  if (metadata === undefined) return wrongType;
  const { format, width, height, compression } = metadata;
  if (format === 'heif' && compression !== 'av1') return wrongHeic;
  const { pictures, megapixels } = limitOf(upload, format);
  if (width * height > megapixels * 1e6)
    return refusal(
      'PICTURE_TOO_LARGE',
      msg`${select({ pictures }, { png: 'PNG pictures', webp: 'WebP pictures', heif: 'AVIF pictures', progressive: 'JPEG pictures saved as progressive', other: 'Pictures' })} can have up to ${{ megapixels }} megapixels. This one has ${{ own: Math.ceil((width * height) / 1e6) }}. Make it smaller and try again.`,
    );
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  if (short < minSide)
    return refusal(
      'PICTURE_TOO_SMALL',
      msg`Each side of a picture needs at least ${{ pictureMinSide: minSide }} pixels. This one has ${{ width }} × ${{ height }}. Choose a larger one.`,
    );
  if (long > short * maxRatio)
    return refusal(
      'PICTURE_UNREADABLE',
      msg`The longer side of a picture can be at most ${{ pictureMaxRatio: maxRatio }} times its shorter side. This one is ${{ ratio: Math.ceil((long / short) * 10) / 10 }} times. Crop it and try again.`,
    );
  return undefined;
}

/** The group of pictures that shares the upload's limit, and the limit in megapixels. */
function limitOf(upload: Buffer, format: string): { pictures: string; megapixels: number } {
  if (format === 'png' || format === 'webp' || format === 'heif')
    return { pictures: format, megapixels: wholeMegapixels[format] };
  if (readJpegStart(upload)?.isOnePass === true) return { pictures: 'other', megapixels: pictureMaxMegapixels };
  return { pictures: 'progressive', megapixels: wholeMegapixels.jpeg };
}

const startOfJpeg = Buffer.of(0xff, 0xd8);
const endOfJpeg = Buffer.of(0xff, 0xd9);

/** Opens an upload. Adds the end marker that some cameras and messengers omit from a JPEG; a JPEG that lacks more than that is refused. */
function opened(upload: Buffer): Sharp {
  const options = { limitInputPixels: pictureMaxMegapixels * 1e6, pages: 1 };
  return lacksEnd(upload)
    ? sharp(Buffer.concat([upload, endOfJpeg]), { ...options, failOn: 'warning' })
    : sharp(upload, { ...options, failOn: 'error' });
}

/**
 * Whether a JPEG has no end marker after its pixels. The marker needn't be at the end of the file, because phones append videos and other
 * pictures.
 */
function lacksEnd(upload: Buffer): boolean {
  if (!upload.subarray(0, 2).equals(startOfJpeg)) return false;
  return !upload.includes(endOfJpeg, readJpegStart(upload)?.scanAt ?? 0);
}

/** The size in which a picture of these sides fits. */
function boxOf({ width, height }: { width: number; height: number }): { width: number; height: number } {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  if (!isOfMessage || long < short * longPictureRatio) return { width: pictureWidth, height: 2 * pictureWidth };
  const side = Math.min(longPictureSide, Math.round(long * Math.min(1, longPictureShortSide / short)));
  return { width: side, height: side };
}

async function render(upload: Buffer): Promise<MadePicture> {
  const box = boxOf(await opened(upload).metadata());
  const { data, info } = await opened(upload)
    .autoOrient()
    .toColourspace('srgb')
    .flatten({ background: '#ffffff' })
    .resize({ ...box, fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const pixels = () => sharp(data, { raw: { width, height, channels } });
  const large = await pixels().webp({ quality: 80, effort }).toBuffer();
  return {
    large,
    thumbnail: await thumbnailOf(pixels()),
    width,
    height,
    placeholder: await placeholderOf(pixels()),
    sha256: createHash('sha256').update(large).digest(),
    dhash: dhashOf(await pixels().greyscale().resize(9, 8, { fit: 'fill' }).raw().toBuffer()),
    hasQrCode: await hasQrCode(pixels()),
  };
}

/**
 * Thumbnails must be small, because a page of cards shows twenty. Busy pictures, in which compression is hard to see, get a lower quality.
 */
async function thumbnailOf(image: Sharp): Promise<Buffer> {
  const { data, info } = await image
    .resize({ width: thumbnailWidth, height: thumbnailHeight, fit: 'cover', position: sharp.strategy.attention })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  let smallest: Buffer = Buffer.of();
  for (const quality of thumbnailQualities) {
    smallest = await sharp(data, { raw: { width, height, channels } }).webp({ quality, effort }).toBuffer();
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
 * The difference hash of 9 × 8 grey pixels: one bit per pair of neighbours, set if the right one is brighter (N. Krawetz, "Kind of Like
 * That", 2013). Signed, because the database stores a signed 64-bit number.
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

/** What the markers before the pixels of a JPEG contain. */
interface JpegStart {
  /** Whether the first scan has all components. If not, the whole picture must be in memory before any row can be decoded. */
  isOnePass: boolean;
  /** Where the compressed pixels start. */
  scanAt: number;
}

const startOfScan = 0xda;
/** Markers of a frame (SOF), which share their range with DHT, JPG and DAC. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
const isProgressive = (marker: number) => [0xc2, 0xc6, 0xca, 0xce].includes(marker);
/** Markers without a length: TEM and restarts. */
const isBare = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);

/** Reads the markers of a JPEG up to its first scan; null if it has none. */
function readJpegStart(jpeg: Buffer): JpegStart | null {
  let frame = { isProgressive: true, components: 0 };
  let at = jpeg.indexOf(0xff, 2);
  while (at !== -1 && at + 4 <= jpeg.length) {
    const marker = jpeg.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0 || isBare(marker)) {
      at = jpeg.indexOf(0xff, at + 2);
      continue;
    }
    const next = at + 2 + jpeg.readUInt16BE(at + 2);
    if (next > jpeg.length) return null;
    if (isFrame(marker) && next >= at + 10)
      frame = { isProgressive: isProgressive(marker), components: jpeg.readUInt8(at + 9) };
    if (marker === startOfScan)
      return { isOnePass: !frame.isProgressive && jpeg.readUInt8(at + 4) === frame.components, scanAt: next };
    at = jpeg.indexOf(0xff, next);
  }
  return null;
}

serveParent(reencode);
