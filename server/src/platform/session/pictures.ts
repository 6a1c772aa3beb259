import type { OwnPicture, Picture, PictureState } from '#contract/media.ts';
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { mediaAddressMaxSeconds, mediaAddressSameSeconds } from '#contract/constants.ts';

/** A picture as stored with the profile; `server/sql/pictures.sql` writes it. */
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
  /** 0 is the profile picture, -1 the previous one; absent if rejected. */
  place?: number;
  reason?: string;
}

/** The format of every stored picture. */
export const pictureMimeType = 'image/webp';

/** Views of pictures, one function per audience. */
export interface PictureViews {
  /** The addresses of other files that members see. */
  addresses: MediaAddresses;
  /** All of a member's own pictures, the profile picture first, rejected ones last. */
  own(ownerId: string, stored: readonly StoredPicture[], now: Date): OwnPicture[];
  /** The pictures another member may see, the profile picture first. */
  shown(viewerId: string, ownerId: string, stored: readonly StoredPicture[], now: Date): Picture[];
  /** All of a member's pictures for staff, with the ids used in staff requests. */
  forStaff(viewerId: string, ownerId: string, stored: readonly StoredPicture[], now: Date): OwnPicture[];
}

/** Views with URLs from `addresses`. `showsPending`: pictures are shown before they are reviewed. */
export function createPictureViews(addresses: MediaAddresses, showsPending: boolean): PictureViews {
  const isShown = ({ state, place }: StoredPicture) =>
    place !== undefined && (state === 'approved' || (showsPending && state === 'pending'));

  function whole(viewerId: string, ownerId: string, stored: readonly StoredPicture[], now: Date): OwnPicture[] {
    const current = stored.filter(({ place }) => place !== -1);
    if (current.length === 0) return [];
    const addressOf = addresses.forSet(viewerId, ownerId, now);
    // Without spreads, because lists contain thousands.
    return current.map(({ publicId, key, name, size, width, height, placeholder, state, place, reason = null }) => ({
      url: place === undefined ? '' : addressOf(key, 'large'),
      thumbnailUrl: place === undefined ? '' : addressOf(key, 'thumbnail'),
      publicId,
      // Only the owner sees the file's original name.
      name: viewerId === ownerId ? name : '',
      size,
      mimeType: pictureMimeType,
      width,
      height,
      placeholder,
      state,
      reason,
      isProfilePicture: place === 0,
    }));
  }

  function seenOf(stored: readonly StoredPicture[]): StoredPicture[] {
    const seen = stored.filter(isShown);
    // The previous profile picture is hidden as soon as the new one may be seen.
    const isReplaced = seen.some(({ place }) => place === 0);
    return seen.filter(({ place }) => place !== -1 || !isReplaced);
  }

  return {
    addresses,
    own: (ownerId, stored, now) => whole(ownerId, ownerId, stored, now),
    forStaff: whole,
    shown(viewerId, ownerId, stored, now) {
      const seen = seenOf(stored);
      if (seen.length === 0) return [];
      const addressOf = addresses.forSet(viewerId, ownerId, now);
      return seen.map((picture) => toPicture(picture, addressOf));
    },
  };
}

/** A picture as other members see it. */
function toPicture({ id, key, size, width, height, placeholder }: StoredPicture, addressOf: AddressOf): Picture {
  return {
    url: addressOf(key, 'large'),
    thumbnailUrl: addressOf(key, 'thumbnail'),
    publicId: id,
    name: '',
    size,
    mimeType: pictureMimeType,
    width,
    height,
    placeholder,
  };
}

export type MediaSize = 'large' | 'thumbnail';
/** Returns the URL of a stored file in one size; without a size, the key is the name of the file. */
type AddressOf = (key: string, size: MediaSize | null) => string;

/** The signed parameters of a picture URL: the viewer, the expiry (seconds since 1970) and the signature. */
export interface SignedPart {
  for: string;
  until: string;
  sig: string;
}

/** Creates and verifies picture URLs: each works for one viewer and one set of pictures, for at most ten minutes. */
export interface MediaAddresses {
  /**
   * The URLs of one set of pictures for one viewer, with one signature. `of` is their owner, or the report that stores
   * them.
   */
  forSet(viewerId: string, of: string, now: Date, more?: string): AddressOf;
  /** Whether the signature is valid for this set, even if expired. */
  isSigned(given: SignedPart, of: string): boolean;
}

/** Whether a URL has expired. */
export function isOver(until: string, now: Date): boolean {
  return Number(until) * 1000 <= now.getTime();
}

const mostRemembered = 20_000;

/** URLs below `base` (a path or a full URL), signed with `secret`. */
export function createMediaAddresses(secret: string, base: string): MediaAddresses {
  let remembered = new Map<string, string>();
  // Importing the text for each signature would take longer than signing.
  const key = createSecretKey(secret, 'utf8');

  function signature(viewerId: string, of: string, until: string): string {
    const text = `${viewerId}\n${of}\n${until}`;
    const known = remembered.get(text);
    if (known !== undefined) return known;
    const made = createHmac('sha256', key).update(text).digest().subarray(0, 16).toString('base64url');
    if (remembered.size >= mostRemembered) remembered = new Map();
    remembered.set(text, made);
    return made;
  }

  return {
    forSet(viewerId, of, now, more = '') {
      const step = mediaAddressMaxSeconds - mediaAddressSameSeconds;
      const until = String(Math.ceil((now.getTime() / 1000 + mediaAddressSameSeconds) / step) * step);
      const end = `?${more}for=${viewerId}&until=${until}&sig=${signature(viewerId, of, until)}`;
      return (key, size) => `${base}/media/${size === null ? key : `${key}.${size}`}${end}`;
    },
    isSigned(given, of) {
      const expected = Buffer.from(signature(given.for, of, given.until));
      const found = Buffer.from(given.sig);
      return found.length === expected.length && timingSafeEqual(found, expected);
    },
  };
}
