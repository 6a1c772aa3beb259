import { notFound } from '../../platform/http/app-error.ts';
import type { CommandContext } from '../../platform/http/mount.ts';
import { closeRanks, deletePictures, isFurther, lockPictures, previousPlace, profilePlace } from './pictures.ts';

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
