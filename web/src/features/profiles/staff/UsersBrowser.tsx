import { Button, NativeSelect } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect } from 'react';
import { useLocation } from 'react-router';
import { exportUsers } from '#contract/profiles/profiles.ts';
import type { AdminUser, ListedUser } from '#contract/profiles/user.ts';
import { callForFile } from '../../../api/call.ts';
import { saveFile } from '../../../ui/data/save-file.ts';
import { useNow } from '../../../ui/data/use-now.ts';
import { LastUpdated } from '../../../ui/feedback/LastUpdated.tsx';
import { ErrorNotice, Notice } from '../../../ui/feedback/Notice.tsx';
import { EmptyState, QueryStates, Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { SearchField } from '../../../ui/form/SearchField.tsx';
import { useStable } from '../../../ui/loading/use-stable.ts';
import { formatNumber, prepareFormats } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';
import { UserDialog } from './UserDialog.tsx';
import { UsersTable } from './UsersTable.tsx';
import { useStatusChange } from './use-status-change.tsx';
import { useListAddress, useOpenUser, useTypingInAddress, useUserList } from './use-user-list.ts';
import { asQuery, isFiltered, type UserFilters, usersLimit, type UserStatus, type UserType } from './user-filters.ts';
import classes from './users.module.css';

async function downloadUsers(query: ReturnType<typeof asQuery>): Promise<void> {
  const { blob, name } = await callForFile(exportUsers, { query });
  saveFile(blob, name ?? 'users.csv');
}

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
          value={filters.status}
          data={statusOptions.map(({ value, label }) => ({ value, label: t(label) }))}
          onChange={(event) => onChoose({ status: event.currentTarget.value as UserStatus })}
        />
        <NativeSelect
          className={classes.select}
          label={t('Type')}
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

function LoadingSkeleton() {
  return (
    <div className={classes.skeleton}>
      <Skeleton height="2.75rem" />
      {Array.from({ length: 8 }, (_, index) => (
        <Skeleton key={index} height="3.6rem" />
      ))}
    </div>
  );
}

/** That more users are on their way, or why not. */
function Foot({ list }: { list: ReturnType<typeof useUserList> }) {
  if (list.moreError !== null) {
    return (
      <div className={classes.foot}>
        <Notice kind="error" onRetry={list.loadMore}>
          {t('Error loading users: {error}', { error: t(list.moreError.message) })}
        </Notice>
      </div>
    );
  }
  return (
    <p className={classes.more} role="status">
      {list.isLoadingMore && t('Loading more users...')}
    </p>
  );
}

interface UsersBrowserProps {
  isModerator: boolean;
  /** What the page adds to a user's details: the pictures. */
  pictures: (user: AdminUser) => ReactNode;
  /** And what they pay, for who may see it. */
  subscription?: ((user: AdminUser) => ReactNode) | undefined;
}

/** Filters, the users that fit, their details and what can be done with them. */
export function UsersBrowser({ isModerator, pictures, subscription }: UsersBrowserProps) {
  const now = useNow(60_000);
  const { key: place } = useLocation();
  const address = useListAddress();
  const { filters, applied, order } = address;
  const list = useUserList({ filters, applied, order, limit: usersLimit(isModerator) });
  useTypingInAddress(list.isComplete, address);
  const opened = useOpenUser();
  const status = useStatusChange();
  /** Downloads all users that fit as CSV, loaded or not. */
  const exporting = useMutation({ mutationFn: downloadUsers });

  const onView = useStable((user: ListedUser) => opened.open(user._id));
  const onActivate = useStable((user: ListedUser) => status.ask(user, true));
  const onDeactivate = useStable((user: ListedUser) => status.ask(user, false));

  useEffect(() => {
    const timer = setTimeout(() => prepareFormats());
    return () => clearTimeout(timer);
  }, []);

  const listKey = JSON.stringify(asQuery(list.isComplete ? filters : applied, order));
  const isUnasked = !list.isComplete && JSON.stringify(asQuery(filters, order)) !== listKey;
  const hasFilters = isFiltered(filters) || isFiltered(applied);

  function choose(chosen: Partial<UserFilters>) {
    address.setFilters({ ...filters, ...chosen });
    if (list.isComplete) address.write({ ...filters, ...chosen });
  }

  function clearSearch() {
    address.setFilters({ ...filters, search: '' });
    address.write({ search: '' });
  }

  function search() {
    address.write(filters);
    list.ask(filters);
  }

  return (
    <>
      <UserFilterBar
        filters={filters}
        isUnasked={isUnasked}
        onType={(text) => address.setFilters({ ...filters, search: text })}
        onChoose={choose}
        onClearSearch={clearSearch}
        onSearch={search}
        exporting={
          isModerator
            ? undefined
            : {
                isBusy: exporting.isPending,
                onExport: () => exporting.mutate(asQuery(list.isComplete ? filters : applied, order)),
              }
        }
      />
      {exporting.error !== null && (
        <div className={classes.notice}>
          <ErrorNotice error={exporting.error} text="Export failed: {error}" />
        </div>
      )}
      <QueryStates
        query={list.source}
        loadingText={t('Loading users data...')}
        skeleton={<LoadingSkeleton />}
        errorText="Error loading users: {error}"
      >
        {() => (
          <>
            <div className={classes.caption}>
              <p role="status" className={classes.count}>
                {t('Showing {shown} of {total} users', {
                  shown: `${formatNumber(list.shown)}${list.isShownExact ? '' : '+'}`,
                  total: formatNumber(list.total),
                })}
              </p>
              {isUnasked && <p className={classes.hint}>{t('Press Enter or Search to apply the filters')}</p>}
              {hasFilters && list.users.length > 0 && (
                <Button className={classes.clear} variant="subtle" size="compact-sm" onClick={address.clear}>
                  {t('Clear filters')}
                </Button>
              )}
              <div className={classes.end}>
                <LastUpdated query={list.source} />
              </div>
            </div>
            {list.users.length === 0 ? (
              <EmptyState
                text={t('No users found matching your criteria')}
                hint={t('New members appear here.')}
                onClearFilters={hasFilters ? address.clear : undefined}
                isFramed
              />
            ) : (
              <>
                <UsersTable
                  users={list.users}
                  list={{ rowCount: list.shown, place, listKey, hasMore: list.hasMore, onNearEnd: list.loadMore }}
                  now={now}
                  order={order}
                  onOrder={address.write}
                  isBusy={list.isCatchingUp}
                  onView={onView}
                  onActivate={onActivate}
                  onDeactivate={onDeactivate}
                />
                <Foot list={list} />
              </>
            )}
          </>
        )}
      </QueryStates>
      {opened.id !== null && (
        <UserDialog
          key={opened.id}
          id={opened.id}
          listed={list.users.find(({ _id }) => _id === opened.id)}
          isEditing={opened.isEditing}
          pictures={pictures}
          subscription={subscription}
          onEdit={opened.edit}
          onClose={opened.close}
        />
      )}
      {status.parts}
    </>
  );
}
