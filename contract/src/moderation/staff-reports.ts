import * as z from 'zod/mini';
import { reasonMaxLength } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { languageSchema } from '../languages.ts';
import { pageQuery, paginationSchema, sortOrders } from '../paging.ts';
import { searchText, skippedWhenEmpty, timeSchema, trimmedText } from '../text.ts';
import {
  ownReportSchema,
  type ReportPriority,
  replySchema,
  reportFields,
  reportParams,
  reportPriorities,
  type ReportStatus,
  reportStatuses,
  reportTextSchema,
  reportTypeSchema,
} from './reports.ts';

/** The colleague who is handling a case, and until when if they claimed it. */
export const leaseSchema = z.object({
  _id: z.nullable(z.string()),
  name: z.string(),
  until: z.nullable(timeSchema),
});

/** Response and decision times cover this many days, including today. */
export const responseTimesDays = 30;

/** The statuses that the filter `open` matches, and the priorities that `urgent` matches. */
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

/** Deadline for the first human response, in hours. */
export const answerWithinHours: Record<ReportPriority, number> = { critical: 1, high: 4, medium: 24, other: 72 };

/**
 * How a report came about: a member filed it, staff opened a case on their own initiative, a member answered what staff
 * wrote first, an automatic rule hit the person, or an outsider reported them.
 */
export const reportSources = ['notice', 'own_initiative', 'staff_message', 'automatic', 'outsider'] as const;
export type ReportSource = (typeof reportSources)[number];

/** Whether no member reads the answers, because the case was opened by staff, an automatic rule or an outsider. */
export const isWithoutReporter = (source: ReportSource): boolean =>
  source === 'own_initiative' || source === 'automatic' || source === 'outsider';

/** A person in a report for staff; `_id` is null once the account is deleted. */
export const reportPersonSchema = z.object({
  _id: z.nullable(z.string()),
  name: z.string(),
  email: z.nullable(z.string()),
  isActive: z.boolean(),
  /** The language that they read; missing in lists of people who can't be written to. */
  language: z.optional(languageSchema),
});

/** A report as staff see it. */
export const staffReportSchema = z.object({
  ...reportFields,
  user: reportPersonSchema,
  reportedUser: z.nullable(reportPersonSchema),
  /** The ISO 639-1 code of the language that the description seems to be in, outside lists; null if that is unsure. */
  language: z.optional(z.nullable(z.string())),
  mayBeMinor: z.boolean(),
  source: z.enum(reportSources),
  /** The content and types of other outsider reports in this report, the newest first, up to 50. */
  notices: z.optional(z.array(z.object({ type: z.string(), text: z.string(), at: timeSchema }))),
  /** The colleague who opened the case, or who wrote first and is assigned the answer; null for reports by members. */
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
export type StaffReport = z.output<typeof staffReportSchema>;
export type ReportPerson = z.output<typeof reportPersonSchema>;

export const reportSorts = ['createdAt', 'priority', 'dueAt'] as const;

export const reportFilters = {
  search: z.optional(searchText),
  /** `open`: pending or in progress. */
  status: skippedWhenEmpty(z.enum([...reportStatuses, 'open'])),
  problem_type: skippedWhenEmpty(reportTypeSchema),
  /** `urgent`: critical or high. */
  priority: skippedWhenEmpty(z.enum([...reportPriorities, 'urgent'])),
  /** Only those assigned to the caller. */
  assigned: skippedWhenEmpty(z.enum(['me'])),
};

export const listReports = endpoint({
  method: 'GET',
  path: '/reports/reports',
  summary:
    'List reports for staff: filtered, searched by text, short id and names, newest first by default. `dueAt` brings the longest overdue first.',
  access: 'reports.list',
  query: z.object({
    ...pageQuery,
    ...reportFilters,
    sortBy: skippedWhenEmpty(z.enum(reportSorts)),
    sortOrder: skippedWhenEmpty(z.enum(sortOrders)),
  }),
  response: answer({ data: z.object({ reports: z.array(staffReportSchema), pagination: paginationSchema }) }),
});

export const getReport = endpoint({
  method: 'GET',
  path: '/reports/report/{id}',
  summary: 'Get a report: my own, or any for staff. Access by staff is audited.',
  access: 'signedIn',
  params: reportParams,
  response: answer({ data: z.object({ report: z.union([staffReportSchema, ownReportSchema]) }) }),
  errors: ['NOT_FOUND'],
});

export const changeReportStatus = endpoint({
  method: 'PUT',
  path: '/reports/report/{id}/status',
  summary:
    "Change a report's status by one allowed step from its current status; the same status changes nothing. 409 while a colleague is handling its case, and if the outcome needs a decision with reasons. Audited.",
  access: 'reports.handle',
  writes: true,
  params: reportParams,
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
  params: reportParams,
  response: answer({ data: z.object({ report: staffReportSchema }) }),
  errors: ['NOT_FOUND', 'ILLEGAL_STEP'],
});

export const changeReport = endpoint({
  method: 'PATCH',
  path: '/admin/reports/{id}',
  summary: 'Change the priority of a report, with a reason; audited.',
  access: 'reports.handle',
  writes: true,
  params: reportParams,
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
  params: reportParams,
  response: answer({ data: z.object({ deleted: z.boolean() }) }),
  errors: ['NOT_FOUND'],
  stale: ['/reports/report/stats/statistics', '/admin/audit'],
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
  params: reportParams,
  body: z.object({ message: reportTextSchema, isInternal: z.optional(z.boolean()) }),
  response: answer({ data: z.object({ report: z.union([staffReportSchema, ownReportSchema]) }) }),
  errors: ['NOT_FOUND', 'INVALID_INPUT'],
  stale: ['/reports/reports', '/reports/report/stats/statistics', '/admin/audit'],
});

export const getReportConversation = endpoint({
  method: 'GET',
  path: '/reports/report/{id}/conversation',
  summary: 'Get the conversation of a report, oldest first, starting with its description.',
  access: 'signedIn',
  params: reportParams,
  response: answer({ data: z.object({ conversation: z.array(replySchema) }) }),
  errors: ['NOT_FOUND'],
});

export const getReportReplies = endpoint({
  method: 'GET',
  path: '/reports/report/{id}/replies',
  summary: 'List the replies to a report, oldest first.',
  access: 'signedIn',
  params: reportParams,
  response: answer({ data: z.object({ replies: z.array(replySchema) }) }),
  errors: ['NOT_FOUND'],
});
