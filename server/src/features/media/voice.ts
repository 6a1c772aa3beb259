import { msg } from '@lingui/core/runtime-macro';
import pLimit from 'p-limit';
import { AppError, invalid } from '#platform/http/app-error.ts';
import type { Deps } from '../../deps.ts';
import { decode } from './decoding/decode.ts';
import type { Refusal } from './decoding/picture.ts';
import { isVoice, type MadeVoice, slowVoice, unreadableVoice, voiceMaxBytes, wrongVoice } from './decoding/voice.ts';
import { decodedAtOnce, inTurn, refusedByKill, waitAtMostMs } from './image.ts';
import { newHandle, noteBytes } from './pictures.ts';

/** A minute of sound takes less than a tenth of a second, so a recording that takes three tenths is hostile. */
export const repackWithin = { processorMs: 300, clockMs: 4500 };
/**
 * As many at a time as pictures and one of each member, apart from pictures, which take longer. Others wait, but not longer than a sender
 * would.
 */
const places = pLimit(decodedAtOnce);
const mostWaiting = 40;

const refused = ({ code, text }: Refusal) => invalid('file', text, code);

/**
 * Repacks a recording without its metadata. Throws 415 for anything but Opus or AAC in WebM, Ogg or MP4 (judged by the bytes), and 422 if
 * it is damaged, too long or too large for its length, or can't be read `within` that time.
 */
export async function makeVoice(upload: Buffer, memberId: string, { within = repackWithin } = {}): Promise<MadeVoice> {
  if (!isVoice(upload)) throw refused(upload.length === 0 ? unreadableVoice : wrongVoice);
  if (upload.length > voiceMaxBytes) throw invalid('file', msg`This recording is too large`, 'PAYLOAD_TOO_LARGE');
  const startBefore = performance.now() + waitAtMostMs;
  const outcome = await inTurn(`voice ${memberId}`, () => {
    if (places.pendingCount >= mostWaiting) throw busy();
    return places(() => {
      // The sender already has an answer, or will get one before this recording is ready.
      if (performance.now() > startBefore) throw busy();
      return decode('voice', upload, within);
    });
  });
  if (outcome === 'killed') throw refusedByKill(slowVoice);
  if ('code' in outcome) throw refused(outcome);
  return outcome;
}

const busy = () =>
  new AppError('UNAVAILABLE', msg`Many recordings are being sent. Please try again in a moment.`, {
    retryAfterSeconds: 2,
  });

/** How the keys of voice notes end, which are the names of their files. */
export const voiceSuffix = '.voice';

/** Repacks a recording like `makeVoice` and stores it under a new key. If the process dies here, the bytes are deleted an hour later. */
export async function keepVoice(
  { db, storage }: Pick<Deps, 'db' | 'storage'>,
  memberId: string,
  upload: Buffer,
  prefix: string,
): Promise<MadeVoice & { key: string }> {
  const made = await makeVoice(upload, memberId);
  const key = `${prefix}${newHandle()}${voiceSuffix}`;
  await noteBytes(db, key);
  await storage.put(key, made.bytes);
  return { ...made, key };
}
