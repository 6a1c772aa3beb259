import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import {
  type OwnReport,
  ownReportSchema,
  type ReportReply,
  listMyReports,
  markReportRead,
} from '#contract/moderation/reports.ts';
import { type StaffReport, getReport, getReportConversation } from '#contract/moderation/staff-reports.ts';
import { call } from '../../../api/call.ts';
import { completed, completedPagination, completedReplies } from '../../../api/completed.ts';
import { emptyOf } from '../../../api/empty.ts';
import { keys } from '../../../api/keys.ts';
import { queryClient } from '../../../api/query-client.ts';
import { applyEvent } from '../../../api/realtime/realtime-cache.ts';
import { refreshUnread, useUnread } from './unread.tsx';

const pageSize = 10;

/**
 * The first `pages` pages of the member's own reports, newest first. They are fetched again when the number of unread
 * answers changes.
 */
export function useMyReports(pages: number) {
  const query = useQuery({
    queryKey: keys.ownReports,
    queryFn: async ({ signal }) => {
      const answers = await Promise.all(
        Array.from({ length: pages }, (_, index) =>
          call(listMyReports, { query: { page: index + 1, limit: pageSize }, signal }),
        ),
      );
      const reports = new Map(
        answers.flatMap(({ data }) => data.reports).map((report) => [report._id, completeOwn(report)]),
      );
      const last = answers.at(-1)?.data;
      const { total } = completedPagination(last?.pagination, reports.size);
      const unread = last?.unread ?? 0;
      queryClient.setQueryData(keys.unreadReports, unread);
      return { reports: [...reports.values()], total, unread, pages };
    },
    staleTime: 0,
  });

  const unread = useUnread();
  const readAgain = useEffectEvent(() => {
    if (query.data && !query.isFetching && query.data.unread !== unread) void query.refetch();
  });
  useEffect(() => readAgain(), [unread]);

  // Uses the same query for any number of pages, so that the rows stay on the screen while more are fetched, even if
  // that fails.
  const readPages = useEffectEvent(() => {
    if (query.data && query.data.pages !== pages) void query.refetch();
  });
  useEffect(() => readPages(), [pages]);

  return query;
}

interface ReportWithConversation {
  report: OwnReport | StaffReport;
  /** The conversation, oldest entry first; the first entry is the description. */
  conversation: ReportReply[];
}

const noOwnReport: OwnReport = {
  ...emptyOf(ownReportSchema),
  problem_type: 'Other',
  description: '—',
  priority: 'other',
  user: { _id: '', name: '—', email: '—' },
};

/** Fills in missing fields of a report, so that screens can rely on them. */
function completeOwn<T extends OwnReport | StaffReport>(report: T): T {
  return { ...report, ...completed(report as OwnReport, noOwnReport), replies: completedReplies(report.replies) };
}

const publicOnly = (entries: readonly ReportReply[]) => entries.filter((entry) => !entry.isInternal);

const reportQuery = (id: string) =>
  queryOptions({
    queryKey: keys.ownReport(id),
    queryFn: async ({ signal }): Promise<ReportWithConversation> => {
      const [{ data }, { data: said }] = await Promise.all([
        call(getReport, { params: { id }, signal }),
        call(getReportConversation, { params: { id }, signal }),
      ]);
      return { report: completeOwn(data.report), conversation: publicOnly(completedReplies(said.conversation)) };
    },
    staleTime: 0,
  });

/** Adds new replies from an answer to the cached conversation. */
export function addReplies(id: string, report: OwnReport | StaffReport): void {
  queryClient.setQueryData(reportQuery(id).queryKey, (known) => {
    if (known === undefined) return known;
    const ids = new Set(known.conversation.map(({ _id }) => _id));
    const added = publicOnly(completedReplies(report.replies)).filter(({ _id }) => !ids.has(_id));
    return { report: completeOwn(report), conversation: [...known.conversation, ...added] };
  });
}

async function markRead(id: string): Promise<void> {
  await call(markReportRead, { params: { id } });
  applyEvent({ kind: 'news' });
  await refreshUnread();
}

/**
 * One of the member's reports with its conversation. It is fetched again when there are more unread answers, and marked
 * as read when it is opened.
 */
export function useOwnReport(id: string) {
  const query = useQuery(reportQuery(id));

  const unread = useUnread();
  const knownUnread = useRef(unread);
  const readAgain = useEffectEvent(() => void query.refetch());
  useEffect(() => {
    if (unread > knownUnread.current) readAgain();
    knownUnread.current = unread;
  }, [unread]);

  const report = query.data?.report;
  const isUnread = report !== undefined && 'isUnread' in report && report.isUnread;
  useEffect(() => {
    // Without an answer the report stays unread, and the next visit tries again.
    if (isUnread) markRead(id).catch(() => undefined);
  }, [id, isUnread, report]);

  return query;
}
