import * as z from 'zod/mini';

/** The state of a picture: not reviewed, visible to others, or rejected. */
export const pictureStates = ['pending', 'approved', 'rejected'] as const;
export type PictureState = (typeof pictureStates)[number];

/** A picture as shown to people who may see it. */
export const pictureSchema = z.object({
  /** At most 1280 px wide. Works only for this viewer, for ten minutes at most. */
  url: z.string(),
  /** The same, cut to 400 × 500 px. */
  thumbnailUrl: z.string(),
  /** For the owner and staff, the id used in calls; for others, a different id that only reports accept. */
  publicId: z.string(),
  /** The original file name for the owner; '' for everyone else. */
  name: z.string(),
  /** Bytes. */
  size: z.int(),
  mimeType: z.string(),
  width: z.int(),
  height: z.int(),
  /** A thumbhash in base64: what to draw until the picture has loaded. */
  placeholder: z.string(),
});

/** A picture for its owner. */
export const ownPictureSchema = z.extend(pictureSchema, {
  state: z.enum(pictureStates),
  /** Why it was rejected, for the owner. A rejected picture isn't displayed; its addresses are empty. */
  reason: z.nullable(z.string()),
  isProfilePicture: z.boolean(),
});

export type Picture = z.output<typeof pictureSchema>;
export type OwnPicture = z.output<typeof ownPictureSchema>;
