import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { reasonMaxLength, reportTextMaxLength } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { languageSchema } from '../languages.ts';
import { pageQuery, paginationSchema, sortOrders } from '../paging.ts';
import { idSchema, searchText, skippedWhenEmpty, timeSchema, trimmedText } from '../text.ts';
import { said } from '../said.ts';

/** The colleague who is handling a case, and until when if they claimed it. */
export const holderSchema = z.object({
  _id: z.nullable(z.string()),
  name: z.string(),
  until: z.nullable(timeSchema),
});

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

/** Response and decision times cover this many days, including today. */
export const responseTimesDays = 30;

export const reportStatuses = ['pending', 'in_progress', 'resolved', 'closed', 'rejected'] as const;
export type ReportStatus = (typeof reportStatuses)[number];

/** The statuses that a filter by `open` finds, and the priorities that one by `urgent` finds. */
export const openStatuses: readonly ReportStatus[] = ['pending', 'in_progress'];
export const urgentPriorities: readonly ReportPriority[] = ['critical', 'high'];

/** The statuses a report may change to from each status. */
export const reportTransitions: Record<ReportStatus, readonly ReportStatus[]> = {
  pending: ['in_progress', 'resolved', 'closed', 'rejected'],
  in_progress: ['resolved', 'closed', 'rejected', 'pending'],
  resolved: ['closed', 'in_progress'],
  closed: ['in_progress'],
  rejected: ['closed', 'in_progress'],
};

/** Whether a report may go from one status to another. */
export function mayBecome(from: ReportStatus, to: ReportStatus): boolean {
  return reportTransitions[from].includes(to);
}

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

/** Deadline for the first human response, in hours. */
export const answerWithinHours: Record<ReportPriority, number> = { critical: 1, high: 4, medium: 24, other: 72 };

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

/**
 * How a report came about: a member filed it, staff opened a case on their own initiative, a member answered what staff
 * wrote first, an automatic rule hit the person, or someone who is not a member sent a notice.
 */
export const reportSources = ['notice', 'own_initiative', 'staff_message', 'automatic', 'outsider'] as const;
export type ReportSource = (typeof reportSources)[number];

/** Whether no member reads the answers, because staff, an automatic rule or someone who is not a member opened the case. */
export const isWithoutReporter = (source: ReportSource): boolean =>
  source === 'own_initiative' || source === 'automatic' || source === 'outsider';

const sharedFields = {
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
  ...sharedFields,
  user: z.object({ _id: z.string(), name: z.string(), email: z.string() }),
  /** The reported person, with the name that the reporter could see at the time. */
  reportedUser: z.nullable(z.object({ _id: z.string(), name: z.nullable(z.string()) })),
  /** Whether there is an update the reporter hasn't seen. */
  isUnread: z.boolean(),
  /** The team wrote first: the description is theirs. */
  isFromTeam: z.boolean(),
});

/** A person in a report for staff; `_id` is null once the account is deleted. */
export const reportPersonSchema = z.object({
  _id: z.nullable(z.string()),
  name: z.string(),
  email: z.nullable(z.string()),
  isActive: z.boolean(),
  /** The language that they read; left out of lists of people to whom no one writes. */
  language: z.optional(languageSchema),
});

/** A report as staff see it. */
export const staffReportSchema = z.object({
  ...sharedFields,
  user: reportPersonSchema,
  reportedUser: z.nullable(reportPersonSchema),
  /** The ISO 639-1 code of the language that the description seems to be in, outside lists; null if that is unsure. */
  language: z.optional(z.nullable(z.string())),
  mayBeMinor: z.boolean(),
  source: z.enum(reportSources),
  /** What other notices from outside in this report say, with their types, the newest first, up to 50. */
  notices: z.optional(z.array(z.object({ type: z.string(), text: z.string(), at: timeSchema }))),
  /** The colleague who opened the case, or who wrote first, to whom the answer is assigned; null for what a member filed. */
  openedBy: z.nullable(z.object({ _id: z.string(), name: z.string() })),
  /** When the first human response is due. */
  dueAt: timeSchema,
  /** There has been no human response yet, and the deadline has passed. */
  isOverdue: z.boolean(),
  firstRespondedAt: z.nullable(timeSchema),
  /** The reporter wrote the last public reply. */
  awaitsStaff: z.boolean(),
  /** The case of the reported person; absent if there is none. */
  case: z.optional(
    z.object({
      _id: z.string(),
      /** The colleague who is handling it right now. */
      handledBy: z.nullable(z.string()),
      /** Why one click can't resolve or reject the report; null if it can. */
      needsDecision: z.nullable(z.string()),
    }),
  ),
  can: z.object({
    /** The statuses that the report may change to. */
    status: z.array(z.enum(reportStatuses)),
    delete: z.boolean(),
    /** Until when the caller can undo their last change. */
    undoUntil: z.nullable(timeSchema),
  }),
});

