import * as z from 'zod/mini';
import { bulkIdsMax, reasonMaxLength, reportTextMaxLength } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { approvalSchema } from '../profiles/approvals.ts';
import { keptUserFilters, userFilters } from '../profiles/staff.ts';
import { listedUserSchema } from '../profiles/user.ts';
import type { Permission } from '../roles.ts';
import { idSchema, timeSchema, trimmedText, uuidSchema, uuidSet } from '../text.ts';
import { filledText } from './templates.ts';
import { noteMaxLength } from './user-file.ts';

/** How many people can be selected by filters. */
export const bulkPeopleMax = 10_000;
export const bulkExamples = 5;
/** How many failures a result lists by name. */
export const bulkFailuresShown = 100;

/** How many people one person can message in bulk within 24 hours without a second person. */
export const messageAloneMax = 100;
/** How long after its approval a bulk message starts; until then it can be canceled. */
export const messageWaitsMinutes = 10;

/** The acts that can be performed on many people at once, and the permission each requires. None is a sanction. */
export const bulkKinds = {
  tag: 'users.note',
  untag: 'users.note',
  note: 'users.note',
  endSessions: 'users.secure',
  notice: 'cases.lead',
  takeBack: 'cases.lead',
} as const satisfies Record<string, Permission>;
export type BulkKind = keyof typeof bulkKinds;
export const bulkKindNames = Object.keys(bulkKinds) as BulkKind[];

/** Why people are left out: the caller may not act on them, they are a colleague, or nothing would change. */
export const bulkSkips = ['notAllowed', 'gone', 'staff', 'leaving', 'inactive', 'already'] as const;
export type BulkSkip = (typeof bulkSkips)[number];

/** A misspelt filter is rejected, because without it everyone would be selected. */
const selectionSchema = z.union([
  z.strictObject({ ids: uuidSet(bulkIdsMax) }),
  z.strictObject({ filters: z.strictObject(userFilters) }),
  /** The people that an act of mine changed, for undoing it. */
  z.strictObject({ changedBy: uuidSchema }),
]);
export type Selection = z.output<typeof selectionSchema>;

const messageSchema = z.object({ kind: z.literal('notice'), text: filledText(reportTextMaxLength) });

const actSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('tag'), tagId: uuidSchema }),
  z.object({ kind: z.literal('untag'), tagId: uuidSchema }),
  z.object({ kind: z.literal('note'), text: trimmedText(1, noteMaxLength) }),
  z.object({ kind: z.literal('endSessions') }),
  messageSchema,
  /** Deletes the messages of an act of mine that are unread; the selection is the people it changed. */
  z.object({ kind: z.literal('takeBack') }),
]);
export type BulkAct = z.output<typeof actSchema>;

export const previewBulk = endpoint({
  method: 'POST',
  path: '/admin/users/bulk/preview',
  summary:
    'Say which people an act on many would affect: how many, five examples, and how many are left out for which reason. Acts need the permission of their kind.',
  access: 'users.note',
  writes: true,
  body: z.object({ selection: selectionSchema, kind: z.enum(bulkKindNames), tagId: z.optional(uuidSchema) }),
  response: answer({
    data: z.object({
      total: z.int(),
      fitting: z.int(),
      examples: z.array(listedUserSchema),
      skipped: z.array(z.object({ why: z.enum(bulkSkips), count: z.int() })),
    }),
  }),
  errors: ['FORBIDDEN', 'CONFLICT', 'INVALID_INPUT'],
});

export const bulkStates = ['running', 'done', 'canceled'] as const;

const bulkProgressSchema = z.object({
  _id: z.string(),
  kind: z.enum(bulkKindNames),
  state: z.enum(bulkStates),
  total: z.int(),
  done: z.int(),
  failed: z.int(),
  /** The tag that was given or taken. */
  tagId: z.optional(z.string()),
  startedAt: timeSchema,
  /** When the act starts, if not at once. */
  startsAt: z.optional(timeSchema),
  /** The first hundred people it failed for, and why. */
  failures: z.array(z.object({ _id: z.string(), name: z.nullable(z.string()), problem: z.string() })),
});
export type BulkProgress = z.output<typeof bulkProgressSchema>;

const oneAct = {
  params: z.object({ id: idSchema }),
  response: answer({ data: z.object({ act: bulkProgressSchema }) }),
};

export const startBulk = endpoint({
  method: 'POST',
  path: '/admin/users/bulk',
  summary:
    'Act on many people, one after another in the background; one event in the audit trail has all of them. 409 if no one is left to act on. Messages to more than 100 people within 24 hours need an approval.',
  access: 'users.note',
  writes: true,
  status: 201,
  creates: true,
  body: z.object({ selection: selectionSchema, act: actSchema, reason: trimmedText(1, reasonMaxLength) }),
  response: oneAct.response,
  errors: ['FORBIDDEN', 'CONFLICT', 'INVALID_INPUT', 'APPROVAL_REQUIRED'],
  stale: ['/auth/users', '/admin/users/{id}/file', '/admin/tags'],
});

export const requestBulkApproval = endpoint({
  method: 'POST',
  path: '/admin/users/bulk/approvals',
  summary:
    'Ask an administrator to approve a message to many people. They are emailed; if there is none, it can be sent after 24 hours, which is emailed to me. 409 while five requests of mine are open, or an equal one. Audited.',
  access: 'cases.lead',
  writes: true,
  status: 201,
  creates: true,
  body: z.object({
    selection: z.union([
      z.strictObject({ ids: uuidSet(bulkIdsMax) }),
      z.strictObject({ filters: keptUserFilters }),
      z.strictObject({ changedBy: uuidSchema }),
    ]),
    act: messageSchema,
    reason: trimmedText(1, reasonMaxLength),
  }),
  response: answer({ data: z.object({ approval: approvalSchema }) }),
  errors: ['FORBIDDEN', 'CONFLICT', 'INVALID_INPUT'],
});

export const sendApproved = endpoint({
  method: 'POST',
  path: '/admin/approvals/{id}/send',
  summary:
    'Send the message to many people that was approved, once: it starts ten minutes later (`startsAt`), and can be canceled until then. 404 for requests of others; 409 unless it can be used.',
  access: 'cases.lead',
  writes: true,
  status: 201,
  creates: true,
  ...oneAct,
  errors: ['NOT_FOUND', 'CONFLICT'],
});

export const getBulkAct = endpoint({
  method: 'GET',
  path: '/admin/bulk-acts/{id}',
  summary: 'Get how far an act of mine on many people has come, and for which people it failed.',
  access: 'users.note',
  ...oneAct,
  errors: ['NOT_FOUND'],
});

export const cancelBulk = endpoint({
  method: 'POST',
  path: '/admin/bulk-acts/{id}/cancel',
  summary: 'Stop an act of mine on many people. What is done stays done, and is counted in the audit trail.',
  access: 'users.note',
  writes: true,
  ...oneAct,
  errors: ['NOT_FOUND'],
});
