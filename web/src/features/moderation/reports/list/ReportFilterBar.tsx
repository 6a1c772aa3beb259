import { NativeSelect } from '@mantine/core';
import { IconChevronDown, IconRefresh } from '@tabler/icons-react';
import { type FormEvent, type RefObject } from 'react';
import { reportPriorities, reportStatuses, reportTypes } from '#contract/moderation/report.ts';
import { BusyButton } from '../../../../ui/form/BusyButton.tsx';
import { SearchField } from '../../../../ui/form/SearchField.tsx';
import { useText } from '../../../../ui/text/text.ts';
import type { ReportList, ReportOrder } from './report-filters.ts';
import { priorityWords, statusWords } from '../report-words.ts';
import classes from './ReportFilterBar.module.css';

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
  const t = useText();
  const chevron = <IconChevronDown size={18} stroke={1.75} aria-hidden="true" />;

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
          rightSection={chevron}
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
          rightSection={chevron}
          value={list.problem_type}
          onChange={(event) => onChoose({ problem_type: event.currentTarget.value as ReportList['problem_type'] })}
          data={[{ value: '', label: t('All Types') }, ...reportTypes.map((type) => ({ value: type, label: t(type) }))]}
        />
        <NativeSelect
          className={classes.select}
          label={t('Priority')}
          rightSection={chevron}
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
          rightSection={chevron}
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
