import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { reportTextMaxLength } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { pageQuery, paginationSchema, sortOrders } from '../paging.ts';
import { idSchema, skippedWhenEmpty, timeSchema, trimmedText } from '../text.ts';
import { said } from '../said.ts';

export const reportTypes = [
  'Technical Issue',
  'Bug Report',
  'Inappropriate Content',
  'Harassment',
  'Account Issue',
  'Payment Problem',
  'Other',
] as const;
export type ReportType = (typeof reportTypes)[number];
/** The words for each type. */
export const reportTypeWords: Record<ReportType, MessageDescriptor> = {
  'Technical Issue': msg`Technical Issue`,
  'Bug Report': msg`Bug Report`,
  'Inappropriate Content': msg`Inappropriate Content`,
  Harassment: msg`Harassment`,
  'Account Issue': msg`Account Issue`,
  'Payment Problem': msg`Payment Problem`,
  Other: msg`Other`,
};

/** From most to least urgent. */
export const reportPriorities = ['critical', 'high', 'medium', 'other'] as const;
export type ReportPriority = (typeof reportPriorities)[number];

export const reportStatuses = ['pending', 'in_progress', 'resolved', 'closed', 'rejected'] as const;
export type ReportStatus = (typeof reportStatuses)[number];

/** The initial priority of a type. */
export const priorityOfType: Record<ReportType, ReportPriority> = {
  'Technical Issue': 'other',
  'Bug Report': 'other',
  'Inappropriate Content': 'high',
  Harassment: 'high',
  'Account Issue': 'medium',
  'Payment Problem': 'high',
  Other: 'other',
};

export const replySchema = z.object({
  _id: z.string(),
  message: z.string(),
  /** An internal note, which members never receive. */
  isInternal: z.boolean(),
  /** Members see staff as 'Support team'. */
  repliedBy: z.object({ name: z.string() }),
  repliedAt: timeSchema,
});

export type ReportReply = z.output<typeof replySchema>;

/** What both the reporter and staff see of a report. */
export const reportFields = {
  _id: z.string(),
  problem_type: z.enum(reportTypes),
  description: z.string(),
  priority: z.enum(reportPriorities),
  status: z.enum(reportStatuses),
  createdAt: timeSchema,
  updatedAt: timeSchema,
  /** The newest fifty, oldest first. */
  replies: z.array(replySchema),
  /** The number of replies without internal notes. */
  replyCount: z.int(),
};

/**
 * A report as its reporter sees it. The priority is the initial one, because later changes could reveal something about
 * others.
 */
export const ownReportSchema = z.object({
  ...reportFields,
  user: z.object({ _id: z.string(), name: z.string(), email: z.string() }),
  /** The reported person, with the name that the reporter could see at the time. */
  reportedUser: z.nullable(z.object({ _id: z.string(), name: z.nullable(z.string()) })),
  /** Whether there is an update the reporter hasn't seen. */
  isUnread: z.boolean(),
  /** The team wrote first: the description is theirs. */
  isFromTeam: z.boolean(),
});

export type OwnReport = z.output<typeof ownReportSchema>;

/** The id in the address of one report. */
export const reportParams = z.object({ id: idSchema });
/** The type of a report. */
export const reportTypeSchema = z.enum(reportTypes, said(msg`Choose one of the types`));
/** The text of a report or a reply. */
export const reportTextSchema = trimmedText(1, reportTextMaxLength);

/**
 * What a report is about: a person by id, a picture by the `publicId` the reporter sees, a conversation by its match
 * id, one message by its sequence number, or the note of a like by its sender's id.
 */
const evidenceReference = z.object({
  type: z.enum(['profile', 'picture', 'message', 'note']),
  id: idSchema,
  /** The message's sequence number; without it the report is about the whole conversation. */
  seq: z.optional(z.int().check(z.minimum(1), z.maximum(2_147_483_647))),
});
const mostEvidence = 20;

export const createReport = endpoint({
  method: 'POST',
  path: '/reports/create-reports',
  summary:
    'Report a problem, a person, or messages; without an id the conversation identifies the person. Evidence is copied as it is; unless declined, the two no longer see each other.',
  access: 'signedIn',
  writes: true,
  status: 201,
  creates: true,
  limit: 'report',
  body: z.object({
    problem_type: reportTypeSchema,
    description: reportTextSchema,
    reportedUser: z.optional(z.nullable(idSchema)),
    evidence: z.optional(z.array(evidenceReference).check(z.maxLength(mostEvidence))),
    mayBeMinor: z.optional(z.boolean()),
    hideFromEachOther: z.optional(z.boolean()),
  }),
  response: answer({ data: z.object({ report: ownReportSchema }) }),
  errors: ['INVALID_INPUT'],
});

export const listMyReports = endpoint({
  method: 'GET',
  path: '/reports/my-reports',
  summary: 'List my reports, newest first, with the number of unread ones.',
  access: 'signedIn',
  query: z.object({
    ...pageQuery,
    problem_type: skippedWhenEmpty(reportTypeSchema),
    status: skippedWhenEmpty(z.enum(reportStatuses)),
    sortBy: skippedWhenEmpty(z.enum(['createdAt'])),
    sortOrder: skippedWhenEmpty(z.enum(sortOrders)),
  }),
  response: answer({
    data: z.object({ reports: z.array(ownReportSchema), pagination: paginationSchema, unread: z.int() }),
  }),
});

export const markReportRead = endpoint({
  method: 'POST',
  path: '/reports/report/{id}/read',
  summary: 'Mark my report as read.',
  access: 'signedIn',
  writes: true,
  params: reportParams,
  response: answer({ data: z.object({ report: ownReportSchema }) }),
  errors: ['NOT_FOUND'],
});
