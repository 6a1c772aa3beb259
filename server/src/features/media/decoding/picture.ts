import type { ErrorCode } from '#contract/errors.ts';

/** A picture re-encoded from an upload: WebP, upright, pixels only. */
export interface MadePicture {
  large: Buffer;
  thumbnail: Buffer;
  width: number;
  height: number;
  /** A thumbhash in base64. */
  placeholder: string;
  /** SHA-256 of `large`. */
  sha256: Buffer;
  /** 64 bits as PostgreSQL's signed bigint. */
  dhash: bigint;
}

/** Why an upload isn't taken: an error code and a sentence for the member. */
export interface Refusal {
  code: ErrorCode;
  msg: string;
}

/** The refusal of HEIC, which the libraries at hand don't decode. */
export const wrongHeic: Refusal = {
  code: 'UNSUPPORTED_MEDIA_TYPE',
  msg: "We can't read HEIC pictures. Choose a JPEG, PNG, WebP or AVIF picture, or take a screenshot of this one.",
};

/** The refusal of everything that is not one of the formats we read. */
export const wrongType: Refusal = {
  code: 'UNSUPPORTED_MEDIA_TYPE',
  msg: 'Choose a JPEG, PNG, WebP or AVIF picture',
};

/**
 * Whether the first bytes are those of a JPEG, PNG, WebP or AVIF file. Decided before any library sees them, because libraries recognize
 * many more formats and some of those can keep them busy for minutes.
 */
export function isPicture(upload: Buffer): boolean {
  const start = upload.toString('latin1', 0, 12);
  return (
    start.startsWith('\xff\xd8') ||
    start.startsWith('\x89PNG\r\n\x1a\n') ||
    (start.startsWith('RIFF') && start.endsWith('WEBP')) ||
    // AVIF, and HEIC, which is refused by name.
    start.startsWith('ftyp', 4)
  );
}
