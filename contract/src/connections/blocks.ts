import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import { cursorQuery, paginationSchema } from '../paging.ts';
import { idSchema, timeSchema } from '../text.ts';

/** Someone I blocked; the name only while they are visible to members at all. */
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
