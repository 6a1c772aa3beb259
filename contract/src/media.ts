import * as z from 'zod/mini';
import { morePicturesMax, pictureNameMaxLength } from './constants.ts';
import { answer, endpoint } from './endpoint.ts';
import { idSchema } from './text.ts';

/** The state of a picture: not reviewed, visible to others, or rejected. */
export const pictureStates = ['pending', 'approved', 'rejected'] as const;
export type PictureState = (typeof pictureStates)[number];

/** A picture as shown to people who may see it. */
export const pictureSchema = z.object({
  /** At most 1280 px wide. The URL works only for this viewer and for at most ten minutes. */
  url: z.string(),
  /** The same picture, cropped to 400 × 500 px. */
  thumbnailUrl: z.string(),
  /** For the owner and staff, the id used in requests; for others, a different id that only reports accept. */
  publicId: z.string(),
  /** For its owner, the original file name; an empty string for everyone else. */
  name: z.string(),
  /** In bytes. */
  size: z.int(),
  mimeType: z.string(),
  width: z.int(),
  height: z.int(),
  /** A thumbhash in base64, shown until the picture has loaded. */
  placeholder: z.string(),
});

/** A picture as its owner sees it. */
export const ownPictureSchema = z.extend(pictureSchema, {
  state: z.enum(pictureStates),
  /** The reason of a rejection. Rejected pictures aren't displayed; their URLs are empty. */
  reason: z.nullable(z.string()),
  isProfilePicture: z.boolean(),
});

export type Picture = z.output<typeof pictureSchema>;
export type OwnPicture = z.output<typeof ownPictureSchema>;

const publicIdSchema = z.string().check(z.regex(/^[\w-]{22}$/, 'This is not one of your uploads'));

/** A picture sent by a client; only the public id is used, and it must be the caller's own upload. */
const givenPicture = z.object({ publicId: publicIdSchema });

const ownPictures = z.array(ownPictureSchema);

export const uploadPicture = endpoint({
  method: 'POST',
  path: '/uploads',
  summary:
    "Upload one picture (JPEG, PNG, WebP or AVIF) in the field `file`. It is re-encoded without metadata and isn't visible until it is added to a profile; unused uploads are deleted after 24 hours.",
  access: 'signedIn',
  writes: true,
  status: 201,
  creates: true,
  uploads: true,
  limit: 'upload',
  body: z.object({ name: z.string().check(z.maxLength(pictureNameMaxLength)), sha256: z.string() }),
  response: answer({ data: pictureSchema }),
  errors: [
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'PICTURE_UNREADABLE',
    'PICTURE_TOO_SMALL',
    'PICTURE_TOO_LARGE',
    'PICTURE_REFUSED',
    'TOO_MANY_PICTURES',
  ],
});

export const setProfilePicture = endpoint({
  method: 'PUT',
  path: '/auth/upload-profile-picture',
  summary:
    'Make an upload or another of my pictures the profile picture. Others see the previous one until the new one is approved.',
  access: 'signedIn',
  writes: true,
  body: z.union([z.object({ imageData: givenPicture }), givenPicture]),
  response: answer({ data: z.object({ profilePicture: z.nullable(z.string()), pictures: ownPictures }) }),
  errors: ['NOT_FOUND', 'TOO_MANY_PICTURES'],
});

const givenPictures = z.array(givenPicture).check(z.minLength(1), z.maxLength(morePicturesMax + 1));

export const addPictures = endpoint({
  method: 'PUT',
  path: '/auth/upload-pictures',
  summary: 'Add uploads to my additional pictures, all or none; at most eight.',
  access: 'signedIn',
  writes: true,
  body: z.union([z.object({ imagesData: givenPictures }), givenPictures]),
  response: answer({ data: z.object({ uploadedImages: ownPictures, pictures: ownPictures }) }),
  errors: ['NOT_FOUND', 'TOO_MANY_PICTURES'],
});

export const deletePicture = endpoint({
  method: 'DELETE',
  path: '/auth/picture/{publicId}',
  summary: 'Delete one of my pictures or uploads.',
  access: 'signedIn',
  writes: true,
  params: z.object({ publicId: idSchema }),
  response: answer({ data: z.object({ pictures: ownPictures }) }),
  errors: ['NOT_FOUND'],
});

export const deleteProfilePicture = endpoint({
  method: 'DELETE',
  path: '/auth/delete-profile-picture',
  summary: 'Delete my profile picture; the others stay where they are.',
  access: 'signedIn',
  writes: true,
  response: answer({ data: z.object({ pictures: ownPictures }) }),
});

export const orderPictures = endpoint({
  method: 'PUT',
  path: '/auth/pictures/order',
  summary:
    'Reorder my pictures; the first is the profile picture. Name each current picture once, without rejected ones.',
  access: 'signedIn',
  writes: true,
  body: z.object({ publicIds: z.array(publicIdSchema).check(z.maxLength(morePicturesMax + 1)) }),
  response: answer({ data: z.object({ pictures: ownPictures }) }),
  errors: ['CONFLICT'],
});

export const getMedia = endpoint({
  method: 'GET',
  path: '/media/{key}',
  summary:
    'The bytes of a picture or voice note, by a signed address from another response (or a 302 to the bucket). 401 without a valid signature; 404 once it has expired, or the file or the right to see it is gone.',
  access: 'everyone',
  params: z.object({ key: idSchema }),
  query: z.object({
    for: z.optional(idSchema),
    until: z.optional(z.string().check(z.regex(/^\d{1,12}$/, 'Not a time'))),
    sig: z.optional(z.string().check(z.regex(/^[\w-]{22}$/, 'Not a signature'))),
    report: z.optional(idSchema),
    /** For the member whose picture it was: the sanction that removed it. */
    removed: z.optional(idSchema),
    /** The selfies that wait for review, for staff. */
    selfie: z.optional(idSchema),
    /** The view-once photo that was opened. */
    opened: z.optional(idSchema),
  }),
  streams: 'image/webp',
  errors: ['UNAUTHENTICATED', 'NOT_FOUND'],
});
