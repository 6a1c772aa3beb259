import * as z from 'zod/mini';
import { memberLimitMax } from './constants.ts';
import { answer, endpoint } from './endpoint.ts';
import { personSchema } from './profiles/user.ts';
import { idSchema, queryInteger, text, timeSchema } from './text.ts';

export const bookmarksMax = 200;

const userParams = z.object({ userId: idSchema });
const response = answer({ data: z.object({ isBookmarked: z.boolean() }) });

export const addBookmark = endpoint({
  method: 'PUT',
  path: '/bookmarks/{userId}',
  summary: 'Bookmark someone, to find them again. They never learn of it. Repeating changes nothing.',
  access: 'completed',
  writes: true,
  params: userParams,
  response,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_INPUT'],
});

export const removeBookmark = endpoint({
  method: 'DELETE',
  path: '/bookmarks/{userId}',
  summary: 'Remove a bookmark. Repeating changes nothing.',
  access: 'completed',
  writes: true,
  params: userParams,
  response,
  errors: ['FORBIDDEN', 'NOT_FOUND'],
});

const bookmarkSchema = z.object({ user: personSchema, bookmarkedAt: timeSchema });
export type BookmarkView = z.output<typeof bookmarkSchema>;

export const listBookmarks = endpoint({
  method: 'GET',
  path: '/bookmarks',
  summary: 'List the people I bookmarked and can still see, newest first.',
  access: 'completed',
  query: z.object({
    cursor: z.optional(text(1, 200)),
    limit: z.optional(queryInteger(1, memberLimitMax)),
  }),
  response: answer({ data: z.object({ bookmarks: z.array(bookmarkSchema), nextCursor: z.nullable(z.string()) }) }),
  errors: ['FORBIDDEN'],
});
