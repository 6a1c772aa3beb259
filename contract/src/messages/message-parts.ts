import * as z from 'zod/mini';

/** What a message can have besides its text. */
export const messageMediaKinds = ['picture', 'voice'] as const;
export type MessageMediaKind = (typeof messageMediaKinds)[number];

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
  /** Only for the receiver: an automatic check found a reason to be careful, or has not answered yet. */
  isCovered: z.optional(z.boolean()),
  /** Only for the receiver: it is covered as one of the first photos that this person sent in the conversation. */
  isAmongFirst: z.optional(z.boolean()),
  /** It is covered because the check has not answered yet. */
  isUnchecked: z.optional(z.boolean()),
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
