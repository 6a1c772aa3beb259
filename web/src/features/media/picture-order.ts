import { morePicturesMax } from '#contract/constants.ts';
import type { OwnPicture } from '#contract/media/picture.ts';

/** The profile picture and the further ones. */
export const picturesMax = morePicturesMax + 1;

/** Whether a picture stands on the profile, waiting or seen; a refused one does not. */
export function isStanding({ state }: OwnPicture): boolean {
  return state !== 'rejected';
}

/** The pictures as they stand once this order is kept: the first is the profile picture, what it does not name comes after, refused ones are last. */
export function inOrder(pictures: readonly OwnPicture[], order: readonly string[]): OwnPicture[] {
  const rank = new Map(order.map((id, index) => [id, index]));
  const rankOf = ({ publicId }: OwnPicture) => rank.get(publicId) ?? order.length;
  const standing = pictures.filter(isStanding).toSorted((one, other) => rankOf(one) - rankOf(other));
  const refused = pictures.filter((picture) => !isStanding(picture));
  return [...standing.map((picture, index) => ({ ...picture, isProfilePicture: index === 0 })), ...refused];
}

/** The order after one has moved to the place `to` among those that are `shown`; hidden ones keep their places, but for the first. */
export function withMoved(order: readonly string[], shown: readonly string[], id: string, to: number): string[] {
  const others = order.filter((other) => other !== id);
  const next = shown.filter((other) => other !== id)[to];
  const at = to === 0 ? 0 : next === undefined ? others.length : others.indexOf(next);
  return [...others.slice(0, at), id, ...others.slice(at)];
}