export type OwnReport = z.output<typeof ownReportSchema>;
export type StaffReport = z.output<typeof staffReportSchema>;
export type ReportPerson = z.output<typeof reportPersonSchema>;

const oneReport = z.object({ id: idSchema });
const typeSchema = z.enum(reportTypes, said(msg`Choose one of the types`));
const reportText = trimmedText(1, reportTextMaxLength);

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
    problem_type: typeSchema,
    description: reportText,
    reportedUser: z.optional(z.nullable(idSchema)),
    evidence: z.optional(z.array(evidenceReference).check(z.maxLength(mostEvidence))),
    mayBeMinor: z.optional(z.boolean()),
    hideFromEachOther: z.optional(z.boolean()),
  }),
  response: answer({ data: z.object({ report: ownReportSchema }) }),
  errors: ['INVALID_INPUT'],
});

export const reportSorts = ['createdAt', 'priority', 'dueAt'] as const;

export const listReports = endpoint({
  method: 'GET',
  path: '/reports/reports',
  summary:
    'List reports for staff: filtered, searched by text, short id and names, newest first by default. `dueAt` brings the longest overdue first.',
  access: 'reports.list',
  query: z.object({
    ...pageQuery,
    problem_type: skippedWhenEmpty(typeSchema),
    /** `open`: pending or in progress. */
    status: skippedWhenEmpty(z.enum([...reportStatuses, 'open'])),
    /** `urgent`: critical or high. */
    priority: skippedWhenEmpty(z.enum([...reportPriorities, 'urgent'])),
    /** Only those assigned to the caller. */
    assigned: skippedWhenEmpty(z.enum(['me'])),
    search: z.optional(searchText),
    sortBy: skippedWhenEmpty(z.enum(reportSorts)),
    sortOrder: skippedWhenEmpty(z.enum(sortOrders)),
  }),
  response: answer({ data: z.object({ reports: z.array(staffReportSchema), pagination: paginationSchema }) }),
});

export const listMyReports = endpoint({
  method: 'GET',
  path: '/reports/my-reports',
  summary: 'List my reports, newest first, with the number of unread ones.',
  access: 'signedIn',
  query: z.object({
    ...pageQuery,
    problem_type: skippedWhenEmpty(typeSchema),
    status: skippedWhenEmpty(z.enum(reportStatuses)),
    sortBy: skippedWhenEmpty(z.enum(['createdAt'])),
    sortOrder: skippedWhenEmpty(z.enum(sortOrders)),
  }),
  response: answer({
    data: z.object({ reports: z.array(ownReportSchema), pagination: paginationSchema, unread: z.int() }),
  }),
});

export const getReport = endpoint({
  method: 'GET',
  path: '/reports/report/{id}',
  summary: 'Get a report: my own, or any for staff. Access by staff is audited.',
  access: 'signedIn',
  params: oneReport,
  response: answer({ data: z.object({ report: z.union([staffReportSchema, ownReportSchema]) }) }),
  errors: ['NOT_FOUND'],
});

export const markReportRead = endpoint({
  method: 'POST',
  path: '/reports/report/{id}/read',
  summary: 'Mark my report as read.',
  access: 'signedIn',
  writes: true,
  params: oneReport,
  response: answer({ data: z.object({ report: ownReportSchema }) }),
  errors: ['NOT_FOUND'],
});

