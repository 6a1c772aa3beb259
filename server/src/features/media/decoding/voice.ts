import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import { voiceMaxSeconds } from '#contract/constants.ts';
import type { Refusal } from './picture.ts';

/** A voice message packed again: MP4 with one track of Opus or AAC, and nothing else. */
export interface MadeVoice {
  bytes: Buffer;
  durationMs: number;
  /** SHA-256 of `bytes`. */
  sha256: Buffer;
}

/** The media type for browsers: every current one plays Opus and AAC in MP4. */
export const voiceMimeType = 'audio/mp4';

/** No recording that is accepted is larger, in any container. */
export const voiceMaxBytes = 800_000;

const refusal = (text: MessageDescriptor): Refusal => ({ code: 'VOICE_UNREADABLE', text });

export const wrongVoice: Refusal = {
  code: 'UNSUPPORTED_MEDIA_TYPE',
  text: msg`We can't play recordings of this kind. Record your message here.`,
};
export const unreadableVoice = refusal(msg`This recording is damaged and can't be played. Record it again.`);
/** The limit also covers an honest recording on a very busy machine. */
export const slowVoice = refusal(msg`We couldn't read this recording in time. Try again, or record it again.`);
export const longVoice = refusal(
  msg`A voice message can be up to ${{ voiceMaxSeconds }} seconds long. Record a shorter one.`,
);
export const richVoice = refusal(msg`This recording is too large for its length. Record your message here.`);

/** Whether the first bytes are those of WebM, Ogg or MP4. No library reads other files. */
export function isVoice(upload: Buffer): boolean {
  const start = upload.toString('latin1', 0, 8);
  return start.startsWith('\x1a\x45\xdf\xa3') || start.startsWith('OggS') || start.startsWith('ftyp', 4);
}
