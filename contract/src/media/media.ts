import * as z from 'zod/mini';
import { morePicturesMax, pictureNameMaxLength, reasonMaxLength } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { pageQuery, paginationSchema } from '../paging.ts';
import { ownPictureSchema, pictureSchema, pictureStates } from './picture.ts';
import { idSchema, skippedWhenEmpty, text, trimmedText } from '../text.ts';

const publicIdSchema = z.string().check(z.regex(/^[\w-]{22}$/, 'This is no upload of yours'));

/** What a client says of a picture; only the handle counts, and only where it is the caller's own upload. */
const givenPicture = z.object({ publicId: publicIdSchema });

/** The reason is mailed and shown within words of ours. */
const turnsNothing = (text: string) => !/[\u202a-\u202e\u2066-\u2069]/u.test(text);

const ownPictures = z.array(ownPictureSchema);

export const uploadPicture = endpoint({
  method: 'POST',
  path: '/uploads',
  summary:
    'Upload one picture (JPEG, PNG, WebP or AVIF) in the field `file`. It is made anew without anything else that was in the file, and stands nowhere until it is claimed; unclaimed ones go after 24 hours.',
  access: 'signedIn',
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
    'Make an upload, or another picture of mine, the profile picture. The one before is shown to others until the new one is approved.',
  access: 'signedIn',
  body: z.union([z.object({ imageData: givenPicture }), givenPicture]),
  response: answer({ data: z.object({ profilePicture: z.nullable(z.string()), pictures: ownPictures }) }),
  errors: ['NOT_FOUND', 'TOO_MANY_PICTURES'],
});

const givenPictures = z.array(givenPicture).check(z.minLength(1), z.maxLength(morePicturesMax + 1));

export const addPictures = endpoint({
  method: 'PUT',
  path: '/auth/upload-pictures',
  summary: 'Append uploads to my further pictures, all or none; eight at most.',
  access: 'signedIn',
  body: z.union([z.object({ imagesData: givenPictures }), givenPictures]),
  response: answer({ data: z.object({ uploadedImages: ownPictures, pictures: ownPictures }) }),
  errors: ['NOT_FOUND', 'TOO_MANY_PICTURES'],
});

export const deletePicture = endpoint({
  method: 'DELETE',
  path: '/auth/picture/{publicId}',
  summary: 'Delete a picture or upload of mine.',
  access: 'signedIn',
  params: z.object({ publicId: idSchema }),
  response: answer({ data: z.object({ pictures: ownPictures }) }),
  errors: ['NOT_FOUND'],
});

export const deleteProfilePicture = endpoint({
  method: 'DELETE',
  path: '/auth/delete-profile-picture',
  summary: 'Delete my profile picture; the further ones stay where they are.',
  access: 'signedIn',
  response: answer({ data: z.object({ pictures: ownPictures }) }),
});

export const orderPictures = endpoint({
  method: 'PUT',
  path: '/auth/pictures/order',
  summary: 'Put my pictures in order; the first is the profile picture. All of them, each once, refused ones left out.',
  access: 'signedIn',
  body: z.object({ publicIds: z.array(publicIdSchema).check(z.maxLength(morePicturesMax + 1)) }),
  response: answer({ data: z.object({ pictures: ownPictures }) }),
  errors: ['CONFLICT'],
});

/** A picture as staff see it in the queue. */
export const queuedPictureSchema = z.extend(pictureSchema, {
  state: z.enum(pictureStates),
  reason: z.nullable(z.string()),
  isProfilePicture: z.boolean(),
  claimedAt: z.iso.datetime(),
  user: z.object({
    _id: z.string(),
    name: z.nullable(z.string()),
    age: z.nullable(z.int()),
    gender: z.nullable(z.string()),
  }),
});
export type QueuedPicture = z.output<typeof queuedPictureSchema>;

export const listQueuedPictures = endpoint({
  method: 'GET',
  path: '/admin/pictures',
  summary:
    'Pictures on profiles by state, for staff; pending unless asked otherwise, the longest waiting first. Audited.',
  access: 'staff',
  query: z.object({
    state: skippedWhenEmpty(z.enum(['pending', 'approved'])),
    ...pageQuery,
    cursor: z.optional(text(1, 256)),
  }),
  response: answer({
    data: z.object({
      pictures: z.array(queuedPictureSchema),
      pagination: z.pick(paginationSchema, { limit: true, total: true, totalIsExact: true, nextCursor: true }),
    }),
  }),
});

export const decidePicture = endpoint({
  method: 'POST',
  path: '/admin/pictures/{publicId}/decision',
  summary:
    'Approve a picture, or reject it with a reason that its owner reads. A rejected one leaves every profile and cannot be uploaded again. The same verdict twice changes nothing; a rejected picture stays so (409).',
  access: 'staff',
  params: z.object({ publicId: idSchema }),
  body: z.object({
    verdict: z.enum(['approved', 'rejected']),
    reason: z.optional(
      trimmedText(0, reasonMaxLength).check(
        z.refine(turnsNothing, 'Marks that turn the direction of text do not belong here'),
      ),
    ),
  }),
  response: answer({ data: z.object({ picture: queuedPictureSchema }) }),
  errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN'],
});

export const getMedia = endpoint({
  method: 'GET',
  path: '/media/{key}',
  summary:
    'The bytes of a picture, by an address that another answer gave (or, where pictures lie in a bucket, 302 to them). 401 without a true signature; 404 once it is too old, or the picture or the right to see it is gone.',
  access: 'everyone',
  params: z.object({ key: idSchema }),
  query: z.object({
    for: z.optional(idSchema),
    until: z.optional(z.string().check(z.regex(/^\d{1,12}$/, 'Not a time'))),
    sig: z.optional(z.string().check(z.regex(/^[\w-]{22}$/, 'Not a signature'))),
    report: z.optional(idSchema),
  }),
  streams: 'image/webp',
  errors: ['UNAUTHENTICATED', 'NOT_FOUND'],
});
