import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import type { Permission } from '../roles.ts';

/** The kinds of work that wait for staff, and the permission to list each. */
export const queueKinds = {
  cases: 'cases.list',
  appeals: 'cases.list',
  pictures: 'pictures.review',
  verification: 'pictures.review',
  notices: 'cases.list',
  secondLooks: 'cases.handle',
} as const satisfies Record<string, Permission>;
export type QueueKind = keyof typeof queueKinds;

/** The permission to decide what waits, where more may list it. */
export const queueActs: Record<QueueKind, Permission> = {
  ...queueKinds,
  cases: 'cases.handle',
  appeals: 'appeals.decide',
  notices: 'cases.handle',
};

/** The highest number that is counted for each kind. */
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
