import { useEffect, useEffectEvent } from 'react';
import { listMyReports } from '#contract/moderation/reports.ts';
import type { OwnReport } from '#contract/moderation/report.ts';
import { call } from '../../../api/call.ts';
import { useRead } from '../../../api/use-read.ts';
import { showUnread, useUnread } from './unread.ts';

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
