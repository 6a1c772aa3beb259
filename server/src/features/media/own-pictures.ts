import { msg } from '@lingui/core/runtime-macro';
import { morePicturesMax } from '#contract/constants.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type * as calls from '#contract/media.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { AppError, invalid, notFound } from '#platform/http/app-error.ts';
import {
  changePicture,
  claim,
  closeRanks,
  deletePictures,
  forgetPrevious,
  isFurther,
  isOnProfile,
  lockPictures,
  ownByHandle,
  placePictures,
  previousPlace,
  profilePlace,
} from './pictures.ts';

/**
 * Sets the caller's profile picture. An additional picture swaps places with it. An upload replaces it, and others keep seeing the approved
 * one until the new one is approved. Throws 404 for another account's or an unknown public id.
 */
export async function setProfilePicture(context: CommandContext, publicId: string): Promise<void> {
  const { tx, caller } = context;
  const owned = await lockPictures(tx, caller.accountId);
  const picture = ownByHandle(owned, publicId);
  const current = owned.find(({ place }) => place === profilePlace);
  if (picture === current) return;
  if (picture.place !== null && picture.place > profilePlace) {
    await changePicture(tx, picture.id, { place: profilePlace });
    await forgetPrevious(tx, owned, picture);
    if (current) await changePicture(tx, current.id, { place: picture.place });
    else
      await closeRanks(
        tx,
        owned.filter((other) => isFurther(other) && other !== picture),
      );
    return;
  }
  const previous = owned.filter(({ place }) => place === previousPlace);
  if (current?.state === 'approved') {
    await deletePictures(
      tx,
      previous.map(({ id }) => id),
    );
    await changePicture(tx, current.id, { place: previousPlace });
  } else if (current) {
    await deletePictures(tx, [current.id]);
  }
  await claim(context, picture, profilePlace);
}

/**
 * Appends uploads to the caller's additional pictures, either all of them or none. Throws 404 for another account's upload, 422 for more
 * than eight.
 */
export async function addPictures(context: CommandContext, publicIds: readonly string[]): Promise<void> {
  const owned = await lockPictures(context.tx, context.caller.accountId);
  const given = [...new Set(publicIds)].map((publicId) => ownByHandle(owned, publicId));
  // If all of them are already on the profile, the request was repeated.
  const uploads = given.filter(({ state }) => state === 'unclaimed');
  const further = owned.filter(isFurther).length;
  if (further + uploads.length > morePicturesMax) {
    throw invalid(
      'imagesData',
      msg`A profile can have up to ${{ morePicturesMax }} additional pictures`,
      'TOO_MANY_PICTURES',
    );
  }
  for (const [index, picture] of uploads.entries()) await claim(context, picture, further + index + 1);
}

/**
 * Puts the caller's pictures in this order, with the first as profile picture. Throws 409 unless the list contains exactly the current
 * ones.
 */
export async function orderPictures(
  { tx, caller }: CommandContext,
  { publicIds }: BodyOf<typeof calls.orderPictures>,
): Promise<void> {
  const owned = await lockPictures(tx, caller.accountId);
  const shown = owned.filter(isOnProfile);
  const byHandle = new Map(shown.map((picture) => [picture.public_id, picture]));
  const ordered = publicIds.flatMap((publicId) => byHandle.get(publicId) ?? []);
  const isWhole = new Set(ordered).size === shown.length && publicIds.length === shown.length;
  if (!isWhole) {
    throw new AppError('CONFLICT', msg`Your pictures have changed in the meantime. Please check them again.`);
  }
  await placePictures(
    tx,
    ordered.map(({ id }, place) => ({ id, place })),
  );
  const [first] = ordered;
  if (first) await forgetPrevious(tx, owned, first);
}

/** Deletes one of the caller's pictures or uploads, including rejected ones. Throws 404 for another account's picture. */
export async function deletePicture({ tx, caller }: CommandContext, { publicId }: { publicId: string }): Promise<void> {
  const owned = await lockPictures(tx, caller.accountId);
  const picture = owned.find(({ public_id, place }) => public_id === publicId && place !== previousPlace);
  if (picture === undefined) throw notFound();
  const gone = picture.place === profilePlace ? owned.filter(({ place }) => place === previousPlace) : [];
  await deletePictures(
    tx,
    [picture, ...gone].map(({ id }) => id),
  );
  await closeRanks(
    tx,
    owned.filter((other) => isFurther(other) && other !== picture),
  );
}

/** Deletes the caller's profile picture and the one others see in its place. Does nothing if there is none. */
export async function deleteProfilePicture({ tx, caller }: CommandContext): Promise<void> {
  const owned = await lockPictures(tx, caller.accountId);
  const gone = owned.filter(({ place }) => place === profilePlace || place === previousPlace);
  await deletePictures(
    tx,
    gone.map(({ id }) => id),
  );
}
