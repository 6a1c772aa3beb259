import { t } from '@lingui/core/macro';
import type { BodyInput, QueryInput } from '#contract/endpoint.ts';
import { uploadMessageMedia } from '#contract/messages/message-media.ts';
import type { sendMessage } from '#contract/messages/messages.ts';
import { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { type Parts, readFile, type UnsentFile } from './unsent-files.ts';

/** The code of the error for files that are no longer on this device. */
export const filesGone = 'FILES_GONE';

async function upload(
  matchId: string,
  { name }: UnsentFile,
  query: QueryInput<typeof uploadMessageMedia>,
): Promise<string> {
  const file = await readFile(name);
  if (file === null) {
    const message = t`What you attached is no longer on this device. Discard this and attach it again.`;
    throw new ApiError({ message, code: filesGone, status: 0 });
  }
  return (await call(uploadMessageMedia, { params: { id: matchId }, query, file })).data._id;
}

/** The error for a message that was discarded or sent meanwhile. */
export const discarded = () => new DOMException('The message was discarded', 'AbortError');

/**
 * Uploads the remaining files of a message one after the other, and returns them for its body. `note` is called after each, so that a
 * reload continues there; it returns false once the message was discarded.
 */
export async function uploadParts(
  matchId: string,
  parts: Parts,
  note: (parts: Parts) => boolean,
): Promise<Pick<BodyInput<typeof sendMessage>, 'pictures' | 'isOnce' | 'voice'>> {
  let pictures = parts.pictures ?? [];
  for (const [index, picture] of pictures.entries()) {
    if (picture.id !== undefined) continue;
    const id = await upload(matchId, picture, { kind: 'picture' });
    pictures = pictures.with(index, { ...picture, id });
    if (!note({ ...parts, pictures })) throw discarded();
  }
  let { voice } = parts;
  if (voice !== undefined && voice.id === undefined) {
    const id = await upload(matchId, voice, { kind: 'voice', peaks: voice.peaks.join(',') });
    voice = { ...voice, id };
    if (!note({ ...parts, voice })) throw discarded();
  }
  return {
    ...(voice?.id !== undefined && { voice: voice.id }),
    ...(pictures.length > 0 && { pictures: pictures.map(({ id = '' }) => id) }),
    ...(parts.isOnce === true && { isOnce: true }),
  };
}
