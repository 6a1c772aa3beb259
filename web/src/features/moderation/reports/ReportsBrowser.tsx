import { IconRefresh } from '@tabler/icons-react';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useMemo, useRef } from 'react';
import { useNavigate } from 'react-router';
import { reportPriorities, reportStatuses, reportTypes, type StaffReport } from '#contract/moderation/reports.ts';
import type { Pagination } from '#contract/paging.ts';
import { keys } from '../../../api/keys.ts';
import { FilterBar, FilterSelect, ListCaption, ListSkeleton, SearchField } from '../../../ui/data/table/ListParts.tsx';
import { useListAddress, useTypedSearch } from '../../../ui/data/table/use-list-address.ts';
import { Age, useRefresh } from '../../../ui/feedback/LastUpdated.tsx';
import { EmptyState, QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { formatExactTime, formatNumber } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';
import { ReportReplyDialog, useReplies } from './ReplyDialog.tsx';
import { ReportPager } from './ReportPager.tsx';
import { ReportsTable } from './ReportsTable.tsx';
import { reportsQuery, usePendingSteps, withPending } from './report-data.ts';
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
import { useCurrentRow, useLastPage, useListChanges, useRowKeys } from './use-list-rows.ts';
import { useReportSteps } from './use-report-steps.tsx';

const noReports: readonly StaffReport[] = [];

const statuses: [ReportList['status'], string][] = [
  ['', 'All Status'],
  ...reportStatuses.map((status) => [status, statusWords[status]] as [typeof status, string]),
];
const types: [ReportList['problem_type'], string][] = [
  ['', 'All Types'],
  ...reportTypes.map((type) => [type, type] as [typeof type, string]),
];
const priorities: [ReportList['priority'], string][] = [
  ['', 'All Priorities'],
  ...reportPriorities.map((priority) => [priority, priorityWords[priority]] as [typeof priority, string]),
];
const orders: [ReportOrder, string][] = [
  ['newest', 'Newest first'],
  ['oldest', 'Oldest first'],
  ['priority', 'Priority'],
  ['overdue', 'Overdue first'],
];

type Address = ReturnType<typeof useListAddress<ReportList>>;

interface FiltersProps {
  field: RefObject<HTMLInputElement | null>;
  address: Address;
  isRefreshing: boolean;
  onRefresh: () => void;
}

/** What the list is limited to. Every filter takes effect immediately. */
function Filters({ field, address, isRefreshing, onRefresh }: FiltersProps) {
  const { list, draft, choose } = address;
  return (
    <FilterBar onSubmit={() => choose({})}>
      <SearchField
        field={field}
        placeholder={t('Search by text, id or name...')}
        value={draft.search}
        onType={(search) => address.type({ search })}
        onClear={() => address.apply({ search: '' })}
      />
      <FilterSelect
        label={t('Status')}
        value={list.status}
        choices={statuses}
        onChoose={(status) => choose({ status })}
      />
      <FilterSelect
        label={t('Type')}
        value={list.problem_type}
        choices={types}
        isWide
        onChoose={(type) => choose({ problem_type: type })}
      />
      <FilterSelect
        label={t('Priority')}
        value={list.priority}
        choices={priorities}
        onChoose={(priority) => choose({ priority })}
      />
      <FilterSelect label={t('Sort')} value={list.order} choices={orders} onChoose={(order) => choose({ order })} />
      <BusyButton
        variant="default"
        isBusy={isRefreshing}
        busyText={t('Refreshing...')}
        leftSection={<IconRefresh size={17} stroke={1.75} aria-hidden="true" />}
        onClick={onRefresh}
      >
        {t('Refresh')}
      </BusyButton>
    </FilterBar>
  );
}

interface PageProps {
  top: RefObject<HTMLDivElement | null>;
  query: Parameters<typeof Age>[0]['query'];
  pagination: Pagination;
  /** How many reports the page has. */
  count: number;
  /** Takes the filters away, if there are any. */
  onClear: (() => void) | undefined;
  children: ReactNode;
}

/** One page of reports below its caption, or what to do without any. */
function Page({ top, query, pagination, count, onClear, children }: PageProps) {
  const { total, totalIsExact, page, limit } = pagination;
  const shown = t('Showing {from}–{to} of {total} reports', {
    from: formatNumber((page - 1) * limit + 1),
    to: formatNumber((page - 1) * limit + count),
    total: `${formatNumber(total)}${totalIsExact === false ? '+' : ''}`,
  });
  return (
    <>
      <ListCaption
        ref={top}
        isTextHidden={count === 0}
        text={count === 0 ? t('No reports') : shown}
        onClear={count > 0 ? onClear : undefined}
      >
        <Age query={query} />
      </ListCaption>
      {count === 0 ? (
        <EmptyState
          text={t('No reports found matching your criteria.')}
          hint={t('New reports from members appear here.')}
          onClearFilters={onClear}
          isFramed
        />
      ) : (
        children
      )}
    </>
  );
}

/** Tells screen readers when the list has changed. */
function Changed({ at }: { at: number | null }) {
  return (
    <p className="visually-hidden" role="status">
      {at !== null &&
        t('The list of reports has changed. {time}', { time: formatExactTime(new Date(at).toISOString()) })}
    </p>
  );
}

/** The page of reports that the list's address asks for, with the steps that are still on their way. */
function useReportPage({ list, write }: Address) {
  const query = useQuery({ ...reportsQuery(list), placeholderData: keepPreviousData });
  useLastPage(query, list.page, (page) => write({ page }, { replace: true }));
  const pending = usePendingSteps();
  const answered = query.data?.reports ?? noReports;
  const reports = useMemo(() => answered.map((report) => withPending(report, pending)), [answered, pending]);
  const ids = useMemo(() => reports.map(({ _id }) => _id), [reports]);
  const listKey = JSON.stringify(asQuery(list));
  const rows = useCurrentRow(ids, listKey);
  const changed = useListChanges(listKey, query.isPlaceholderData ? undefined : query.data?.reports);
  return { query, reports, rows, changed };
}

/** Filters, one page of reports, and the actions on them by pointer and keyboard. */
export function ReportsBrowser() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  const top = useRef<HTMLDivElement>(null);
  const address = useListAddress(readList, changedAddress);
  const { list, draft } = address;
  useTypedSearch(address);
  const { query, reports, rows, changed } = useReportPage(address);
  const current = reports.find(({ _id }) => _id === rows.currentId);
  const steps = useReportSteps(rows.focusCurrent);
  const replies = useReplies();

  const onReply = (report: StaffReport) => replies.open(report);
  const onResolve = (report: StaffReport, isByKeyboard: boolean) => steps.take(report, 'resolved', isByKeyboard);
  const params = asAddress(list).toString();
  const from = params === '' ? '/reports' : `/reports?${params}`;
  const clear = isFiltered(list) || draft.search.trim() !== '' ? () => address.apply(noFilters) : undefined;

  useRowKeys(rows, (id) => void navigate(`/reports/${id}`, { state: { from } }), {
    r: () => current && replies.open(current),
    e: () => current && steps.take(current, 'resolved'),
    u: steps.undo,
    '/': () => field.current?.focus(),
  });

  const refreshing = useRefresh(query, steps.forgetFailure);

  async function refresh() {
    await Promise.all([refreshing.refresh(), client.invalidateQueries({ queryKey: keys.reportStatistics })]);
  }

  function turnTo(page: number) {
    address.write({ page });
    if ((top.current?.getBoundingClientRect().top ?? 0) < 0) top.current?.scrollIntoView();
  }

  return (
    <>
      <Filters
        field={field}
        address={address}
        isRefreshing={refreshing.isRefreshing}
        onRefresh={() => void refresh()}
      />
      <Changed at={changed.at} />
      <QueryStates
        query={query}
        loadingText={t('Loading reports data...')}
        skeleton={<ListSkeleton rowHeight="4.1rem" />}
        errorText="Error loading reports: {error}"
        refreshing={{ ...refreshing, refresh }}
      >
        {({ pagination }) => (
          <Page top={top} query={query} pagination={pagination} count={reports.length} onClear={clear}>
            <ReportsTable
              rows={reports}
              currentId={rows.currentId}
              onRowFocus={rows.choose}
              changedIds={changed.ids}
              isBusy={query.isPlaceholderData}
              from={from}
              onReply={onReply}
              onResolve={onResolve}
            />
            <ReportPager
              pagination={{ page: list.page, pages: pagination.pages, limit: list.limit }}
              onPage={turnTo}
              onLimit={(size) => address.write({ limit: size })}
            />
          </Page>
        )}
      </QueryStates>
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
