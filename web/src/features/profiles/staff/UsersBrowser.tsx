import { Button } from '@mantine/core';
import { lazy, type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import type { BulkKind } from '#contract/moderation/bulk.ts';
import { may } from '#contract/roles.ts';
import type { AdminUser, ListedUser } from '#contract/profiles/user.ts';
import { useNow } from '../../../ui/data/Time.tsx';
import { ListScreen } from '../../../ui/data/table/ListScreen.tsx';
import { useAddressDialog, useListAddress, useTypedSearch } from '../../../ui/data/table/use-list-address.ts';
import { FloatingNotice } from '../../../ui/feedback/Notice.tsx';
import { LazyBoundary } from '../../../ui/loading/LazyBoundary.tsx';
import { formatNumber, prepareFormats } from '../../../ui/text/format.ts';
import { personName } from '../../../ui/text/person.ts';
import { t } from '../../../ui/text/text.ts';
import { type Chosen, type UserSelection, useUserSelection } from './bulk/use-user-selection.ts';
import { hasAddress, useFindUsers } from './find-users.ts';
import { type TagChoices } from './MoreFilters.tsx';
import { FoundNotice, UserFilterBar } from './UserFilterBar.tsx';
import { useUserList } from './use-user-list.ts';
import { UserDialog } from './UserDialog.tsx';
import { useStatusChange } from './use-status-change.tsx';
import { asFilters, asQuery, isFiltered, noFilters, readUserList, type UserSort, withList } from './user-filters.ts';
import { userColumns } from './user-columns.tsx';
import { useOwnRole } from '../../../api/session/permission.ts';

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

interface UsersBrowserProps {
  /** Renders the pictures among a user's details. */
  pictures: (user: AdminUser) => ReactNode;
  /** Renders the subscription among a user's details, for viewers who are allowed to see it. */
  subscription?: ((user: AdminUser) => ReactNode) | undefined;
  /** The tags that users can be filtered by. */
  tags: TagChoices;
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
      <UserFilterBar
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
