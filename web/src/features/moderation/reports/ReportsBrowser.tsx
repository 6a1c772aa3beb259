import { Button } from '@mantine/core';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { useNavigate } from 'react-router';
import type { StaffReport } from '#contract/moderation/report.ts';
import { keys } from '../../../api/keys.ts';
import { Age, useRefresh } from '../../../ui/feedback/LastUpdated.tsx';
import { EmptyState, QueryStates, Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { useSingleKeys } from '../../../ui/keyboard/single-keys.ts';
import { useKeptScroll } from '../../../ui/layout/scroll.ts';
import { useStable } from '../../../ui/loading/use-stable.ts';
import { formatExactTime, formatNumber } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';
import { ReportReplyDialog, useReplies } from './ReplyDialog.tsx';
import { ReportFilterBar, ReportPager } from './ReportFilterBar.tsx';
import { ReportsTable } from './ReportsTable.tsx';
import { reportsQuery, usePendingSteps, withPending } from './report-data.ts';
import { asAddress, asQuery, isFiltered, useReportAddress } from './report-filters.ts';
import { useCurrentRow, useLastPage, useListChanges } from './use-list-rows.ts';
import { useReportSteps } from './use-report-steps.tsx';
import classes from './reports.module.css';

const noReports: readonly StaffReport[] = [];

function LoadingSkeleton() {
  return (
    <div className={classes.skeleton}>
      <Skeleton height="2.75rem" />
      {Array.from({ length: 8 }, (_, index) => (
        <Skeleton key={index} height="4.1rem" />
      ))}
    </div>
  );
}

/** Announces to screen readers that colleagues changed the list. */
function ListChanged({ at }: { at: number | null }) {
  const time = at === null ? null : formatExactTime(new Date(at).toISOString());
  return (
    <p className="visually-hidden" role="status">
      {time !== null && t('The list of reports has changed. {time}', { time })}
    </p>
  );
}

/** Filters, one page of reports, and what can be done with them by pointer and by key. */
export function ReportsBrowser({ onKeysHelp }: { onKeysHelp: () => void }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  const top = useRef<HTMLDivElement>(null);
  const { list, typed, setTyped, write, choose, clear } = useReportAddress();
  const query = useQuery({ ...reportsQuery(list), placeholderData: keepPreviousData });
  useKeptScroll(query.data !== undefined);
  useLastPage(query, list.page, (page) => write({ page }, { replace: true }));

  const pending = usePendingSteps();
  const answered = query.data?.reports ?? noReports;
  const reports = useMemo(() => answered.map((report) => withPending(report, pending)), [answered, pending]);
  const ids = useMemo(() => reports.map(({ _id }) => _id), [reports]);
  const listKey = JSON.stringify(asQuery(list));
  const rows = useCurrentRow(ids, listKey);
  const current = reports.find(({ _id }) => _id === rows.currentId);
  const changed = useListChanges(listKey, query.isPlaceholderData ? undefined : query.data?.reports);
  const steps = useReportSteps(rows.focusCurrent);
  const replies = useReplies();

  const onReply = useStable((report: StaffReport) => replies.open(report));
  const onResolve = useStable((report: StaffReport, isByKeyboard: boolean) =>
    steps.take(report, 'resolved', isByKeyboard),
  );
  const onCurrent = useStable(rows.choose);
  const address = asAddress(list).toString();
  const from = address === '' ? '/reports' : `/reports?${address}`;
  const hasFilters = isFiltered(list) || typed.trim() !== '';

  useSingleKeys({
    j: () => rows.move(1),
    k: () => rows.move(-1),
    r: () => current && replies.open(current),
    e: () => current && steps.take(current, 'resolved'),
    u: steps.undo,
    '/': () => field.current?.focus(),
    '?': onKeysHelp,
    Enter: () => {
      const isOnControl = document.activeElement?.matches('a, button, summary, [role="region"]') === true;
      if (current === undefined || isOnControl) return false;
      void navigate(`/reports/${current._id}`, { state: { from } });
      return true;
    },
  });

  const refreshing = useRefresh(query, steps.forgetFailure);

  async function refresh() {
    await Promise.all([refreshing.refresh(), client.invalidateQueries({ queryKey: keys.reportStatistics })]);
  }

  function turnTo(page: number) {
    write({ page });
    if ((top.current?.getBoundingClientRect().top ?? 0) < 0) top.current?.scrollIntoView();
  }

  return (
    <>
      <ReportFilterBar
        field={field}
        list={list}
        typed={typed}
        onType={setTyped}
        onChoose={choose}
        isRefreshing={refreshing.isRefreshing}
        onRefresh={() => void refresh()}
      />
      <ListChanged at={changed.at} />
      <QueryStates
        query={query}
        loadingText={t('Loading reports data...')}
        skeleton={<LoadingSkeleton />}
        errorText={(error) => t('Error loading reports: {error}', { error })}
        refreshing={{ ...refreshing, refresh }}
      >
        {({ pagination: { total, totalIsExact, pages, page, limit } }) => (
          <>
            <div className={classes.caption} ref={top}>
              <p role="status" className={reports.length === 0 ? 'visually-hidden' : classes.count}>
                {reports.length === 0
                  ? t('No reports')
                  : t('Showing {from}–{to} of {total} reports', {
                      from: formatNumber((page - 1) * limit + 1),
                      to: formatNumber((page - 1) * limit + reports.length),
                      total: `${formatNumber(total)}${totalIsExact === false ? '+' : ''}`,
                    })}
              </p>
              {hasFilters && reports.length > 0 && (
                <Button variant="subtle" size="compact-sm" onClick={clear}>
                  {t('Clear filters')}
                </Button>
              )}
              <Age query={query} />
            </div>
            {reports.length === 0 ? (
              <EmptyState
                text={t('No reports found matching your criteria.')}
                hint={t('New reports from members appear here.')}
                onClearFilters={hasFilters ? clear : undefined}
                isFramed
              />
            ) : (
              <>
                <ReportsTable
                  rows={reports}
                  currentId={rows.currentId}
                  onRowFocus={onCurrent}
                  changedIds={changed.ids}
                  isBusy={query.isPlaceholderData}
                  from={from}
                  onReply={onReply}
                  onResolve={onResolve}
                />
                <ReportPager
                  pagination={{ page: list.page, pages, limit: list.limit }}
                  onPage={turnTo}
                  onLimit={(size) => write({ limit: size })}
                />
              </>
            )}
          </>
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
