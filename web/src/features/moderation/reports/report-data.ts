import { type QueryClient, queryOptions, useMutationState } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AnswerOf } from '#contract/endpoint.ts';
import { type ReportHistory, getReportFile } from '#contract/moderation/report-file.ts';
import type { ReportReply, ReportStatus } from '#contract/moderation/reports.ts';
import {
  isWithoutReporter,
  reportTransitions,
  responseTimesDays,
  type StaffReport,
  getReportConversation,
  getReportStatistics,
  listReports,
} from '#contract/moderation/staff-reports.ts';
import { call } from '../../../api/call.ts';
import { completed, completedPagination, completedReplies } from '../../../api/completed.ts';
import { keys } from '../../../api/keys.ts';
import { staffKeys } from '../../../api/staff-keys.ts';
import { asQuery, type ReportList } from './report-filters.ts';

const listEveryMs = 10_000;

const noPerson: StaffReport['user'] = { _id: null, name: '—', email: null, isActive: false };
const noReport: StaffReport = {
  _id: '',
  problem_type: 'Other',
  description: '—',
  priority: 'other',
  status: 'pending',
  createdAt: '',
  updatedAt: '',
  replies: [],
  replyCount: 0,
  user: noPerson,
  reportedUser: null,
  mayBeMinor: false,
  source: 'notice',
  openedBy: null,
  dueAt: '',
  isOverdue: false,
  firstRespondedAt: null,
  awaitsStaff: false,
  can: { status: [], delete: false, undoUntil: null },
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

type ReportFile = AnswerOf<typeof getReportFile>['data'];

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

/** One page of reports. It is reloaded every ten seconds while it is shown, so that colleagues' changes appear. */
export function reportsQuery(list: ReportList) {
  const query = asQuery(list);
  return queryOptions({
    queryKey: staffKeys.reports(query),
    queryFn: async ({ signal }) => {
      const { reports, ...page } = (await call(listReports, { query, signal })).data;
      const pagination = completedPagination(page.pagination, reports.length);
      return { ...page, pagination, reports: reports.map(completeReport) };
    },
    staleTime: 0,
    refetchInterval: listEveryMs,
  });
}

type ReportStatistics = AnswerOf<typeof getReportStatistics>['data'];

const noStatistics: ReportStatistics = {
  total: Number.NaN,
  pending: Number.NaN,
  inProgress: Number.NaN,
  resolved: Number.NaN,
  closed: Number.NaN,
  rejected: Number.NaN,
  highPriority: Number.NaN,
  openHighPriority: Number.NaN,
  byType: {},
  byPriority: {},
  responseDays: responseTimesDays,
  avgResponseMs: null,
  medianResponseMs: null,
  p90ResponseMs: null,
};

/** Fills in missing figures with NaN, which is shown as an em dash. */
const completeStatistics = (given: Partial<ReportStatistics>) => completed<ReportStatistics>(given, noStatistics);

/** The figures of all reports. */
export const reportStatisticsQuery = queryOptions({
  queryKey: keys.reportStatistics,
  queryFn: async ({ signal }) => completeStatistics((await call(getReportStatistics, { signal })).data),
  refetchInterval: 30_000,
});

/** One report with all its details. Opening it is recorded, so it is not loaded again without need. */
export function reportFileQuery(id: string) {
  return queryOptions({
    queryKey: keys.report(id),
    queryFn: async ({ signal }) => completeFile((await call(getReportFile, { params: { id }, signal })).data),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
}

/** The whole conversation of a report, if the report itself contains only part of it. */
export function conversationQuery(id: string) {
  return queryOptions({
    queryKey: staffKeys.reportConversation(id),
    queryFn: async ({ signal }) =>
      completedReplies((await call(getReportConversation, { params: { id }, signal })).data.conversation),
    refetchOnWindowFocus: false,
  });
}

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
export function putReport(client: QueryClient, report: StaffReport): void {
  client.setQueriesData<AnswerOf<typeof listReports>['data']>({ queryKey: keys.allReports }, (list) => {
    if (!list?.reports.some(({ _id }) => _id === report._id)) return list;
    return { ...list, reports: list.reports.map((known) => (known._id === report._id ? report : known)) };
  });
  client.setQueryData<ReportFile>(keys.report(report._id), (file) => file && { ...file, report });
}

/** Reloads everything that a change to a report affects. */
export function reloadReports(client: QueryClient, id: string): void {
  void client.invalidateQueries({ queryKey: keys.allReports });
  void client.invalidateQueries({ queryKey: keys.report(id) });
  void client.invalidateQueries({ queryKey: keys.reportStatistics });
  void client.invalidateQueries({ queryKey: ['audit'] });
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
