import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
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
  hasQrCode: boolean;
}

/** A logo or icon, re-encoded as PNG, with the SHA-256 of its bytes in hexadecimal. */
export interface MadeBrandPicture {
  png: Buffer;
  sha256: string;
}

/** Why an upload is refused: an error code and a sentence for the member. */
export interface Refusal {
  code: ErrorCode;
  text: MessageDescriptor;
}

/** The refusal of HEIC, which our libraries can't decode. */
export const wrongHeic: Refusal = {
  code: 'UNSUPPORTED_MEDIA_TYPE',
  text: msg`We can't read HEIC pictures. Choose a JPEG, PNG, WebP or AVIF picture, or take a screenshot of this one.`,
};

/** The refusal of all other formats that we don't read. */
export const wrongType: Refusal = {
  code: 'UNSUPPORTED_MEDIA_TYPE',
  text: msg`Choose a JPEG, PNG, WebP or AVIF picture`,
};

/**
 * Whether the first bytes are those of a JPEG, PNG, WebP or AVIF file. This is checked before any library reads them, because libraries
 * recognize many more formats, and some of those can keep them busy for minutes.
 */
export function isPicture(upload: Buffer): boolean {
  const start = upload.toString('latin1', 0, 12);
  return (
    start.startsWith('\xff\xd8') ||
    start.startsWith('\x89PNG\r\n\x1a\n') ||
    (start.startsWith('RIFF') && start.endsWith('WEBP')) ||
    // AVIF, and HEIC, which gets its own message.
    start.startsWith('ftyp', 4)
  );
}
