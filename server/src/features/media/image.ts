import { sql } from 'kysely';
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import sharp, { type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { pictureMinSide, pictureWidth, thumbnailHeight, thumbnailWidth } from '#contract/constants.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { Db } from '../../platform/db/db.ts';
import { AppError, invalid } from '../../platform/http/app-error.ts';
import { secondsAfter } from '../../platform/process/clock.ts';

/** A picture re-encoded from an upload: WebP, upright, pixels only. */
export interface MadePicture {
  large: Buffer;
  thumbnail: Buffer;
  width: number;
  height: number;
  /** A thumbhash in base64. */
  placeholder: string;
  /** SHA-256 of `large`. */
  sha256: Buffer;
  /** 64 bits as PostgreSQL's signed bigint, see `dhashOf`. */
  dhash: bigint;
}

// One thread per image and at most two at a time, with a processor left to other requests, which otherwise wait for both.
sharp.concurrency(1);
sharp.cache(false);
const inTurn = pLimit(Math.max(1, Math.min(2, availableParallelism() - 1)));

const readable: string[] = ['jpeg', 'png', 'webp', 'heif'];
/** More than any camera produces; larger images are refused based on their header. */
const mostPixels = 50e6;
const widestRatio = 4;

/** The size aimed at, and the qualities tried for it, best first. */
const thumbnailBytes = 20 * 1024;
const thumbnailQualities = [78, 66, 54, 44];

const refused = (code: ErrorCode, msg: string) => invalid('file', msg, code);
const wrongType = () => refused('UNSUPPORTED_MEDIA_TYPE', 'Choose a JPEG, PNG, WebP or AVIF picture');
const unreadable = () => refused('PICTURE_UNREADABLE', 'This picture is damaged or cannot be read');

/**
 * Re-encodes an upload, at most two at a time. 415 for unsupported types (judged by the bytes, not the name), 422 if it is damaged, too
 * small, too narrow or too large.
 */
export function makePicture(upload: Buffer): Promise<MadePicture> {
  return inTurn(async () => {
    await checkUpload(upload);
    try {
      return await render(upload);
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw unreadable();
    }
  });
}

const open = (upload: Buffer) => sharp(upload, { limitInputPixels: mostPixels, failOn: 'error', pages: 1 });

async function checkUpload(upload: Buffer): Promise<void> {
  if (upload.length === 0) throw refused('PICTURE_UNREADABLE', 'The file is empty');
  const { format, width, height, compression } = await sharp(upload, { limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw wrongType();
    });
  if (!readable.includes(format)) throw wrongType();
  if (format === 'heif' && compression !== 'av1') {
    throw refused('UNSUPPORTED_MEDIA_TYPE', "We can't read HEIC pictures. Please choose a JPEG, PNG or WebP.");
  }
  if (width * height > mostPixels) {
    throw refused('PICTURE_TOO_LARGE', 'This picture has too many pixels. The limit is 50 million.');
  }
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  if (short < pictureMinSide) {
    throw refused('PICTURE_TOO_SMALL', `This picture is too small: each side needs ${pictureMinSide} pixels at least`);
  }
  if (long > short * widestRatio) throw refused('PICTURE_UNREADABLE', 'This picture is too long and narrow');
}

async function render(upload: Buffer): Promise<MadePicture> {
  const { data, info } = await open(upload)
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

/** Pictures whose hashes differ in at most this many of 64 bits look alike. */
const alikeBits = 6;
/** One band more than bits may differ, so that two similar hashes share at least one band. */
const bandCount = alikeBits + 1;
/** Fewer set or unset bits than this mean a plain surface; those all look alike. */
const leastFeatures = 4;

function bitsOf(dhash: bigint): string {
  return BigInt.asUintN(64, dhash).toString(2).padStart(64, '0');
}

/** The hash cut into seven bands, each tagged with its position. */
function bandsOf(dhash: bigint): number[] {
  const bits = bitsOf(dhash);
  return Array.from({ length: bandCount }, (_, band) => {
    const from = Math.floor((band * 64) / bandCount);
    const to = Math.floor(((band + 1) * 64) / bandCount);
    return band * 1024 + Number.parseInt(bits.slice(from, to), 2);
  });
}

function isPlain(dhash: bigint): boolean {
  const set = bitsOf(dhash).replaceAll('0', '').length;
  return Math.min(set, 64 - set) < leastFeatures;
}

/** The hash cut into seven bands of which similar pictures share most; none for a plain surface. */
export const imageBands = (dhash: bigint): number[] => (isPlain(dhash) ? [] : bandsOf(dhash));

/** Whether a similar picture was rejected before: the same one, resized, recompressed or slightly changed. */
export async function wasRejected(db: Db, dhash: bigint): Promise<boolean> {
  if (isPlain(dhash)) return false;
  const { rows } = await sql`
    select from rejected_look
    where bands && ${bandsOf(dhash)}::int[]
      and bit_count((dhash # ${String(dhash)}::bigint)::bit(64)) <= ${alikeBits} limit 1`.execute(db);
  return rows.length > 0;
}

/** Throws 422 for a picture that a decision removed from the account, or one that looks the same, as long as the decision holds. */
export async function refuseRemoved(
  db: Db,
  accountId: string,
  { sha256, dhash }: { sha256: Buffer; dhash: bigint | string },
): Promise<void> {
  const { rows } = await sql`
    select from sanction where account_id = ${accountId}::uuid and kind = 'remove_content' and revoked_at is null
      and (content ->> 'sha256' = ${sha256.toString('hex')} or ${!isPlain(BigInt(dhash))}
        and bit_count(((content ->> 'dhash')::bigint # ${String(dhash)}::bigint)::bit(64)) <= ${alikeBits}) limit 1`.execute(
    db,
  );
  if (rows.length > 0)
    throw invalid('file', 'A decision removed this picture from your profile. See Support.', 'PICTURE_REFUSED');
}

/** Stores the hash of a rejected picture. */
export async function rememberImageHash(tx: Db, dhash: bigint, now: Date): Promise<void> {
  if (isPlain(dhash)) return;
  await tx
    .insertInto('rejected_look')
    .values({ dhash: String(dhash), bands: bandsOf(dhash), rejected_at: now })
    .onConflict((conflict) => conflict.column('dhash').doUpdateSet({ rejected_at: now }))
    .execute();
}

const keptDays = 730;

/** Deletes hashes of pictures rejected two years ago. */
export async function forgetImageHashes(db: Db, now: Date): Promise<void> {
  const end = secondsAfter(now, -keptDays * 86_400);
  await db.deleteFrom('rejected_look').where('rejected_at', '<=', end).execute();
}
