import type { OwnReport, ReportReply } from '#contract/report.ts';
import { getReport, getReportConversation, listMyReports, markReportRead } from '#contract/reports.ts';
import { serve } from './fake-server.ts';

/** A report as its reporter sees it: harassment by Bo, not answered yet. */
export function ownReport(changes: Partial<OwnReport> = {}): OwnReport {
  return {
    _id: '018f3a52-9c1e-7b44-8d0a-0000003f9a2c',
    problem_type: 'Harassment',
    description: 'He writes to me again and again.',
    priority: 'high',
    status: 'pending',
    createdAt: '2025-10-18T10:00:00.000Z',
    updatedAt: '2025-10-18T10:00:00.000Z',
    replies: [],
    replyCount: 0,
    user: { _id: '018f3a52-9c1e-7b44-8d0a-3f6f2f9b7a10', name: 'Ada Byron', email: 'ada@heartwood.test' },
    reportedUser: { _id: 'bo-1', name: 'Bo' },
    isUnread: false,
    ...changes,
  };
}

/** One thing said on a report, by the support team unless said otherwise. */
export function said(message: string, changes: Partial<ReportReply> = {}): ReportReply {
  return {
    _id: `said: ${message.slice(0, 40)}`,
    message,
    isInternal: false,
    repliedBy: { name: 'Support team' },
    repliedAt: '2025-10-18T11:30:00.000Z',
    ...changes,
  };
}

/** What a report's own words are in its conversation. */
export function ownWords(report: OwnReport): ReportReply {
  return said(report.description, { repliedBy: { name: 'Ada Byron' }, repliedAt: report.createdAt });
}

/** Answers the member's list with these, newest first as given. */
export function serveMyReports(reports: readonly OwnReport[]): void {
  serve(listMyReports, ({ query }) => {
    const { page = 1, limit = 20 } = query;
    return {
      data: {
        reports: reports.slice((page - 1) * limit, page * limit),
        pagination: { page, limit, total: reports.length, pages: Math.ceil(reports.length / limit) },
        unread: reports.filter(({ isUnread }) => isUnread).length,
      },
    };
  });
}

/** Answers one report with its conversation; looking at it marks it as read. */
export function serveReport(report: OwnReport, answers: readonly ReportReply[] = []): void {
  let isUnread = report.isUnread;
  const now = () => ({ ...report, isUnread, replies: [...answers], replyCount: answers.length });
  serve(getReport, () => ({ data: { report: now() } }));
  serve(getReportConversation, () => ({ data: { conversation: [ownWords(report), ...answers] } }));
  serve(markReportRead, () => {
    isUnread = false;
    serveMyReports([now()]);
    return { data: { report: now() } };
  });
  serveMyReports([report]);
}
