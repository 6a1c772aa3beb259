import { likeNoteMaxLength } from './constants.ts';
import { answer, endpoint } from './endpoint.ts';
import { pictureSchema } from './media.ts';
import { cursorQuery, paginationSchema } from './paging.ts';
import { choiceSchema } from './profiles/profile-details.ts';
import { personSchema } from './profiles/user.ts';
import { idSchema, timeSchema, trimmedText } from './text.ts';
import * as z from 'zod/mini';

/** The part of a profile a like is about: a picture (by its public id for others) or a prompt. */
export const likedPartSchema = z.union([
  z.object({ kind: z.literal('picture'), publicId: idSchema }),
  z.object({ kind: z.literal('prompt'), prompt: choiceSchema }),
]);
export type LikedPart = z.output<typeof likedPartSchema>;

/** The liked part as others see it now. */
export const shownPartSchema = z.union([
  z.object({ kind: z.literal('picture'), picture: pictureSchema }),
  z.object({ kind: z.literal('prompt'), prompt: z.string(), answer: z.string() }),
]);
export type ShownPart = z.output<typeof shownPartSchema>;

/** How many likes a free member has left today; null without a limit. */
const remainingLikes = z.nullable(z.int());

const userParams = z.object({ userId: idSchema });

export const likeUser = endpoint({
  method: 'POST',
  path: '/likes/{userId}',
  summary:
    'Like someone, optionally with a note about one part of their profile. Mutual likes create exactly one match.',
  access: 'completed',
  writes: true,
  status: 201,
  creates: true,
  params: userParams,
  body: z.object({ note: z.optional(trimmedText(0, likeNoteMaxLength)), on: z.optional(likedPartSchema) }),
  response: answer({
    data: z.object({ outcome: z.enum(['sent', 'matched']), matchId: z.optional(z.string()), remainingLikes }),
  }),
  errors: [
    'FORBIDDEN',
    'NOT_FOUND',
    'LIKES_USED_UP',
    'PHOTO_VERIFICATION_REQUIRED',
    'AGE_ASSURANCE_REQUIRED',
    'CONFLICT',
  ],
});

export const withdrawLike = endpoint({
  method: 'DELETE',
  path: '/likes/{userId}',
  summary: "Withdraw a like that isn't a match yet. It still counts towards the daily limit.",
  access: 'completed',
  writes: true,
  params: userParams,
  response: answer({ data: z.object({ withdrawn: z.boolean(), remainingLikes }) }),
  errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
});

export const passUser = endpoint({
  method: 'POST',
  path: '/passes/{userId}',
  summary: 'Pass on someone; they never learn of it.',
  access: 'completed',
  writes: true,
  status: 201,
  creates: true,
  params: userParams,
  response: answer({ data: z.object({ outcome: z.literal('passed') }) }),
  errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
});

export const undoDecision = endpoint({
  method: 'POST',
  path: '/discovery/undo',
  summary:
    'Undo my last decision; with premium any of the last day. A like still counts towards the daily limit. 409 once it is a match.',
  access: 'completed',
  writes: true,
  body: z.object({ userId: z.optional(idSchema) }),
  response: answer({ data: z.object({ userId: z.string(), was: z.enum(['like', 'pass']), remainingLikes }) }),
  errors: ['FORBIDDEN', 'NOT_FOUND', 'PREMIUM_REQUIRED', 'CONFLICT'],
});

const receivedLikeSchema = z.object({
  user: personSchema,
  note: z.nullable(z.string()),
  on: z.nullable(likedPartSchema),
  /** What the like is about, as it is now on my profile; null if nothing was chosen or it was removed. */
  part: z.nullable(shownPartSchema),
  likedAt: timeSchema,
});

export type ReceivedLike = z.output<typeof receivedLikeSchema>;

export const likesReceived = endpoint({
  method: 'GET',
  path: '/likes/received',
  summary:
    'Likes I received: with premium the people waiting for my decision, newest first; otherwise their number and abstract patterns.',
  access: 'completed',
  query: z.object(cursorQuery),
  response: answer({
    data: z.object({
      /** With premium: the pending likes. Without: everyone who likes me and isn't a match, counted up to 1,000. */
      count: z.int(),
      /** Seeds for abstract patterns, unrelated to anyone's picture; empty with premium. */
      patterns: z.array(z.int()),
      likes: z.array(receivedLikeSchema),
      pagination: paginationSchema,
    }),
  }),
  errors: ['FORBIDDEN'],
});

const sentLikeSchema = z.object({ user: personSchema, note: z.nullable(z.string()), likedAt: timeSchema });

export type SentLike = z.output<typeof sentLikeSchema>;

export const likesSent = endpoint({
  method: 'GET',
  path: '/likes/sent',
  summary: "List the people I liked who haven't liked me back, newest first.",
  access: 'completed',
  query: z.object(cursorQuery),
  response: answer({
    data: z.object({ likes: z.array(sentLikeSchema), pagination: paginationSchema, remainingLikes }),
  }),
  errors: ['FORBIDDEN'],
});

export const matchSchema = z.object({
  _id: z.string(),
  user: personSchema,
  matchedAt: timeSchema,
  /** The note each person wrote with their like; null without a note. */
  myNote: z.nullable(z.string()),
  theirNote: z.nullable(z.string()),
});

export type MatchView = z.output<typeof matchSchema>;

export const listMatches = endpoint({
  method: 'GET',
  path: '/matches',
  summary: 'List my matches, newest first.',
  access: 'completed',
  query: z.object(cursorQuery),
  response: answer({ data: z.object({ matches: z.array(matchSchema), pagination: paginationSchema }) }),
  errors: ['FORBIDDEN'],
});

export const unmatchUser = endpoint({
  method: 'DELETE',
  path: '/matches/{id}',
  summary: 'End a match for both, silently and for good.',
  access: 'completed',
  writes: true,
  params: z.object({ id: idSchema }),
  response: answer({ data: z.object({ unmatched: z.boolean() }) }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
});

/** Someone I blocked; the name is included only while they are visible to members at all. */
const blockSchema = z.object({
  user: z.object({ _id: z.string(), name: z.nullable(z.string()), profilePicture: z.nullable(z.string()) }),
  blockedAt: timeSchema,
});

export type BlockView = z.output<typeof blockSchema>;

export const blockUser = endpoint({
  method: 'POST',
  path: '/blocks/{userId}',
  summary:
    'Block someone: silently hides both from each other. The response is the same whether or not the person exists.',
  access: 'signedIn',
  writes: true,
  status: 201,
  creates: true,
  limit: 'block',
  params: z.object({ userId: idSchema }),
  response: answer({ data: z.object({ blocked: z.boolean() }) }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
});

export const unblockUser = endpoint({
  method: 'DELETE',
  path: '/blocks/{userId}',
  summary: 'Unblock someone. Their block of me, if any, stays.',
  access: 'signedIn',
  writes: true,
  params: z.object({ userId: idSchema }),
  response: answer({ data: z.object({ blocked: z.boolean() }) }),
  errors: ['FORBIDDEN', 'NOT_FOUND'],
});

export const listBlocks = endpoint({
  method: 'GET',
  path: '/blocks',
  summary: 'List the people I blocked, newest first.',
  access: 'signedIn',
  query: z.object(cursorQuery),
  response: answer({ data: z.object({ blocks: z.array(blockSchema), pagination: paginationSchema }) }),
  errors: ['FORBIDDEN'],
});
