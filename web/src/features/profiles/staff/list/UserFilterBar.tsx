import { Button, NativeSelect } from '@mantine/core';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import type { FormEvent } from 'react';
import { BusyButton } from '../../../../ui/form/BusyButton.tsx';
import { SearchField } from '../../../../ui/form/SearchField.tsx';
import { useText } from '../../../../ui/text/text.ts';
import type { UserFilters, UserStatus, UserType } from './user-filters.ts';
import classes from './UserFilterBar.module.css';

const statusOptions: { value: UserStatus; label: string }[] = [
  { value: 'all', label: 'All Status' },
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
  { value: 'online', label: 'Online' },
  { value: 'verified', label: 'Verified' },
];
const typeOptions: { value: UserType; label: string }[] = [
  { value: 'all', label: 'All Types' },
  { value: 'vip', label: 'VIP' },
  { value: 'free', label: 'Free' },
];

interface UserFilterBarProps {
  filters: UserFilters;
  /** Some filter is chosen that the rows do not follow yet. */
  isUnasked: boolean;
  onType: (search: string) => void;
  onChoose: (chosen: Partial<UserFilters>) => void;
  onClearSearch: () => void;
  onSearch: () => void;
  /** Undefined for those who may not export. */
  exporting: { isBusy: boolean; onExport: () => void } | undefined;
}

/** Search, status, type; Enter and Search ask the server. */
export function UserFilterBar(props: UserFilterBarProps) {
  const { filters, isUnasked, onType, onChoose, onClearSearch, onSearch, exporting } = props;
  const t = useText();
  const chevron = <IconChevronDown size={18} stroke={1.75} aria-hidden="true" />;

  function submit(event: FormEvent) {
    event.preventDefault();
    onSearch();
  }

  return (
    <search>
      <form className={classes.bar} onSubmit={submit}>
        <SearchField
          className={classes.search}
          placeholder={t('Search by name or email...')}
          value={filters.search}
          onType={onType}
          onClear={onClearSearch}
        />
        <NativeSelect
          className={classes.select}
          label={t('Status')}
          rightSection={chevron}
          value={filters.status}
          data={statusOptions.map(({ value, label }) => ({ value, label: t(label) }))}
          onChange={(event) => onChoose({ status: event.currentTarget.value as UserStatus })}
        />
        <NativeSelect
          className={classes.select}
          label={t('Type')}
          rightSection={chevron}
          value={filters.type}
          data={typeOptions.map(({ value, label }) => ({ value, label: t(label) }))}
          onChange={(event) => onChoose({ type: event.currentTarget.value as UserType })}
        />
        <Button type="submit" variant={isUnasked ? 'filled' : 'default'} className={classes.button}>
          {t('Search')}
        </Button>
        {exporting && (
          <BusyButton
            className={classes.button}
            variant="default"
            isBusy={exporting.isBusy}
            busyText={t('Exporting...')}
            leftSection={<IconDownload size={17} stroke={1.75} aria-hidden="true" />}
            onClick={exporting.onExport}
          >
            {t('Export')}
          </BusyButton>
        )}
      </form>
    </search>
  );
}
