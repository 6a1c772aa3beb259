import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import type { Permission } from '../roles.ts';

/** What waits for staff, by kind, and the permission to list it. */
export const queueKinds = {
  cases: 'cases.list',
  appeals: 'cases.list',
  pictures: 'pictures.review',
  verification: 'pictures.review',
  notices: 'cases.list',
  secondLooks: 'cases.handle',
} as const satisfies Record<string, Permission>;
export type QueueKind = keyof typeof queueKinds;

/** The number up to which each kind is counted. */
export const queueCountMost = 100;

export const getQueue = endpoint({
  method: 'GET',
  path: '/admin/queue',
  summary:
    'Count what waits for staff by kind, each up to 100, second looks only up to one: of the kinds that my role may list, without what I am a party to or may not judge.',
  access: 'dashboard.view',
  response: answer({
    data: z.object({ counts: z.partialRecord(z.enum(Object.keys(queueKinds) as QueueKind[]), z.int()) }),
  }),
});
