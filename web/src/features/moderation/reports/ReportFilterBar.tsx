import { Button, NativeSelect } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconRefresh } from '@tabler/icons-react';
import { type FormEvent, type RefObject, useId } from 'react';
import { reportPriorities, reportStatuses, reportTypes } from '#contract/moderation/report.ts';
import type { Pagination } from '#contract/paging.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { SearchField } from '../../../ui/form/SearchField.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';
import { pageSizes, type ReportList, type ReportOrder } from './report-filters.ts';
import { priorityWords, statusWords } from './report-words.ts';
import classes from './reports.module.css';

const orderOptions: { value: ReportOrder; label: string }[] = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'priority', label: 'Priority' },
  { value: 'overdue', label: 'Overdue first' },
];

interface ReportFilterBarProps {
  field: RefObject<HTMLInputElement | null>;
  list: ReportList;
  typed: string;
  onType: (search: string) => void;
  onChoose: (change: Partial<ReportList>) => void;
  isRefreshing: boolean;
  onRefresh: () => void;
}

/** Search, status, type, priority, order; all act at once, Enter without waiting for the pause in typing. */
export function ReportFilterBar(props: ReportFilterBarProps) {
  const { field, list, typed, onType, onChoose, isRefreshing, onRefresh } = props;

  function submit(event: FormEvent) {
    event.preventDefault();
    onChoose({});
  }

  function clear() {
    onType('');
    onChoose({ search: '' });
  }

  return (
    <search>
      <form className={classes.bar} onSubmit={submit}>
        <SearchField
          field={field}
          className={classes.search}
          placeholder={t('Search by text, id or name...')}
          value={typed}
          onType={onType}
          onClear={clear}
        />
        <NativeSelect
          className={classes.select}
          label={t('Status')}
          value={list.status}
          onChange={(event) => onChoose({ status: event.currentTarget.value as ReportList['status'] })}
          data={[
            { value: '', label: t('All Status') },
            ...reportStatuses.map((status) => ({ value: status, label: t(statusWords[status]) })),
          ]}
        />
        <NativeSelect
          className={classes.type}
          label={t('Type')}
          value={list.problem_type}
          onChange={(event) => onChoose({ problem_type: event.currentTarget.value as ReportList['problem_type'] })}
          data={[{ value: '', label: t('All Types') }, ...reportTypes.map((type) => ({ value: type, label: t(type) }))]}
        />
        <NativeSelect
          className={classes.select}
          label={t('Priority')}
          value={list.priority}
          onChange={(event) => onChoose({ priority: event.currentTarget.value as ReportList['priority'] })}
          data={[
            { value: '', label: t('All Priorities') },
            ...reportPriorities.map((priority) => ({ value: priority, label: t(priorityWords[priority]) })),
          ]}
        />
        <NativeSelect
          className={classes.select}
          label={t('Sort')}
          value={list.order}
          onChange={(event) => onChoose({ order: event.currentTarget.value as ReportOrder })}
          data={orderOptions.map(({ value, label }) => ({ value, label: t(label) }))}
        />
        <BusyButton
          className={classes.button}
          variant="default"
          isBusy={isRefreshing}
          busyText={t('Refreshing...')}
          leftSection={<IconRefresh size={17} stroke={1.75} aria-hidden="true" />}
          onClick={onRefresh}
        >
          {t('Refresh')}
        </BusyButton>
      </form>
    </search>
  );
}

interface ReportPagerProps {
  pagination: Pick<Pagination, 'page' | 'pages' | 'limit'>;
  onPage: (page: number) => void;
  onLimit: (limit: number) => void;
}

interface TurnProps {
  children: string;
  isPossible: boolean;
  isForward?: boolean;
  onTurn: () => void;
}

/** A way to the page before or after; at the end it keeps the focus and does nothing. */
function Turn({ children, isPossible, isForward = false, onTurn }: TurnProps) {
  const icon = { size: 16, stroke: 2, 'aria-hidden': true, className: classes.arrow } as const;
  return (
    <Button
      variant="default"
      {...(isPossible ? {} : { 'aria-disabled': true, 'data-disabled': true })}
      leftSection={!isForward && <IconChevronLeft {...icon} />}
      rightSection={isForward && <IconChevronRight {...icon} />}
      onClick={() => {
        if (isPossible) onTurn();
      }}
    >
      {children}
    </Button>
  );
}

/** Previous and next page, which one this is, and how many rows one has. */
export function ReportPager({ pagination: { page, pages, limit }, onPage, onLimit }: ReportPagerProps) {
  const sizeId = useId();
  return (
    <nav className={classes.pager} aria-label={t('Pages of reports')}>
      <div className={classes.size}>
        <label htmlFor={sizeId}>{t('Per page')}</label>
        <NativeSelect
          id={sizeId}
          size="xs"
          value={limit}
          data={pageSizes.map((size) => ({ value: String(size), label: formatNumber(size) }))}
          onChange={(event) => onLimit(Number(event.currentTarget.value))}
        />
      </div>
      <div className={classes.turns}>
        <Turn isPossible={page > 1} onTurn={() => onPage(page - 1)}>
          {t('Previous')}
        </Turn>
        <span className={classes.place}>
          {t('Page {page} of {pages}', { page: formatNumber(page), pages: formatNumber(pages) })}
        </span>
        <Turn isPossible={page < pages} isForward onTurn={() => onPage(page + 1)}>
          {t('Next')}
        </Turn>
      </div>
    </nav>
  );
}
