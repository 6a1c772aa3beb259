import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { IconRefresh } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { useNavigate } from 'react-router';
import { reportPriorities, reportStatuses, reportTypes, reportTypeWords } from '#contract/moderation/reports.ts';
import type { StaffReport } from '#contract/moderation/staff-reports.ts';
import type { Pagination } from '#contract/paging.ts';
import { queryClient } from '../../../api/query-client.ts';
import { optionsOf, type ListFilter, ListFilters } from '../../../ui/data/table/ListFilters.tsx';
import { ListScreen } from '../../../ui/data/table/ListScreen.tsx';
import { useListAddress, useTypedSearch } from '../../../ui/data/table/use-list-address.ts';
import { useCurrentRow, useLastPage, useRowKeys } from '../../../ui/data/table/use-row-keys.ts';
import { Age, useRefresh } from '../../../ui/feedback/LastUpdated.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { formatExactTime, formatNumber } from '../../../ui/text/format.ts';
import { ReportReplyDialog, useReplies } from './ReplyDialog.tsx';
import { ReportPager } from './ReportPager.tsx';
import { reportColumns } from './report-columns.tsx';
import { reportsQuery, usePendingSteps, withPending, reportStatisticsQuery } from './report-data.ts';
import {
  asAddress,
  asQuery,
  changedAddress,
  isFiltered,
  noFilters,
  readList,
  type ReportList,
  type ReportOrder,
} from './report-filters.ts';
import { priorityWords, statusWords } from './report-words.ts';
import { useListChanges } from './use-list-changes.ts';
import { useReportSteps } from './use-report-steps.tsx';

const noReports: readonly StaffReport[] = [];

const orders: Record<ReportOrder, MessageDescriptor> = {
  newest: msg`Newest first`,
  oldest: msg`Oldest first`,
  priority: msg`Priority`,
  overdue: msg`Overdue first`,
};

const filters: readonly ListFilter<ReportList>[] = [
  {
    name: 'status',
    label: msg`Status`,
    choices: [['', msg`All Status`], ...optionsOf(reportStatuses, statusWords), ['open', msg`Pending or in progress`]],
  },
  {
    name: 'problem_type',
    label: msg`Type`,
    choices: [['', msg`All Types`], ...optionsOf(reportTypes, reportTypeWords)],
  },
  {
    name: 'priority',
    label: msg`Priority`,
    choices: [
      ['', msg`All Priorities`],
      ...optionsOf(reportPriorities, priorityWords),
      ['urgent', msg`Critical or high`],
    ],
  },
  {
    name: 'assigned',
    label: msg`Assigned`,
    choices: [
      ['', msg`Anyone`],
      ['me', msg`Mine`],
    ],
  },
  { name: 'order', label: msg`Sort`, choices: optionsOf(['newest', 'oldest', 'priority', 'overdue'], orders) },
];
const texts = {
  loading: msg`Loading reports data...`,
  error: msg({ message: 'Error loading reports: {error}' }),
  empty: msg`No reports found matching your criteria.`,
  emptyHint: msg`New reports from members appear here.`,
};

type Address = ReturnType<typeof useListAddress<ReportList>>;

/** The sentence that says which of the reports are on this page. */
function shownText(count: number, pagination: Pagination | undefined): string {
  if (count === 0 || pagination === undefined) return t`No reports`;
  const { total, totalIsExact, page, limit } = pagination;
  return t`Showing ${{ from: formatNumber((page - 1) * limit + 1) }}–${{ to: formatNumber((page - 1) * limit + count) }} of ${{ total: `${formatNumber(total)}${totalIsExact === false ? '+' : ''}` }} reports`;
}

/** Announces changes of the list to screen readers. */
function Changed({ at }: { at: number | null }) {
  return (
    <p className="visually-hidden" role="status">
      {at !== null && t`The list of reports has changed. ${{ time: formatExactTime(new Date(at).toISOString()) }}`}
    </p>
  );
}

