import * as z from 'zod/mini';

/** How a picture on a profile stands: not yet looked at, seen by others, or refused. */
export const pictureStates = ['pending', 'approved', 'rejected'] as const;
export type PictureState = (typeof pictureStates)[number];

/** A picture as whoever may see it gets it. */
export const pictureSchema = z.object({
  /** At most 1600 px wide. Works for this viewer alone, for ten minutes at most. */
  url: z.string(),
  /** The same, cut to 400 × 500 px. */
  thumbnailUrl: z.string(),
  /** To its owner and to staff the handle that calls take; to others a name for it, for reports, which no other call takes. */
  publicId: z.string(),
  /** The file's name as its owner gave it; '' to everybody else. */
  name: z.string(),
  /** Bytes. */
  size: z.int(),
  mimeType: z.string(),
  width: z.int(),
  height: z.int(),
  /** A thumbhash in base64: what to draw until the picture is there. */
  placeholder: z.string(),
});

/** A picture as its owner gets it. */
export const ownPictureSchema = z.extend(pictureSchema, {
  state: z.enum(pictureStates),
  /** Why it was refused, for the owner to read. A refused picture is on nobody's screen; its addresses are empty. */
  reason: z.nullable(z.string()),
  isProfilePicture: z.boolean(),
});

export type Picture = z.output<typeof pictureSchema>;
export type OwnPicture = z.output<typeof ownPictureSchema>;
