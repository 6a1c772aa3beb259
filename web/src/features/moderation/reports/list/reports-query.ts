import { queryOptions } from '@tanstack/react-query';
import {
  getReportConversation,
  getReportFile,
  getReportStatistics,
  listReports,
} from '#contract/moderation/reports.ts';
import { call } from '../../../../api/call.ts';
import { keys } from '../../../../api/keys.ts';
import { asQuery, type ReportList } from './report-filters.ts';

const listEveryMs = 10_000;

/** One page of reports; asked for anew each ten seconds while it is looked at, so that what others do is seen. */
export function reportsQuery(list: ReportList) {
  const query = asQuery(list);
  return queryOptions({
    queryKey: keys.reports(query),
    queryFn: async ({ signal }) => (await call(listReports, { query, signal })).data,
    staleTime: 0,
    refetchInterval: listEveryMs,
  });
}

/** The figures of all reports. */
export const reportStatisticsQuery = queryOptions({
  queryKey: keys.reportStatistics,
  queryFn: async ({ signal }) => (await call(getReportStatistics, { signal })).data,
  refetchInterval: 30_000,
});

/** One report with all that belongs to it. Reading it is on record, so it is not repeated without need. */
export function reportFileQuery(id: string) {
  return queryOptions({
    queryKey: keys.report(id),
    queryFn: async ({ signal }) => (await call(getReportFile, { params: { id }, signal })).data,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
}

/** Everything said on a report, where that is more than the report itself brings. */
export function conversationQuery(id: string) {
  return queryOptions({
    queryKey: keys.reportConversation(id),
    queryFn: async ({ signal }) => (await call(getReportConversation, { params: { id }, signal })).data.conversation,
    refetchOnWindowFocus: false,
  });
}
