import * as z from 'zod/mini';
import { reasonMaxLength } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { pictureSchema, pictureStates } from '../media.ts';
import { pageQuery, paginationSchema } from '../paging.ts';
import { idSchema, skippedWhenEmpty, text, timeSchema, trimmedText } from '../text.ts';

/** What our own check finds in a new picture: a QR code, or similarity to a picture that was removed. */
export const pictureLabels = ['qrCode', 'likeRemoved'] as const;
export type PictureLabel = (typeof pictureLabels)[number];

/** A picture as staff see it in the review queue, with what automatic checks found: reasons to look closer, never decisions. */
export const queuedPictureSchema = z.extend(pictureSchema, {
  state: z.enum(pictureStates),
  reason: z.nullable(z.string()),
  isProfilePicture: z.boolean(),
  claimedAt: timeSchema,
  labels: z.array(z.enum(pictureLabels)),
  /** What the operator's external check returned, in its words. */
  externalLabels: z.array(z.string()),
  /** Some of the other people with the same picture on their profile, without those the viewer may not act on. */
  alsoOn: z.array(z.object({ _id: z.string(), name: z.nullable(z.string()) })),
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
  summary: 'List pictures by state, for staff; pending by default, longest waiting first. Audited.',
  access: 'pictures.review',
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
    "Approve a picture, or reject it with a reason the owner can read. A rejected picture is removed and its owner can't upload it again; with `fromEveryone`, which takes a role that may ban (403), no one can. The same verdict twice changes nothing; a rejected picture stays so (409). Audited.",
  access: 'pictures.review',
  writes: true,
  params: z.object({ publicId: idSchema }),
  body: z.object({
    verdict: z.enum(['approved', 'rejected']),
    reason: z.optional(trimmedText(0, reasonMaxLength)),
    /** Refuses a rejected picture and similar ones from everyone. */
    fromEveryone: z.optional(z.boolean()),
  }),
  response: answer({ data: z.object({ picture: queuedPictureSchema }) }),
  errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN'],
  stale: ['/admin/queue', '/admin/audit'],
});
