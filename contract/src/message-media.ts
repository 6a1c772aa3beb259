import * as z from 'zod/mini';
import { pictureNameMaxLength } from './constants.ts';
import { answer, endpoint } from './endpoint.ts';
import { idSchema } from './text.ts';

/** What a message can have besides its text. */
export const messageMediaKinds = ['picture', 'voice'] as const;
export type MessageMediaKind = (typeof messageMediaKinds)[number];

/** The kinds that can be uploaded. */
export const uploadedKinds = ['picture', 'voice'] as const satisfies readonly MessageMediaKind[];
export type UploadedKind = (typeof uploadedKinds)[number];

/** A photo of a message, as one of the two people sees it. */
export const messagePictureSchema = z.object({
  _id: z.string(),
  /** At most 1280 px wide. Null for a photo that can be viewed once, and for one that our check removed. */
  url: z.nullable(z.string()),
  /** The same photo, cropped to 400 × 500 px. */
  thumbnailUrl: z.nullable(z.string()),
  width: z.int(),
  height: z.int(),
  /** A thumbhash in base64, shown until the photo has loaded; empty for a photo that can be viewed once. */
  placeholder: z.string(),
  /** The receiver can open it once. */
  isOnce: z.boolean(),
  /** The receiver has opened it. Its sender never learns this if one of the two hides when they were last active. */
  isOpened: z.boolean(),
  /** Only for the receiver: an automatic check found a reason to be careful. */
  isCovered: z.optional(z.boolean()),
});
export type MessagePicture = z.output<typeof messagePictureSchema>;

/** A voice note of a message. */
export const messageVoiceSchema = z.object({
  _id: z.string(),
  /** An MP4 with Opus or AAC. The URL works only for this viewer and for at most ten minutes. Null for one that our check removed. */
  url: z.nullable(z.string()),
  durationMs: z.int(),
  /** The waveform as its sender's device drew it: levels from 0 to 100. */
  peaks: z.array(z.int()),
});
export type MessageVoice = z.output<typeof messageVoiceSchema>;

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
    kind: z.enum(uploadedKinds),
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
  ],
});

export const openPicture = endpoint({
  method: 'POST',
  path: '/matches/{id}/messages/{seq}/open',
  summary: 'Open a photo that I received to view once. Its address works for a minute; a second call gets 404.',
  access: 'completed',
  writes: true,
  params: z.object({ id: idSchema, seq: idSchema }),
  body: z.object({ picture: messageMediaIdSchema }),
  response: answer({ data: z.object({ url: z.string() }) }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
});