/** The page of reports for the list's URL, with status changes that the server has not confirmed yet. */
function useReportPage({ list, write }: Address) {
  const query = useQuery({ ...reportsQuery(list), placeholderData: keepPreviousData });
  useLastPage(query, list.page, (page) => write({ page }, { replace: true }));
  const pending = usePendingSteps();
  const answered = query.data?.reports ?? noReports;
  const reports = useMemo(() => answered.map((report) => withPending(report, pending)), [answered, pending]);
  const listKey = JSON.stringify(asQuery(list));
  const rows = useCurrentRow(reports, listKey);
  const changed = useListChanges(listKey, query.isPlaceholderData ? undefined : query.data?.reports);
  return { query, reports, rows, changed };
}

/** Filters, one page of reports, and the actions on reports by pointer and keyboard. */
export function ReportsBrowser() {
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const top = useRef<HTMLDivElement>(null);
  const address = useListAddress(readList, changedAddress);
  const { list, draft } = address;
  useTypedSearch(address);
  const { query, reports, rows, changed } = useReportPage(address);
  const pagination = query.data?.pagination;
  const current = reports.find(({ _id }) => _id === rows.currentId);
  const steps = useReportSteps(rows.focusCurrent);
  const replies = useReplies();

  const onReply = (report: StaffReport) => replies.open(report);
  const onResolve = (report: StaffReport, isByKeyboard: boolean) => steps.take(report, 'resolved', isByKeyboard);
  const params = asAddress(list).toString();
  const from = params === '' ? '/reports' : `/reports?${params}`;
  const columns = reportColumns({ onReply, onResolve }, from);
  const clear = isFiltered(list) || draft.search.trim() !== '' ? () => address.apply(noFilters) : undefined;

  useRowKeys(rows, (id) => void navigate(`/reports/${id}`, { state: { from } }), {
    r: () => current && replies.open(current),
    e: () => current && steps.take(current, 'resolved'),
    u: steps.undo,
    '/': () => field.current?.focus(),
  });

  const refreshing = useRefresh(query, steps.forgetFailure);

  async function refresh() {
    await Promise.all([refreshing.refresh(), queryClient.invalidateQueries(reportStatisticsQuery)]);
  }

  function turnTo(page: number) {
    address.write({ page });
    if ((top.current?.getBoundingClientRect().top ?? 0) < 0) top.current?.scrollIntoView();
  }

  return (
    <>
      <ListFilters
        address={address}
        onChoose={address.choose}
        onSubmit={() => address.choose({})}
        search={{ field, placeholder: t`Search by text, id or name...` }}
        filters={filters}
      >
        <BusyButton
          variant="default"
          isBusy={refreshing.isRefreshing}
          busyText={t`Refreshing...`}
          leftSection={<IconRefresh size={17} stroke={1.75} aria-hidden="true" />}
          onClick={() => void refresh()}
        >
          {t`Refresh`}
        </BusyButton>
      </ListFilters>
      <Changed at={changed.at} />
      <ListScreen
        query={query}
        label={t`Reports`}
        rows={reports}
        columns={columns}
        texts={texts}
        onClear={clear}
        caption={{
          ref: top,
          text: shownText(reports.length, pagination),
          onClear: clear,
          end: null,
          children: <Age query={query} />,
        }}
        current={rows}
        table={{ changedIds: changed.ids, minWidth: '62rem', tabletMinWidth: '56rem', hasRowLinks: true }}
        below={
          pagination && (
            <ReportPager
              pagination={{ page: list.page, pages: pagination.pages, limit: list.limit }}
              onPage={turnTo}
              onLimit={(size) => address.write({ limit: size })}
            />
          )
        }
        refreshing={{ ...refreshing, refresh }}
      />
      {replies.report !== null && (
        <ReportReplyDialog
          key={replies.report._id}
          report={reports.find(({ _id }) => _id === replies.report?._id) ?? replies.report}
          onSent={replies.sent}
          onClose={replies.close}
        />
      )}
      {replies.notice}
      {steps.parts}
    </>
  );
}
