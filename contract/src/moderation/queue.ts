import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import type { Permission } from '../roles.ts';

/** The kinds of work that wait for staff, in the order of their tabs: the page of each, and the permissions to list it and to decide it. */
export const queueKinds = {
  cases: { text: msg`Cases`, path: '/cases', list: 'cases.list', decide: 'cases.handle' },
  appeals: { text: msg`Appeals`, path: '/appeals', list: 'cases.list', decide: 'appeals.decide' },
  pictures: { text: msg`Pictures`, path: '/queue/pictures', list: 'pictures.review', decide: 'pictures.review' },
  verification: {
    text: msg`Verification`,
    path: '/queue/verification',
    list: 'pictures.review',
    decide: 'pictures.review',
  },
  notices: { text: msg`Notices`, path: '/cases/notices', list: 'cases.list', decide: 'cases.handle' },
  secondLooks: { text: msg`Second looks`, path: '/second-looks', list: 'cases.handle', decide: 'cases.handle' },
} satisfies Record<string, { text: MessageDescriptor; path: string; list: Permission; decide: Permission }>;
export type QueueKind = keyof typeof queueKinds;
export const queueKindNames = Object.keys(queueKinds) as QueueKind[];

/** The highest number that is counted for each kind. */
export const queueCountMost = 100;

export const getQueue = endpoint({
  method: 'GET',
  path: '/admin/queue',
  summary:
    'Count what waits for staff by kind, each up to 100, second looks only up to one: of the kinds that my role may list, without what I am a party to or may not judge.',
  access: 'dashboard.view',
  response: answer({
    data: z.object({ counts: z.partialRecord(z.enum(queueKindNames), z.int()) }),
  }),
});
