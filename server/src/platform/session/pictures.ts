import type { OwnPicture, Picture, PictureState } from '#contract/media/picture.ts';
import type { MediaAddresses } from './media-address.ts';

/** A picture as the profile keeps it for its views; `server/sql/pictures.sql` writes it. */
export interface StoredPicture {
  id: string;
  publicId: string;
  key: string;
  name: string;
  size: number;
  width: number;
  height: number;
  placeholder: string;
  state: PictureState;
  /** 0 the profile picture, -1 the one before it; absent for a refused one. */
  place?: number;
  reason?: string;
}

export const pictureMimeType = 'image/webp';

/** Everybody's view of pictures, one function an audience. */
export interface PictureViews {
  /** All of a member's own, the profile picture first, refused ones last. */
  own(ownerId: string, stored: readonly StoredPicture[], now: Date): OwnPicture[];
  /** What another member may see, the profile picture first. */
  shown(viewerId: string, ownerId: string, stored: readonly StoredPicture[], now: Date): Picture[];
  /** All of a member's for staff, by the handles their calls take. */
  forStaff(viewerId: string, ownerId: string, stored: readonly StoredPicture[], now: Date): OwnPicture[];
}

/** Views over `addresses`; `showsPending` where pictures are published before anybody looked at them. */
export function createPictureViews(addresses: MediaAddresses, showsPending: boolean): PictureViews {
  const isShown = ({ state, place }: StoredPicture) =>
    place !== undefined && (state === 'approved' || (showsPending && state === 'pending'));

  function whole(viewerId: string, ownerId: string, stored: readonly StoredPicture[], now: Date): OwnPicture[] {
    const standing = stored.filter(({ place }) => place !== -1);
    if (standing.length === 0) return [];
    const addressOf = addresses.forSet(viewerId, ownerId, now);
    return standing.map(({ id: _, key, place, reason, ...picture }) => ({
      ...picture,
      url: place === undefined ? '' : addressOf(key, 'large'),
      thumbnailUrl: place === undefined ? '' : addressOf(key, 'thumbnail'),
      mimeType: pictureMimeType,
      reason: reason ?? null,
      isProfilePicture: place === 0,
    }));
  }

  return {
    own: (ownerId, stored, now) => whole(ownerId, ownerId, stored, now),
    // What its owner called the file is theirs alone.
    forStaff: (viewerId, ownerId, stored, now) =>
      whole(viewerId, ownerId, stored, now).map((picture) => ({ ...picture, name: '' })),
    shown(viewerId, ownerId, stored, now) {
      const seen = stored.filter(isShown);
      // The picture before steps back as soon as the new one may be seen.
      const isReplaced = seen.some(({ place }) => place === 0);
      const [first, ...others] = seen.filter(({ place }) => place !== -1 || !isReplaced);
      if (first === undefined) return [];
      const addressOf = addresses.forSet(viewerId, ownerId, now);
      return [first, ...others].map(({ id, key, size, width, height, placeholder }) => ({
        url: addressOf(key, 'large'),
        thumbnailUrl: addressOf(key, 'thumbnail'),
        publicId: id,
        name: '',
        size,
        mimeType: pictureMimeType,
        width,
        height,
        placeholder,
      }));
    },
  };
}

/** What everybody's view of a picture has, and no more: answers of several forms are told apart by their keys. */
function plain({ url, thumbnailUrl, publicId, name, size, mimeType, width, height, placeholder }: Picture): Picture {
  return { url, thumbnailUrl, publicId, name, size, mimeType, width, height, placeholder };
}

/** The spec's two keys: the profile picture's address, and the others. */
export function asTwoKeys<T extends Picture>(
  pictures: readonly T[],
  isFirst: (picture: T) => boolean,
): { profilePicture: string | null; more_pictures: Picture[] } {
  const profilePicture = pictures.find(isFirst);
  return {
    profilePicture: profilePicture?.thumbnailUrl ?? null,
    more_pictures: pictures.filter((picture) => picture !== profilePicture && picture.url !== '').map(plain),
  };
}
