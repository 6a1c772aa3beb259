import type { AnswerOf } from '#contract/endpoint.ts';
import { paginate } from '#contract/paging.ts';
import {
  type Evidence,
  type FrozenMessage,
  type ReportHistory,
  type ReportLine,
  type ReportReply,
  reportTransitions,
  type StaffReport,
  type TimelineEntry,
} from '#contract/report.ts';
import { type getReportFile, getReportStatistics, listReports } from '#contract/reports.ts';
import { serve } from './fake-server.ts';

const filedAt = '2025-10-18T09:00:00.000Z';

/** A pending report about somebody, by Ada; `can` follows the status unless said otherwise. */
export function staffReport(changes: Partial<StaffReport> = {}): StaffReport {
  const status = changes.status ?? 'pending';
  return {
    _id: '018f3a52-0000-7000-8000-000000a1b2c3',
    problem_type: 'Harassment',
    description: 'He keeps writing to me after I asked him to stop.',
    priority: 'high',
    status,
    createdAt: filedAt,
    updatedAt: filedAt,
    replies: [],
    replyCount: 0,
    user: { _id: 'ada', name: 'Ada Byron', email: 'ada@heartwood.test', isActive: true },
    reportedUser: { _id: 'bo', name: 'Bo Ek', email: 'bo@heartwood.test', isActive: true },
    mayBeMinor: false,
    dueAt: '2025-10-18T13:00:00.000Z',
    isOverdue: false,
    firstRespondedAt: null,
    awaitsStaff: true,
    can: { status: [...reportTransitions[status]], delete: true, undoUntil: null },
    ...changes,
  };
}

/** A report of which as little as possible is known. */
export function barestReport(changes: Partial<StaffReport> = {}): StaffReport {
  return staffReport({
    user: { _id: null, name: '', email: null, isActive: false },
    reportedUser: null,
    ...changes,
  });
}

/** One thing said on a report, by staff in public unless said otherwise. */
export function reportReply(changes: Partial<ReportReply> = {}): ReportReply {
  return {
    _id: 'reply-1',
    message: 'Thank you, we are looking into it.',
    isInternal: false,
    repliedBy: { name: 'Olga Ivanova' },
    repliedAt: '2025-10-18T10:00:00.000Z',
    ...changes,
  };
}

/** A copy of a profile, as it should be. */
export function evidence(changes: Partial<Evidence> = {}): Evidence {
  return {
    _id: 'evidence-1',
    type: 'profile',
    capturedAt: filedAt,
    hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    isIntact: true,
    profile: {
      firstName: 'Bo',
      gender: 'man',
      genderText: null,
      age: 34,
      bio: 'Sailing and soup.',
      location: { city: 'Umeå', country: 'Sweden' },
    },
    pictures: [],
    messages: [],
    ...changes,
  };
}

/** A message of the reported person's in a copy, unless said otherwise. */
export function frozenMessage(seq: number, changes: Partial<FrozenMessage> = {}): FrozenMessage {
  return {
    seq,
    by: 'reported',
    isReported: false,
    text: `Message ${seq}`,
    sentAt: filedAt,
    editedAt: null,
    deletedAt: null,
    readAt: null,
    before: [],
    leftOut: 0,
    ...changes,
  };
}

/** An earlier report in a line. */
export function reportLine(changes: Partial<ReportLine> = {}): ReportLine {
  return {
    _id: '018f3a52-0000-7000-8000-000000ea71e5',
    problem_type: 'Inappropriate Content',
    priority: 'high',
    status: 'closed',
    createdAt: '2025-09-01T09:00:00.000Z',
    ...changes,
  };
}

/** Somebody in a report about whom nothing is known yet. */
export function reportHistory(changes: Partial<ReportHistory> = {}): ReportHistory {
  return {
    person: staffReport().user,
    joinedAt: '2025-01-05T10:00:00.000Z',
    filed: { total: 0, newest: [] },
    about: { total: 0, newest: [] },
    sanctions: [],
    ...changes,
  };
}

/** One entry of a timeline: the filing unless said otherwise. */
export function timelineEntry(changes: Partial<TimelineEntry> = {}): TimelineEntry {
  return {
    _id: 'event-1',
    at: filedAt,
    actor: { name: 'Ada Byron', role: 'reporter' },
    kind: 'filed',
    from: null,
    to: null,
    reason: null,
    ...changes,
  };
}

type ReportFile = AnswerOf<typeof getReportFile>['data'];

/** A report with all that belongs to it. */
export function reportFile(changes: Partial<ReportFile> = {}): ReportFile {
  const report = changes.report ?? staffReport();
  return {
    report,
    evidence: [evidence()],
    timeline: [timelineEntry()],
    reporter: reportHistory({ person: report.user }),
    reported: report.reportedUser && reportHistory({ person: report.reportedUser }),
    ...changes,
  };
}

type Figures = AnswerOf<typeof getReportStatistics>['data'];

/** The figures of all reports. */
export function reportStatistics(changes: Partial<Figures> = {}): Figures {
  return {
    total: 1240,
    pending: 31,
    inProgress: 12,
    resolved: 900,
    closed: 290,
    rejected: 7,
    highPriority: 204,
    byType: { Harassment: 100 },
    byPriority: { critical: 4, high: 200 },
    avgResponseTime: '3h 12m',
    avgResponseMs: 11_520_000,
    medianResponseMs: 5_400_000,
    p90ResponseMs: 97_200_000,
    ...changes,
  };
}

/** Answers the figures, and the list with those of these reports that have the status asked for, page by page. */
export function serveReports(reports: () => readonly StaffReport[]): void {
  serve(getReportStatistics, () => ({ data: reportStatistics() }));
  serve(listReports, ({ query }) => {
    const { page = 1, limit = 20, status } = query;
    const fitting = reports().filter((report) => status === undefined || report.status === status);
    return {
      data: {
        reports: fitting.slice((page - 1) * limit, page * limit),
        pagination: paginate(page, limit, fitting.length),
      },
    };
  });
}
