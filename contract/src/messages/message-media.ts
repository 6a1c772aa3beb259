import * as z from 'zod/mini';
import { openedPictureSeconds, pictureNameMaxLength } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { messageMediaKinds } from './message-parts.ts';
import { idSchema } from '../text.ts';

/** At most 64 levels. */
const peakPattern = /^(?:\d{1,2}|100)(?:,(?:\d{1,2}|100)){0,63}$/;

/** The public id of an upload. */
export const messageMediaIdSchema = z.string().check(z.regex(/^[\w-]{22}$/, 'This is not one of your uploads'));

export const uploadMessageMedia = endpoint({
  method: 'POST',
  path: '/matches/{id}/media',
  summary:
    'Upload one photo or voice note for a match in the field `file`, once both have written. Photos are re-encoded, and voice notes (Opus or AAC in WebM, Ogg or MP4) repacked without metadata. No one sees it until a message has it; unused uploads are deleted after 24 hours.',
  access: 'completed',
  writes: true,
  status: 201,
  creates: true,
  uploads: true,
  limit: 'messageMedia',
  params: z.object({ id: idSchema }),
  query: z.object({
    kind: z.enum(messageMediaKinds),
    /** The waveform of a voice note: at most 64 levels from 0 to 100, separated by commas. */
    peaks: z.optional(z.string().check(z.regex(peakPattern, 'Send up to 64 levels from 0 to 100'))),
  }),
  body: z.object({ name: z.string().check(z.maxLength(pictureNameMaxLength)), sha256: z.string() }),
  response: answer({ data: z.object({ _id: z.string() }) }),
  errors: [
    'FORBIDDEN',
    'NOT_FOUND',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'PICTURE_UNREADABLE',
    'PICTURE_TOO_SMALL',
    'PICTURE_TOO_LARGE',
    'PICTURE_REFUSED',
    'VOICE_UNREADABLE',
    'MEDIA_USED_UP',
    'PART_OFF',
  ],
});

export const openPicture = endpoint({
  method: 'POST',
  path: '/matches/{id}/messages/{seq}/open',
  summary:
    'Open a photo that I received to view once. Its address works for a minute, in which the same key gets it again; any other second call gets 404.',
  access: 'completed',
  writes: true,
  creates: true,
  answerKeptSeconds: openedPictureSeconds,
  params: z.object({ id: idSchema, seq: idSchema }),
  body: z.object({ picture: messageMediaIdSchema }),
  response: answer({ data: z.object({ url: z.string() }) }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
});
