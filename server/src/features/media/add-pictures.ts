import { morePicturesMax } from '#contract/constants.ts';
import { invalid } from '../../platform/http/app-error.ts';
import type { CommandContext } from '../../platform/http/mount.ts';
import { claim, isFurther, lockPictures, ownByHandle } from './pictures.ts';

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
    throw invalid('imagesData', `A profile can have up to ${morePicturesMax} additional pictures`, 'TOO_MANY_PICTURES');
  }
  for (const [index, picture] of uploads.entries()) await claim(context, picture, further + index + 1);
}
