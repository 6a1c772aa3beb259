import { useEffect, useEffectEvent, useRef } from 'react';
import type { OwnReport, ReportReply, StaffReport } from '#contract/moderation/report.ts';
import { getReport, getReportConversation, listMyReports, markReportRead } from '#contract/moderation/reports.ts';
import { call } from '../../api/call.ts';
import { useRead } from '../../api/use-read.ts';
import { askUnread, showUnread, useUnread } from './unread.tsx';
import { tellOwn } from '../../api/realtime/realtime.ts';

const pageSize = 10;

interface MyReports {
  reports: OwnReport[];
  total: number;
  unread: number;
  /** How many pages these are. */
  pages: number;
}

/** The first `pages` pages of the member's own reports, newest first; read again when there is other news than they tell. */
export function useMyReports(pages: number) {
  const query = useRead(
    String(pages),
    async (signal): Promise<MyReports> => {
      const answers = await Promise.all(
        Array.from({ length: pages }, (_, index) =>
          call(listMyReports, { query: { page: index + 1, limit: pageSize }, signal }),
        ),
      );
      const reports = new Map(answers.flatMap(({ data }) => data.reports).map((report) => [report._id, report]));
      const last = answers.at(-1)?.data;
      const { pagination, unread } = last ?? { pagination: { total: 0 }, unread: 0 };
      return { reports: [...reports.values()], total: pagination.total, unread, pages };
    },
    { keepsData: true },
  );

  const unread = useUnread(({ count }) => count);
  const readAgain = useEffectEvent(() => {
    if (query.data && !query.isFetching && query.data.unread !== unread) query.refetch();
  });
  useEffect(() => {
    if (query.data) showUnread(query.data.unread);
  }, [query.data]);
  useEffect(() => readAgain(), [unread]);

  return query;
}

interface ReportWithConversation {
  report: OwnReport | StaffReport;
  /** Oldest first; the description begins it. */
  conversation: ReportReply[];
}

const publicOnly = (entries: readonly ReportReply[]) => entries.filter((entry) => !entry.isInternal);

/** The conversation with what an answer has brought: whatever is new in the report's replies, at the end. */
export function withAnswer(
  { conversation }: ReportWithConversation,
  report: OwnReport | StaffReport,
): ReportWithConversation {
  const known = new Set(conversation.map(({ _id }) => _id));
  const added = publicOnly(report.replies).filter(({ _id }) => !known.has(_id));
  return { report, conversation: [...conversation, ...added] };
}

async function markRead(id: string): Promise<void> {
  await call(markReportRead, { params: { id } });
  tellOwn({ kind: 'news' });
  await askUnread();
}

/** One of the member's reports with all that was said, read again when there is more news; looking at it marks its own as read. */
export function useOwnReport(id: string) {
  const query = useRead(id, async (signal): Promise<ReportWithConversation> => {
    const [{ data }, { data: said }] = await Promise.all([
      call(getReport, { params: { id }, signal }),
      call(getReportConversation, { params: { id }, signal }),
    ]);
    return { report: data.report, conversation: publicOnly(said.conversation) };
  });

  const unread = useUnread(({ count }) => count);
  const knownUnread = useRef(unread);
  const readAgain = useEffectEvent(query.refetch);
  useEffect(() => {
    if (unread > knownUnread.current) readAgain();
    knownUnread.current = unread;
  }, [unread]);

  const report = query.data?.report;
  const hasNews = report !== undefined && 'isUnread' in report && report.isUnread;
  useEffect(() => {
    // Without an answer it stays marked, and the next look tries again.
    if (hasNews) markRead(id).catch(() => undefined);
  }, [id, hasNews, report]);

  return query;
}