export const changeReportStatus = endpoint({
  method: 'PUT',
  path: '/reports/report/{id}/status',
  summary:
    "Change a report's status by one allowed step from its current status; the same status changes nothing. 409 while a colleague is handling its case, and if the outcome needs a decision with reasons. Audited.",
  access: 'reports.handle',
  writes: true,
  params: oneReport,
  body: z.object({ status: z.enum(reportStatuses) }),
  response: answer({ data: z.object({ report: staffReportSchema }) }),
  errors: ['NOT_FOUND', 'ILLEGAL_STEP', 'CASE_CLAIMED', 'DECISION_REQUIRED'],
});

export const undoReportStatus = endpoint({
  method: 'POST',
  path: '/admin/reports/{id}/undo',
  summary: 'Undo my last status change of a report within ten seconds; audited.',
  access: 'reports.handle',
  writes: true,
  params: oneReport,
  response: answer({ data: z.object({ report: staffReportSchema }) }),
  errors: ['NOT_FOUND', 'ILLEGAL_STEP'],
});

export const changeReport = endpoint({
  method: 'PATCH',
  path: '/admin/reports/{id}',
  summary: 'Change the priority of a report, with a reason; audited.',
  access: 'reports.handle',
  writes: true,
  params: oneReport,
  body: z.object({ priority: z.enum(reportPriorities), reason: trimmedText(1, reasonMaxLength) }),
  response: answer({ data: z.object({ report: staffReportSchema }) }),
  errors: ['NOT_FOUND'],
});

export const deleteReport = endpoint({
  method: 'DELETE',
  path: '/reports/delete-report/{id}',
  summary: 'Delete a report from all lists; its data is kept. Audited.',
  access: 'reports.delete',
  writes: true,
  params: oneReport,
  response: answer({ data: z.object({ deleted: z.boolean() }) }),
  errors: ['NOT_FOUND'],
});

export const getReportStatistics = endpoint({
  method: 'GET',
  path: '/reports/report/stats/statistics',
  summary: 'Report statistics, from maintained counters.',
  access: 'reports.list',
  response: answer({
    data: z.object({
      total: z.int(),
      pending: z.int(),
      inProgress: z.int(),
      resolved: z.int(),
      closed: z.int(),
      rejected: z.int(),
      /** Reports of critical and high priority, in every status. */
      highPriority: z.int(),
      /** Of these, the reports that are pending or in progress. */
      openHighPriority: z.int(),
      byType: z.record(z.string(), z.int()),
      byPriority: z.record(z.string(), z.int()),
      /** The number of days, including today, for which first responses are timed. */
      responseDays: z.int(),
      /** Readable text such as "3h 12m"; absent if nothing was answered in those days. */
      avgResponseTime: z.optional(z.string()),
      avgResponseMs: z.nullable(z.int()),
      /** At most 5 % inaccurate, because it is computed from a histogram. */
      medianResponseMs: z.nullable(z.int()),
      p90ResponseMs: z.nullable(z.int()),
    }),
  }),
});

export const replyToReport = endpoint({
  method: 'POST',
  path: '/reports/report/{id}/reply',
  summary:
    "Reply to a report, as its reporter or staff; only staff can leave internal notes. Replies don't change the status.",
  access: 'signedIn',
  writes: true,
  status: 201,
  creates: true,
  limit: 'reportReply',
  params: oneReport,
  body: z.object({ message: reportText, isInternal: z.optional(z.boolean()) }),
  response: answer({ data: z.object({ report: z.union([staffReportSchema, ownReportSchema]) }) }),
  errors: ['NOT_FOUND', 'INVALID_INPUT'],
});

export const getReportConversation = endpoint({
  method: 'GET',
  path: '/reports/report/{id}/conversation',
  summary: 'Get the conversation of a report, oldest first, starting with its description.',
  access: 'signedIn',
  params: oneReport,
  response: answer({ data: z.object({ conversation: z.array(replySchema) }) }),
  errors: ['NOT_FOUND'],
});

export const getReportReplies = endpoint({
  method: 'GET',
  path: '/reports/report/{id}/replies',
  summary: 'List the replies to a report, oldest first.',
  access: 'signedIn',
  params: oneReport,
  response: answer({ data: z.object({ replies: z.array(replySchema) }) }),
  errors: ['NOT_FOUND'],
});
