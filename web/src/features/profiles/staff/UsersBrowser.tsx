import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useLocation } from 'react-router';
import { exportUsers } from '#contract/profiles/profiles.ts';
import type { AdminUser, ListedUser } from '#contract/profiles/user.ts';
import { callForFile } from '../../../api/call.ts';
import { useNow } from '../../../ui/data/Time.tsx';
import { saveFile } from '../../../ui/data/save-file.ts';
import {
  FilterBar,
  FilterSelect,
  ListCaption,
  ListSkeleton,
  MoreRows,
  SearchField,
} from '../../../ui/data/table/ListParts.tsx';
import { useAddressDialog, useListAddress, useTypedSearch } from '../../../ui/data/table/use-list-address.ts';
import { LastUpdated } from '../../../ui/feedback/LastUpdated.tsx';
import { ErrorNotice } from '../../../ui/feedback/Notice.tsx';
import { EmptyState, QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { formatNumber, prepareFormats } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';
import { UserDialog } from './UserDialog.tsx';
import { UsersTable } from './UsersTable.tsx';
import { type PendingChanges, usePendingChanges } from './queries.ts';
import { useStatusChange } from './use-status-change.tsx';
import {
  asQuery,
  filterUsers,
  firstUsers,
  indexUsers,
  isFiltered,
  noFilters,
  readUserList,
  sortUsers,
  type UserFilters,
  type UserList,
  usersQuery,
  type UserStatus,
  type UserType,
  withList,
} from './user-filters.ts';
import classes from './users.module.css';
import { useMay } from '../../../api/session/permission.ts';

const statuses: [UserStatus, string][] = [
  ['all', 'All Status'],
  ['active', 'Active'],
  ['inactive', 'Inactive'],
  ['online', 'Online'],
  ['verified', 'Verified'],
];
const types: [UserType, string][] = [
  ['all', 'All Types'],
  ['vip', 'VIP'],
  ['free', 'Free'],
];

/** Downloads all users that fit as CSV, loaded or not. */
async function downloadUsers(list: UserList): Promise<void> {
  const { blob, name } = await callForFile(exportUsers, { query: asQuery(list) });
  saveFile(blob, name ?? 'users.csv');
}

const errorText = 'Error loading users: {error}';

interface FiltersProps {
  address: ReturnType<typeof useListAddress<UserList>>;
  list: ReturnType<typeof useUserList>;
  /** The list doesn't follow what was typed and chosen yet. */
  isUnasked: boolean;
}

/** What the list is limited to, and its export. */
function Filters({ address, list, isUnasked }: FiltersProps) {
  const { draft } = address;
  const mayExport = useMay('users.export');
  const exporting = useMutation({ mutationFn: downloadUsers });

  function choose(chosen: Partial<UserFilters>) {
    if (list.isComplete) address.choose(chosen);
    else address.type(chosen);
  }

  function search() {
    address.write(draft);
    list.ask();
  }

  return (
    <>
      <FilterBar onSubmit={search}>
        <SearchField
          placeholder={t('Search by name or email...')}
          value={draft.search}
          onType={(text) => address.type({ search: text })}
          onClear={() => address.apply({ search: '' })}
        />
        <FilterSelect
          label={t('Status')}
          value={draft.status}
          choices={statuses}
          onChoose={(chosen) => choose({ status: chosen })}
        />
        <FilterSelect
          label={t('Type')}
          value={draft.type}
          choices={types}
          onChoose={(chosen) => choose({ type: chosen })}
        />
        <Button type="submit" variant={isUnasked ? 'filled' : 'default'}>
          {t('Search')}
        </Button>
        {mayExport && (
          <BusyButton
            variant="default"
            isBusy={exporting.isPending}
            busyText={t('Exporting...')}
            leftSection={<IconDownload size={17} stroke={1.75} aria-hidden="true" />}
            onClick={() => exporting.mutate(list.wanted)}
          >
            {t('Export')}
          </BusyButton>
        )}
      </FilterBar>
      {exporting.error !== null && (
        <div className={classes.notice}>
          <ErrorNotice error={exporting.error} text="Export failed: {error}" />
        </div>
      )}
    </>
  );
}

interface UsersBrowserProps {
  /** What the page adds to a user's details: the pictures. */
  pictures: (user: AdminUser) => ReactNode;
  /** And what they pay, for viewers who may see it. */
  subscription?: ((user: AdminUser) => ReactNode) | undefined;
}

/** Filters, the users that fit, their details and what can be done with them. */
export function UsersBrowser({ pictures, subscription }: UsersBrowserProps) {
  const now = useNow(60_000);
  const { key: place } = useLocation();
  const address = useListAddress(readUserList, withList);
  const { list: applied, draft } = address;
  const list = useUserList(applied, draft);
  useTypedSearch(address, list.isComplete);
  const dialog = useAddressDialog('user', 'edit');
  const status = useStatusChange();

  const onView = (user: ListedUser) => dialog.open(user._id);
  const onActivate = (user: ListedUser) => status.ask(user, true);
  const onDeactivate = (user: ListedUser) => status.ask(user, false);

  useEffect(() => {
    const timer = setTimeout(prepareFormats);
    return () => clearTimeout(timer);
  }, []);

  const listKey = JSON.stringify(asQuery(list.wanted));
  const isUnasked = JSON.stringify(asQuery(draft)) !== listKey;
  const clear = isFiltered(draft) || isFiltered(applied) ? () => address.apply(noFilters) : undefined;

  return (
    <>
      <Filters address={address} list={list} isUnasked={isUnasked} />
      <QueryStates
        query={list.source}
        loadingText={t('Loading users data...')}
        skeleton={<ListSkeleton rowHeight="3.6rem" />}
        errorText={errorText}
      >
        {() => (
          <>
            <ListCaption
              text={t('Showing {shown} of {total} users', {
                shown: `${formatNumber(list.shown)}${list.isShownExact ? '' : '+'}`,
                total: formatNumber(list.total),
              })}
              hint={isUnasked && t('Press Enter or Search to apply the filters')}
              onClear={list.users.length > 0 ? clear : undefined}
              end={<LastUpdated query={list.source} />}
            />
            {list.users.length === 0 ? (
              <EmptyState
                text={t('No users found matching your criteria')}
                hint={t('New members appear here.')}
                onClearFilters={clear}
                isFramed
              />
            ) : (
              <>
                <UsersTable
                  users={list.users}
                  list={{ rowCount: list.shown, place, listKey, hasMore: list.hasMore, onNearEnd: list.loadMore }}
                  now={now}
                  order={applied}
                  onOrder={address.apply}
                  isBusy={list.isCatchingUp}
                  onView={onView}
                  onActivate={onActivate}
                  onDeactivate={onDeactivate}
                />
                <MoreRows query={list.source} loadingText={t('Loading more users...')} errorText={errorText} />
              </>
            )}
          </>
        )}
      </QueryStates>
      {dialog.value !== null && (
        <UserDialog
          key={dialog.value}
          id={dialog.value}
          listed={list.users.find(({ _id }) => _id === dialog.value)}
          isEditing={dialog.detail === 'true'}
          pictures={pictures}
          subscription={subscription}
          onEdit={(isEditing) => dialog.setDetail(isEditing ? 'true' : null)}
          onClose={dialog.close}
        />
      )}
      {status.parts}
    </>
  );
}

function withPending(users: readonly ListedUser[], pending: PendingChanges): readonly ListedUser[] {
  if (pending.size === 0) return users;
  return users.map((user) => {
    const change = pending.get(user._id);
    return change === undefined ? user : { ...user, ...change };
  });
}

/**
 * The users to show. While all are loaded, filters and order act at once on them; beyond that, and whenever Enter or
 * Search asked for exactly these filters, the server's answer counts.
 */
function useUserList(applied: UserList, draft: UserList) {
  const all = useInfiniteQuery(usersQuery(firstUsers));
  const isComplete = all.data !== undefined && !all.hasNextPage;
  const [asked, setAsked] = useState<string | null>(null);

  const wanted = isComplete ? draft : applied;
  const query = JSON.stringify(asQuery(wanted));
  const isAsked = asked === query || (all.data !== undefined && !isComplete);
  const answered = useInfiniteQuery({
    ...usersQuery(wanted),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  const isLocal = isComplete && (!isAsked || answered.data === undefined || answered.isPlaceholderData);

  const pending = usePendingChanges();
  const allUsers = useMemo(() => all.data?.pages.flatMap((page) => page.users) ?? [], [all.data]);
  const answeredUsers = useMemo(() => answered.data?.pages.flatMap((page) => page.users) ?? [], [answered.data]);

  const deferred = useDeferredValue(draft);
  const index = useMemo(
    () => (isLocal ? indexUsers(withPending(allUsers, pending)) : []),
    [isLocal, allUsers, pending],
  );
  const { sortBy, sortOrder } = applied;
  const sorted = useMemo(() => sortUsers(index, { sortBy, sortOrder }), [index, sortBy, sortOrder]);
  const found = useMemo(() => filterUsers(sorted, deferred).map(({ user }) => user), [sorted, deferred]);
  const users = useMemo(
    () => (isLocal ? found : withPending(answeredUsers, pending)),
    [isLocal, found, answeredUsers, pending],
  );

  const source = isLocal || all.data === undefined ? all : answered;
  const pagination = answered.data?.pages[0]?.pagination;

  /** Enter or Search: asks the server for these filters, again if the answer is cached. */
  function ask() {
    const asking = JSON.stringify(asQuery(draft));
    if (asking === query && isAsked) void answered.refetch();
    setAsked(asking);
  }

  return {
    /** The query behind what is shown, for its states. */
    source,
    /** All users are loaded, so filters act at once. */
    isComplete,
    users,
    /** How many fit the filters. */
    shown: isLocal ? users.length : (pagination?.total ?? 0),
    isShownExact: isLocal || pagination?.totalIsExact !== false,
    total: all.data?.pages[0]?.pagination.total ?? 0,
    /** The rows are still those of the filters before. */
    isCatchingUp: !isLocal && answered.isPlaceholderData,
    /** What the rows follow. */
    wanted,
    hasMore: !isLocal && source.hasNextPage,
    loadMore: () => {
      if (source.hasNextPage && !source.isFetchingNextPage) void source.fetchNextPage();
    },
    ask,
  };
}
