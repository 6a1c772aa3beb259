import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import { IconChevronDown, IconDownload, IconSearch, IconX } from '@tabler/icons-react';
import { type FormEvent, useRef } from 'react';
import { searchMaxLength } from '#contract/constants.ts';
import { BusyButton } from '../../ui/BusyButton.tsx';
import { useText } from '../../ui/text.ts';
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
  const field = useRef<HTMLInputElement>(null);
  const chevron = <IconChevronDown size={18} stroke={1.75} aria-hidden="true" />;

  function submit(event: FormEvent) {
    event.preventDefault();
    onSearch();
  }

  function clear() {
    onClearSearch();
    field.current?.focus();
  }

  return (
    <search>
      <form className={classes.bar} onSubmit={submit}>
        <TextInput
          ref={field}
          className={classes.search}
          label={t('Search')}
          placeholder={t('Search by name or email...')}
          type="text"
          inputMode="search"
          enterKeyHint="search"
          autoComplete="off"
          spellCheck={false}
          maxLength={searchMaxLength}
          value={filters.search}
          onChange={(event) => onType(event.currentTarget.value)}
          leftSection={<IconSearch size={17} stroke={1.75} aria-hidden="true" />}
          rightSection={
            filters.search !== '' && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('Clear search')}
                title={t('Clear search')}
                onClick={clear}
              >
                <IconX size={17} stroke={1.75} />
              </ActionIcon>
            )
          }
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
