import type { BodyOf } from '#contract/endpoint.ts';
import type * as calls from '#contract/media.ts';
import { AppError } from '../../platform/http/app-error.ts';
import type { CommandContext } from '../../platform/http/mount.ts';
import { forgetPrevious, isOnProfile, lockPictures, placePictures } from './pictures.ts';

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
    throw new AppError('CONFLICT', 'Your pictures have changed in the meantime. Please check them again.');
  }
  await placePictures(
    tx,
    ordered.map(({ id }, place) => ({ id, place })),
  );
  const [first] = ordered;
  if (first) await forgetPrevious(tx, owned, first);
}
