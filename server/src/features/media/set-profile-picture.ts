import type { CommandContext } from '../../platform/http/mount.ts';
import {
  changePicture,
  claim,
  closeRanks,
  deletePictures,
  forgetPrevious,
  isFurther,
  lockPictures,
  ownByHandle,
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
