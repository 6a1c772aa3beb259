import { msg } from '@lingui/core/runtime-macro';
import { morePicturesMax } from '#contract/constants.ts';
import type { Picture } from '#contract/media.ts';
import { AppError, invalid } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import type { Deps } from '../../deps.ts';
import { pictureMimeType } from '#platform/session/pictures.ts';
import type { MadePicture } from './decoding/picture.ts';
import { isRefused, makePicture, type PictureKind, refuseRemoved } from './image.ts';
import { keepBytes, lockPictures, newHandle, noteBytes } from './pictures.ts';

/** The maximum number of uploads that aren't on a profile yet. */
const mostUnclaimed = 20;

/** The maximum number of pictures of an account whose address isn't confirmed: enough for a whole profile. */
const mostUnconfirmed = morePicturesMax + 2;

/** A re-encoded and stored picture without an owner. */
export interface KeptPicture extends MadePicture {
  key: string;
}

/**
 * Re-encodes the picture and stores its bytes under a new key. Throws 415 and 422 like `makePicture`, and 422 if it is refused to the owner
 * since it was rejected. If the process dies here, the bytes are deleted an hour later. The key begins with `prefix`.
 */
export async function keepPicture(
  deps: Deps,
  ownerId: string,
  upload: Buffer,
  { prefix = '', kind = 'picture' }: { prefix?: string; kind?: PictureKind } = {},
): Promise<KeptPicture> {
  const made = await makePicture(upload, ownerId, { kind });
  if (await isRefused(deps.db, ownerId, made.dhash)) {
    throw invalid('file', msg`This picture was rejected before`, 'PICTURE_REFUSED');
  }
  const key = prefix + newHandle();
  await noteBytes(deps.db, key);
  const kept = await Promise.allSettled([
    deps.storage.put(`${key}.large`, made.large),
    deps.storage.put(`${key}.thumbnail`, made.thumbnail),
  ]);
  for (const one of kept) if (one.status === 'rejected') throw one.reason;
  return { ...made, key };
}

/**
 * Makes a stored picture an upload of the caller. Throws 422 if there are already twenty unused uploads, or ten pictures of someone whose
 * address isn't confirmed, or if a decision removed the picture. Returns the owner's view.
 */
export async function claimUpload(
  { tx, deps, caller, now }: CommandContext,
  kept: KeptPicture,
  name: string,
): Promise<Picture> {
  const { accountId } = caller;
  const owned = await lockPictures(tx, accountId);
  await refuseRemoved(tx, accountId, kept);
  if (owned.filter(({ state }) => state === 'unclaimed').length >= mostUnclaimed) {
    throw new AppError('TOO_MANY_PICTURES', msg`You have too many unused uploads. Please use or delete some.`);
  }
  if (caller.emailVerifiedAt === null && owned.length >= mostUnconfirmed) {
    throw new AppError('TOO_MANY_PICTURES', msg`Please confirm your email address to upload more pictures.`);
  }
  const { width, height, placeholder } = kept;
  const publicId = newHandle();
  const size = kept.large.length;
  await tx
    .insertInto('picture')
    .values({
      public_id: publicId,
      account_id: accountId,
      object_key: kept.key,
      name,
      size,
      width,
      height,
      placeholder,
      sha256: kept.sha256,
      dhash: String(kept.dhash),
      labels: kept.hasQrCode ? ['qrCode'] : [],
      state: 'unclaimed',
      place: null,
      reason: null,
      uploaded_at: now,
      claimed_at: null,
      decided_at: null,
    })
    .execute();
  await keepBytes(tx, kept.key);
  const addressOf = deps.mediaAddresses.forSet(accountId, accountId, now);
  return {
    url: addressOf(kept.key, 'large'),
    thumbnailUrl: addressOf(kept.key, 'thumbnail'),
    publicId,
    name,
    size,
    mimeType: pictureMimeType,
    width,
    height,
    placeholder,
  };
}
