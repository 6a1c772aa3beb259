import { useMutationState } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type ReportHistory, getReportFile } from '#contract/moderation/report-file.ts';
import type { ReportReply, ReportStatus } from '#contract/moderation/reports.ts';
import {
  isWithoutReporter,
  reportPersonSchema,
  reportTransitions,
  responseTimesDays,
  type StaffReport,
  staffReportSchema,
  getReportConversation,
  getReportStatistics,
  listReports,
  replyToReport,
} from '#contract/moderation/staff-reports.ts';
import { queryClient } from '../../../api/query-client.ts';
import { type DataOf, endpointQuery, refreshAfter } from '../../../api/endpoint-query.ts';
import { completed, completedPagination, completedReplies } from '../../../api/completed.ts';
import { emptyOf } from '../../../api/empty.ts';
import { asQuery, type ReportList } from './report-filters.ts';

const listEveryMs = 10_000;

const noPerson: StaffReport['user'] = { ...emptyOf(reportPersonSchema), name: '—' };
const noReport: StaffReport = {
  ...emptyOf(staffReportSchema),
  problem_type: 'Other',
  description: '—',
  priority: 'other',
  user: noPerson,
};

// A status that this version of the app doesn't know has no possible steps.
const transitions: Partial<typeof reportTransitions> = reportTransitions;

type Person = Partial<StaffReport['user']> & { username?: string };
type GivenReport = Partial<Omit<StaffReport, 'user' | 'replies'>> & {
  user?: Person;
  replies?: readonly Partial<ReportReply>[];
};

/** Fills in missing fields of a report, so that screens can rely on them. */
export function completeReport(given: GivenReport | null | undefined): StaffReport {
  const replies = completedReplies(given?.replies);
  const replyCount = given?.replyCount ?? replies.filter(({ isInternal }) => !isInternal).length;
  const user = completed({ ...given?.user, name: given?.user?.name ?? given?.user?.username }, noPerson);
  const report = completed({ ...given, replies, replyCount, user }, noReport);
  // If the server doesn't list the possible steps, all steps from this status are offered, and the server refuses those
  // it doesn't allow.
  return given?.can === undefined
    ? { ...report, can: { ...report.can, status: [...(transitions[report.status] ?? [])] } }
    : report;
}

type ReportFile = DataOf<typeof getReportFile>;

/** The history of a person who is missing from the answer. */
const noHistory: Omit<ReportHistory, 'person'> = {
  joinedAt: null,
  filed: { total: 0, newest: [] },
  about: { total: 0, newest: [] },
  sanctions: [],
};

/** Fills in missing fields of a report with all its details. */
function completeFile({ report: given, ...file }: Partial<ReportFile>): ReportFile {
  const report = completeReport(given);
  return {
    ...completed<Omit<ReportFile, 'report' | 'reported'>>(file, {
      evidence: [],
      timeline: [],
      reporter: { ...noHistory, person: report.user },
    }),
    reported: file.reported ?? null,
    report,
  };
}

const completePage = ({ reports, ...page }: DataOf<typeof listReports>) => ({
  ...page,
  pagination: completedPagination(page.pagination, reports.length),
  reports: reports.map(completeReport),
});

/** One page of reports. It is reloaded every ten seconds while it is shown, so that colleagues' changes appear. */
export const reportsQuery = (list: ReportList) =>
  endpointQuery(
    listReports,
    { query: asQuery(list) },
    { select: completePage, staleTime: 0, refetchInterval: listEveryMs },
  );

type ReportStatistics = DataOf<typeof getReportStatistics>;

const noStatistics: ReportStatistics = {
  ...emptyOf(getReportStatistics.response.shape.data, Number.NaN),
  responseDays: responseTimesDays,
};

/** Fills in missing figures with NaN, which is shown as an em dash. */
const completeStatistics = (given: Partial<ReportStatistics>) => completed<ReportStatistics>(given, noStatistics);

/** The figures of all reports. */
export const reportStatisticsQuery = endpointQuery(
  getReportStatistics,
  {},
  { select: completeStatistics, refetchInterval: 30_000 },
);

/** One report with all its details. Opening it is recorded, so it is not loaded again without need. */
export const reportFileQuery = (id: string) =>
  endpointQuery(
    getReportFile,
    { params: { id } },
    { select: completeFile, staleTime: 60_000, refetchOnWindowFocus: false },
  );

const completeConversation = ({ conversation }: DataOf<typeof getReportConversation>) => completedReplies(conversation);

/** Rows of lists and cases contain the newest replies of a report only up to this length. */
export const rowTextLength = 500;

/** The whole conversation of a report, if the report itself contains only part of it. */
export const conversationQuery = (id: string) =>
  endpointQuery(
    getReportConversation,
    { params: { id } },
    { select: completeConversation, refetchOnWindowFocus: false },
  );

/** The id of the case in which this status has to be decided; undefined if one click can set it. */
export function decidingCase({ source, case: its }: StaffReport, status: ReportStatus): string | undefined {
  const isDecision =
    status === 'resolved' || status === 'rejected' || (status === 'closed' && isWithoutReporter(source));
  const isRefused = its && (its.handledBy !== null || (isDecision && its.needsDecision !== null));
  return isRefused ? its._id : undefined;
}

/** The mutation keys of all commands on reports, and of commands that change a status. */
export const commandKey = ['report-command'];
export const stepKey = [...commandKey, 'step'];

export interface Step {
  id: string;
  status: ReportStatus;
}

/** Updates a report in all cached lists and views. */
export function putReport(report: StaffReport): void {
  queryClient.setQueriesData<DataOf<typeof listReports>>({ queryKey: [listReports.path] }, (list) => {
    if (!list?.reports.some(({ _id }) => _id === report._id)) return list;
    return { ...list, reports: list.reports.map((known) => (known._id === report._id ? report : known)) };
  });
  queryClient.setQueryData(reportFileQuery(report._id).queryKey, (file) => file && { ...file, report });
}

/** Reloads everything that a change to a report affects. */
export function reloadReports(id: string): void {
  void queryClient.invalidateQueries(reportFileQuery(id));
  void queryClient.invalidateQueries(conversationQuery(id));
  void refreshAfter(replyToReport);
}

/** Status changes that the server has not confirmed yet, by report id. Screens show them as done. */
export function usePendingSteps(): ReadonlyMap<string, ReportStatus> {
  const steps = useMutationState({
    filters: { mutationKey: stepKey, status: 'pending' },
    select: ({ state }) => state.variables as Step,
  });
  return useMemo(() => new Map(steps.map(({ id, status }) => [id, status])), [steps]);
}

/** The report with its unconfirmed status. Further changes are not possible until the server has answered. */
export function withPending(report: StaffReport, pending: ReadonlyMap<string, ReportStatus>): StaffReport {
  const status = pending.get(report._id);
  return status === undefined ? report : { ...report, status, can: { ...report.can, status: [] } };
}
