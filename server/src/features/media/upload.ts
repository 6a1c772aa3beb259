import { unclaimedUploadHours } from '#contract/constants.ts';
import type { Picture } from '#contract/media/picture.ts';
import { AppError } from '../../platform/http/app-error.ts';
import type { Caller } from '../../platform/session/caller.ts';
import { secondsAfter } from '../../platform/process/clock.ts';
import { inTransaction, type Db } from '../../platform/db/db.ts';
import type { Deps } from '../../deps.ts';
import { pictureMimeType } from '../../platform/session/pictures.ts';
import { makePicture, type MadePicture } from './image.ts';
import { wasRejected } from './looks.ts';
import { keepBytes, lockPictures, newHandle, noteBytes } from './queries.ts';

/** Uploads that may stand on no profile at once. */
const mostUnclaimed = 20;

/** A picture made anew and written, which belongs to nobody yet. */
export interface KeptPicture extends MadePicture {
  key: string;
}

/**
 * Makes the picture anew and keeps its bytes under a key of its own. 415 and 422 as `makePicture`, and 422 for one that was
 * rejected before. What comes of it when the process dies here is swept an hour later.
 */
export async function keepPicture(deps: Deps, upload: Buffer): Promise<KeptPicture> {
  const made = await makePicture(upload);
  if (await wasRejected(deps.db, made.dhash)) {
    const msg = 'This picture was refused before';
    throw new AppError('PICTURE_REFUSED', msg, { errors: [{ field: 'file', msg }] });
  }
  const key = newHandle();
  await noteBytes(deps.db, key);
  const kept = await Promise.allSettled([
    deps.storage.put(`${key}.large`, made.large),
    deps.storage.put(`${key}.thumbnail`, made.thumbnail),
  ]);
  for (const one of kept) if (one.status === 'rejected') throw one.reason;
  return { ...made, key };
}

/** Makes a kept picture an upload of the caller's; 422 when twenty of theirs wait already. Answers it as its owner sees it. */
export async function claimUpload(
  deps: Deps,
  tx: Db,
  caller: Caller,
  kept: KeptPicture,
  name: string,
  now: Date,
): Promise<Picture> {
  const { accountId } = caller;
  const owned = await lockPictures(tx, accountId);
  if (owned.filter(({ state }) => state === 'unclaimed').length >= mostUnclaimed) {
    throw new AppError('TOO_MANY_PICTURES', 'Too many of your uploads are on no profile. Please use or delete some.');
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

/** Forgets uploads that stand on no profile after a day. */
export async function forgetUnclaimed(db: Db, now: Date): Promise<void> {
  await inTransaction(db, (tx) =>
    tx
      .deleteFrom('picture')
      .where('state', '=', 'unclaimed')
      .where('uploaded_at', '<=', secondsAfter(now, -unclaimedUploadHours * 3600))
      .execute(),
  );
}
