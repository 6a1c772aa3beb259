import { morePicturesMax } from '#contract/constants.ts';
import type { OwnPicture } from '#contract/media/picture.ts';

/** The profile picture and the further ones. */
export const picturesMax = morePicturesMax + 1;

/** Whether a picture counts as part of the profile: waiting for review or approved, but not rejected. */
export function isOnProfile({ state }: OwnPicture): boolean {
  return state !== 'rejected';
}

/** The pictures in the given order: the first is the profile picture, those it does not name come next, rejected ones last. */
export function inOrder(pictures: readonly OwnPicture[], order: readonly string[]): OwnPicture[] {
  const rank = new Map(order.map((id, index) => [id, index]));
  const rankOf = ({ publicId }: OwnPicture) => rank.get(publicId) ?? order.length;
  const onProfile = pictures.filter(isOnProfile).toSorted((one, other) => rankOf(one) - rankOf(other));
  const rejected = pictures.filter((picture) => !isOnProfile(picture));
  return [...onProfile.map((picture, index) => ({ ...picture, isProfilePicture: index === 0 })), ...rejected];
}

/** The order after one picture moved to place `to` among those `shown`; hidden ones keep their places, except for the first place. */
export function withMoved(order: readonly string[], shown: readonly string[], id: string, to: number): string[] {
  const others = order.filter((other) => other !== id);
  const next = shown.filter((other) => other !== id)[to];
  const at = to === 0 ? 0 : next === undefined ? others.length : others.indexOf(next);
  return [...others.slice(0, at), id, ...others.slice(at)];
}
