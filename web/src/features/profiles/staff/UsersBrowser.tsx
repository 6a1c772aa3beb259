import { Box, Button } from '@mantine/core';
import { IconDownload, IconFilter } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type ClipboardEvent, lazy, type ReactNode, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { findTermsIn } from '#contract/profiles/find.ts';
import type { BulkKind } from '#contract/moderation/bulk.ts';
import { may } from '#contract/roles.ts';
import type { AdminUser, ListedUser } from '#contract/profiles/user.ts';
import { useNow } from '../../../ui/data/Time.tsx';
import { ListFilters, ListScreen } from '../../../ui/data/table/ListScreen.tsx';
import { useAddressDialog, useListAddress, useTypedSearch } from '../../../ui/data/table/use-list-address.ts';
import { ErrorNotice, FloatingNotice, Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { LazyBoundary } from '../../../ui/loading/LazyBoundary.tsx';
import { formatNumber, prepareFormats } from '../../../ui/text/format.ts';
import { personName } from '../../../ui/text/person.ts';
import { t } from '../../../ui/text/text.ts';
import { type Chosen, type UserSelection, useUserSelection } from './bulk/use-user-selection.ts';
import { type Found, hasAddress, termsToFind, useFindUsers } from './find-users.ts';
import { statuses, types } from './more-filter-words.ts';
import { MoreFilterChips, MoreFilters, type TagChoices } from './MoreFilters.tsx';
import { UserDialog } from './UserDialog.tsx';
import { type PendingChanges, usePendingChanges } from './queries.ts';
import { useStatusChange } from './use-status-change.tsx';
import {
  asFilters,
  asQuery,
  filterUsers,
  firstUsers,
  indexUsers,
  isFiltered,
  noFilters,
  readUserList,
  setFilters,
  sortUsers,
  type UserList,
  usersQuery,
  type UserSort,
  withList,
} from './user-filters.ts';
import { userColumns } from './user-columns.tsx';
import { useMay, useOwnRole } from '../../../api/session/permission.ts';

const filters = [
  { name: 'status', label: 'Status', choices: statuses },
  { name: 'type', label: 'Type', choices: types },
] as const;
const texts = {
  loading: 'Loading users data...',
  error: 'Error loading users: {error}',
  empty: 'No users found matching your criteria',
  emptyHint: 'New members appear here.',
  more: 'Loading more users...',
};
const userId = ({ _id }: ListedUser) => _id;
const selectLabel = (user: ListedUser) => t('Select {name}', { name: personName(user) ?? t('Unknown') });

const ExportDialog = lazy(async () => ({ default: (await import('./ExportDialog.tsx')).ExportDialog }));
const UserBulkBar = lazy(async () => ({ default: (await import('./bulk/UserBulkBar.tsx')).UserBulkBar }));
const UserBulkDialog = lazy(async () => ({ default: (await import('./bulk/UserBulkDialog.tsx')).UserBulkDialog }));

interface FiltersProps {
  address: ReturnType<typeof useListAddress<UserList>>;
  list: ReturnType<typeof useUserList>;
  find: ReturnType<typeof useFindUsers>;
  tags: TagChoices;
  /** The list doesn't match the filters that were typed and chosen yet. */
  isUnasked: boolean;
  onExport: () => void;
}

/** The filters of the list, looking people up by address or id, and the button to export. */
function Filters({ address, list, find, tags, isUnasked, onExport }: FiltersProps) {
  const navigate = useNavigate();
  const mayExport = useMay('users.export');
  const [isChoosing, setChoosing] = useState(false);
  const { draft } = address;

  function look(terms: readonly string[]) {
    find.mutate(terms, {
      onSuccess: ({ users }) => {
        if (terms.length === 1 && users.length === 1) void navigate(`/users/${users[0]?._id}`);
      },
    });
  }

  function search() {
    const terms = termsToFind(draft.search);
    if (terms !== null) return look(terms);
    find.reset();
    if (hasAddress(draft.search)) return;
    address.write(draft);
    list.ask();
  }

  /** Several addresses or ids at once: a field of one line would join them. */
  function paste(event: ClipboardEvent) {
    const terms = findTermsIn(event.clipboardData.getData('text'));
    if (terms.length < 2) return;
    event.preventDefault();
    look(terms);
  }

  return (
    <div onPasteCapture={paste}>
      <ListFilters
        address={address}
        onChoose={list.isComplete ? address.choose : address.type}
        onSubmit={search}
        search={{ placeholder: t('Search by name or email...') }}
        filters={filters}
      >
        <Button
          variant="default"
          leftSection={<IconFilter size={17} stroke={1.75} aria-hidden="true" />}
          onClick={() => setChoosing(true)}
        >
          {t('More filters')}
        </Button>
        <BusyButton
          type="submit"
          variant={isUnasked || termsToFind(draft.search) !== null ? 'filled' : 'default'}
          isBusy={find.isPending}
          busyText={t('Searching...')}
        >
          {t('Search')}
        </BusyButton>
        {mayExport && (
          <Button
            variant="default"
            leftSection={<IconDownload size={17} stroke={1.75} aria-hidden="true" />}
            onClick={onExport}
          >
            {t('Export')}
          </Button>
        )}
        <MoreFilterChips filters={draft} tags={tags} onChange={address.apply} />
      </ListFilters>
      {hasAddress(draft.search) && termsToFind(draft.search) === null && (
        <Hint mb="1rem">{t('Type or paste the whole address to look someone up.')}</Hint>
      )}
      {find.error !== null && (
        <Box mb="1rem">
          <ErrorNotice error={find.error} text="Search failed: {error}" />
        </Box>
      )}
      {isChoosing && (
        <MoreFilters filters={draft} tags={tags} onChange={address.apply} onClose={() => setChoosing(false)} />
      )}
    </div>
  );
}

interface UsersBrowserProps {
  /** Renders the pictures among a user's details. */
  pictures: (user: AdminUser) => ReactNode;
  /** Renders the subscription among a user's details, for viewers who are allowed to see it. */
  subscription?: ((user: AdminUser) => ReactNode) | undefined;
  /** The tags that users can be filtered by. */
  tags: TagChoices;
}

/** What looking people up by address or id found, and what it didn't. */
function FoundNotice({ found, onClear }: { found: Found; onClear: () => void }) {
  const { users, notFound, remaining, leftOut } = found;
  return (
    <Notice
      mb="1rem"
      kind={users.length === 0 ? 'error' : 'info'}
      action={
        <Button variant="subtle" size="xs" onClick={onClear}>
          {t('Show the list again')}
        </Button>
      }
    >
      <p>
        {t('{count, plural, =0 {No one found.} one {# person found.} other {# people found.}}', {
          count: users.length,
        })}
        {remaining !== null &&
          ` ${t('{count, plural, one {# more address} other {# more addresses}} this hour.', { count: remaining })}`}
        {leftOut > 0 && ` ${t('{count} more were left out: look up 100 at once at most.', { count: leftOut })}`}
      </p>
      {notFound.length > 0 && <p dir="auto">{t('Not found: {terms}', { terms: notFound.join(', ') })}</p>}
    </Notice>
  );
}

/** The dialogs for acts on many users and for exports. */
function useUserActs(selection: UserSelection, tags: TagChoices) {
  const [asked, setAsked] = useState<{ kind: BulkKind | 'export'; chosen: Chosen } | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const close = () => setAsked(null);
  return {
    act: (kind: BulkKind) => setAsked({ kind, chosen: selection.chosen }),
    exportAll: (chosen: Chosen) => setAsked({ kind: 'export', chosen }),
    parts: (
      <LazyBoundary onClose={close}>
        {asked?.kind === 'export' && (
          <ExportDialog
            chosen={asked.chosen}
            onClose={close}
            onDone={(text) => {
              close();
              setSaid(text);
            }}
          />
        )}
        {asked !== null && asked.kind !== 'export' && (
          <UserBulkDialog
            kind={asked.kind}
            chosen={asked.chosen}
            tags={tags}
            onClose={(hasRun) => {
              close();
              if (hasRun) selection.clear();
            }}
          />
        )}
        {said !== null && (
          <FloatingNotice kind="success" onClose={() => setSaid(null)}>
            {said}
          </FloatingNotice>
        )}
      </LazyBoundary>
    ),
  };
}

/** The filters, the matching users, their details, and the actions on them. */
export function UsersBrowser({ pictures, subscription, tags }: UsersBrowserProps) {
  const now = useNow(60_000);
  const { key: place } = useLocation();
  const address = useListAddress(readUserList, withList);
  const { list: applied, draft } = address;
  const list = useUserList(applied, draft);
  const find = useFindUsers();
  useTypedSearch(address, list.isComplete);
  const dialog = useAddressDialog('user', 'edit');
  const status = useStatusChange();

  const onView = (user: ListedUser) => dialog.open(user._id);
  const onActivate = (user: ListedUser) => status.ask(user, true);
  const onDeactivate = (user: ListedUser) => status.ask(user, false);
  const columns = userColumns({ onView, onActivate, onDeactivate }, now);

  useEffect(() => {
    const timer = setTimeout(prepareFormats);
    return () => clearTimeout(timer);
  }, []);

  const found = find.data;
  const rows = found?.users ?? list.users;
  const listKey = JSON.stringify(asQuery(list.wanted));
  const isUnasked = JSON.stringify(asQuery(draft)) !== listKey;
  const everyone = asFilters(list.wanted);
  const selection = useUserSelection({ rows, query: found === undefined ? everyone : null, total: list.shown });
  const role = useOwnRole();
  const maySelect = may(role, 'users.note') || may(role, 'users.export');
  // The list has its specified columns until someone wants to select.
  const [isSelecting, setSelecting] = useState(false);
  const acts = useUserActs(selection, tags);
  const clear = isFiltered(draft) || isFiltered(applied) ? () => address.apply(noFilters) : undefined;

  return (
    <>
      <Filters
        address={address}
        list={list}
        find={find}
        tags={tags}
        isUnasked={isUnasked}
        onExport={() => acts.exportAll({ selection: { filters: everyone }, count: list.shown })}
      />
      {found !== undefined && <FoundNotice found={found} onClear={find.reset} />}
      <ListScreen
        query={list.source}
        label={t('Users')}
        rows={rows}
        rowId={userId}
        columns={columns}
        texts={texts}
        rowHeight="3.6rem"
        growth="table"
        onClear={clear}
        caption={{
          text: t('Showing {shown} of {total} users', {
            shown:
              found === undefined
                ? `${formatNumber(list.shown)}${list.isShownExact ? '' : '+'}`
                : formatNumber(found.users.length),
            total: formatNumber(list.total),
          }),
          isTextHidden: false,
          children: maySelect && rows.length > 0 && selection.chosen.count === 0 && (
            <Button
              variant="subtle"
              size="compact-sm"
              onClick={isSelecting ? selection.selectPage : () => setSelecting(true)}
            >
              {t(isSelecting ? 'Select page' : 'Select users')}
            </Button>
          ),
          hint: isUnasked && !hasAddress(draft.search) && t('Press Enter or Search to apply the filters'),
          onClear: clear,
        }}
        selection={isSelecting ? { ids: selection.ids, toggle: selection.toggle, labelOf: selectLabel } : undefined}
        above={
          selection.chosen.count > 0 && (
            <LazyBoundary>
              <UserBulkBar
                selection={selection}
                total={`${formatNumber(list.shown)}${list.isShownExact ? '' : '+'}`}
                onAct={acts.act}
                onExport={() => acts.exportAll(selection.chosen)}
              />
            </LazyBoundary>
          )
        }
        table={{
          minWidth: isSelecting ? '48.5rem' : '44rem',
          tabletMinWidth: isSelecting ? '49.5rem' : '45rem',
          isBusy: list.isCatchingUp,
          sorting: [{ id: applied.sortBy, desc: applied.sortOrder === 'desc' }],
          onSort: ([sorted]) => {
            if (sorted) address.apply({ sortBy: sorted.id as UserSort, sortOrder: sorted.desc ? 'desc' : 'asc' });
          },
          virtual: {
            rowCount: found?.users.length ?? list.shown,
            rowRem: 4,
            tabletRowRem: 5,
            cardPx: 246,
            place,
            listKey: found === undefined ? listKey : 'found',
            hasMore: found === undefined && list.hasMore,
            onNearEnd: list.loadMore,
          },
        }}
      />
      {dialog.value !== null && (
        <UserDialog
          key={dialog.value}
          id={dialog.value}
          listed={rows.find(({ _id }) => _id === dialog.value)}
          isEditing={dialog.detail === 'true'}
          pictures={pictures}
          subscription={subscription}
          onEdit={(isEditing) => dialog.setDetail(isEditing ? 'true' : null)}
          onClose={dialog.close}
        />
      )}
      {status.parts}
      {acts.parts}
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
 * The users to show. If all users are loaded, filters and order are applied to them at once. Otherwise, and whenever
 * Enter or Search requested exactly these filters, the server's answer is shown.
 */
function useUserList(applied: UserList, draft: UserList) {
  const all = useInfiniteQuery(usersQuery(firstUsers));
  const isOnServer = setFilters(draft).length > 0 || setFilters(applied).length > 0;
  const isComplete = all.data !== undefined && !all.hasNextPage && !isOnServer;
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

  /** Requests the list for these filters from the server, even if the answer is cached. Called by Enter or Search. */
  function ask() {
    const asking = JSON.stringify(asQuery(draft));
    if (asking === query && isAsked) void answered.refetch();
    setAsked(asking);
  }

  return {
    /** The query that the shown rows come from, for its states. */
    source,
    /** All users are loaded, so filters are applied at once. */
    isComplete,
    users,
    /** The number of users that match the filters. */
    shown: isLocal ? users.length : (pagination?.total ?? 0),
    isShownExact: isLocal || pagination?.totalIsExact !== false,
    total: all.data?.pages[0]?.pagination.total ?? 0,
    /** The rows still belong to the previous filters. */
    isCatchingUp: !isLocal && answered.isPlaceholderData,
    /** The filters that the rows belong to. */
    wanted,
    hasMore: !isLocal && source.hasNextPage,
    loadMore: () => {
      if (source.hasNextPage && !source.isFetchingNextPage) void source.fetchNextPage();
    },
    ask,
  };
}
