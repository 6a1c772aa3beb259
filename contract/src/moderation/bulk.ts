import * as z from 'zod/mini';
import { bulkIdsMax, reasonMaxLength, reportTextMaxLength } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { userFilters } from '../profiles/staff.ts';
import { listedUserSchema } from '../profiles/user.ts';
import type { Permission } from '../roles.ts';
import { idSchema, timeSchema, trimmedText, uuidSchema, uuidSet } from '../text.ts';
import { filledText } from './templates.ts';
import { noteMaxLength } from './user-file.ts';

/** How many people can be chosen by filters. */
export const bulkPeopleMax = 10_000;
export const bulkExamples = 5;
/** How many failures a result names. */
export const bulkFailuresShown = 100;

/** What can be done with many people at once, and what each takes. None is a sanction. */
export const bulkKinds = {
  tag: 'users.note',
  untag: 'users.note',
  note: 'users.note',
  endSessions: 'users.secure',
  notice: 'cases.lead',
} as const satisfies Record<string, Permission>;
export type BulkKind = keyof typeof bulkKinds;
export const bulkKindNames = Object.keys(bulkKinds) as BulkKind[];

/** Why people are left out: the caller may not act on them, they are a colleague, or it is so already. */
export const bulkSkips = ['notAllowed', 'gone', 'staff', 'leaving', 'inactive', 'already'] as const;
export type BulkSkip = (typeof bulkSkips)[number];

/** A misspelt filter is refused, because without it everyone would be chosen. */
const selectionSchema = z.union([
  z.strictObject({ ids: uuidSet(bulkIdsMax) }),
  z.strictObject({ filters: z.strictObject(userFilters) }),
  /** The people that an act of mine changed, for undoing it. */
  z.strictObject({ changedBy: uuidSchema }),
]);
export type Selection = z.output<typeof selectionSchema>;

const actSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('tag'), tagId: uuidSchema }),
  z.object({ kind: z.literal('untag'), tagId: uuidSchema }),
  z.object({ kind: z.literal('note'), text: trimmedText(1, noteMaxLength) }),
  z.object({ kind: z.literal('endSessions') }),
  z.object({ kind: z.literal('notice'), text: filledText(reportTextMaxLength) }),
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
  errors: ['FORBIDDEN', 'INVALID_INPUT'],
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
    'Act on many people, one after another in the background; one event in the audit trail has all of them. 409 if no one is left to act on.',
  access: 'users.note',
  writes: true,
  status: 201,
  creates: true,
  body: z.object({ selection: selectionSchema, act: actSchema, reason: trimmedText(1, reasonMaxLength) }),
  response: oneAct.response,
  errors: ['FORBIDDEN', 'CONFLICT', 'INVALID_INPUT'],
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
