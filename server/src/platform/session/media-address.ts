import { createHmac, timingSafeEqual } from 'node:crypto';
import { mediaAddressMaxSeconds, mediaAddressSameSeconds } from '#contract/constants.ts';

export type MediaSize = 'large' | 'thumbnail';

/** What an address says: for whom, until when (seconds since 1970), and the proof of both. */
export interface SignedPart {
  for: string;
  until: string;
  sig: string;
}

/** Makes and checks the addresses of pictures: each works for one viewer and one set of pictures, ten minutes at most. */
export interface MediaAddresses {
  /** The addresses of one set of pictures for one viewer, under one signature. `of` is whose they are, or the report that keeps them. */
  forSet(viewerId: string, of: string, now: Date, more?: string): (key: string, size: MediaSize) => string;
  /** Whether the signature is one of ours for this set, however old. */
  isSigned(given: SignedPart, of: string): boolean;
}

/** Whether an address has come to its end. */
export function isOver(until: string, now: Date): boolean {
  return Number(until) * 1000 <= now.getTime();
}

const mostRemembered = 20_000;

/** Addresses below `base` (a path or a whole address), signed with `secret`. */
export function createMediaAddresses(secret: string, base: string): MediaAddresses {
  let remembered = new Map<string, string>();

  function signature(viewerId: string, of: string, until: string): string {
    const text = `${viewerId}\n${of}\n${until}`;
    const known = remembered.get(text);
    if (known !== undefined) return known;
    const made = createHmac('sha256', secret).update(text).digest().subarray(0, 16).toString('base64url');
    if (remembered.size >= mostRemembered) remembered = new Map();
    remembered.set(text, made);
    return made;
  }

  return {
    forSet(viewerId, of, now, more = '') {
      const step = mediaAddressMaxSeconds - mediaAddressSameSeconds;
      const until = String(Math.ceil((now.getTime() / 1000 + mediaAddressSameSeconds) / step) * step);
      const signed = `?${more}for=${viewerId}&until=${until}&sig=${signature(viewerId, of, until)}`;
      return (key, size) => `${base}/media/${key}.${size}${signed}`;
    },
    isSigned(given, of) {
      const expected = Buffer.from(signature(given.for, of, given.until));
      const found = Buffer.from(given.sig);
      return found.length === expected.length && timingSafeEqual(found, expected);
    },
  };
}
