import { msg, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { AdminUser, ListedUser } from '#contract/profiles/user.ts';
import { hasAtSign } from '#contract/text.ts';
import { useMay } from '../../../api/session/permission.ts';
import { useNow } from '../../../ui/data/Time.tsx';
import { ListScreen } from '../../../ui/data/table/ListScreen.tsx';
import { useAddressDialog, useListAddress, useTypedSearch } from '../../../ui/data/table/use-list-address.ts';
import { useCurrentRow } from '../../../ui/data/table/use-row-keys.ts';
import { lazyPart } from '../../../ui/loading/LazyBoundary.tsx';
import { formatNumber, prepareFormats } from '../../../ui/text/format.ts';
import { personName } from '../../../ui/text/person.ts';
import { useUserActs } from './bulk/use-user-acts.tsx';
import { type UserSelection, useUserSelection } from './bulk/use-user-selection.ts';
import { useUserColumns } from './ColumnsMenu.tsx';
import { termsToFind, useFindUsers } from './find-users.ts';
import type { TagChoices } from './more-filter-words.ts';
import { FoundNotice, UserFilterBar } from './UserFilterBar.tsx';
import { ShowAddresses } from './ShowAddresses.tsx';
import { useUserKeys } from './use-user-keys.ts';
import { useUserList } from './use-user-list.ts';
import { useUserLists } from './use-user-lists.tsx';
import { useStatusChange } from './use-status-change.tsx';
import { asFilters, asQuery, isFiltered, noFilters, readUserList, type UserSort, withList } from './user-filters.ts';
import { userColumns } from './user-columns.tsx';
import { UserBulkBar } from './bulk/UserBulkBar.tsx';

const texts = {
  loading: msg`Loading users data...`,
  error: msg({ message: 'Error loading users: {error}' }),
  empty: msg`No users found matching your criteria`,
  emptyHint: msg`New members appear here.`,
  more: msg`Loading more users...`,
};
const selectLabel = (user: ListedUser) => t`Select ${{ name: personName(user) ?? t`Unknown` }}`;

/** In its own chunk, which is loaded once the list is there. */
const [UserDialog, preloadDialog] = lazyPart(async () => (await import('./UserDialog.tsx')).UserDialog);

interface UsersBrowserProps {
  /** Renders the pictures among a user's details. */
  pictures: (user: AdminUser) => ReactNode;
  /** Renders the subscription among a user's details, for viewers who are allowed to see it. */
  subscription?: ((user: AdminUser) => ReactNode) | undefined;
  /** The tags that users can be filtered by. */
  tags: TagChoices;
}

/** Whether users are being selected; until then, the list has its specified columns. */
function useSelecting({ toggle, selectLoaded, loadedCount, clear, chosen }: UserSelection) {
  const [isSelecting, setSelecting] = useState(false);
  const [mayNote, mayExport] = [useMay('users.note'), useMay('users.export')];
  function leave() {
    clear();
    setSelecting(false);
  }
  return {
    isSelecting,
    may: mayNote || mayExport,
    leave: isSelecting ? leave : null,
    select: (id: string) => {
      setSelecting(true);
      toggle(id);
    },
    buttons: (
      <>
        {isSelecting && chosen.count === 0 && (
          <Button variant="subtle" size="compact-sm" onClick={selectLoaded}>
            {t`Select the ${{ count: formatNumber(loadedCount) }} loaded`}
          </Button>
        )}
        <Button variant="subtle" size="compact-sm" onClick={isSelecting ? leave : () => setSelecting(true)}>
          {isSelecting ? t`Done` : t`Select users`}
        </Button>
      </>
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
  const chosenColumns = useUserColumns();
  const { columns, leastRem } = userColumns(
    { commands: { onView, onActivate, onDeactivate }, now },
    chosenColumns.shown,
  );

  useEffect(() => {
    const timer = setTimeout(() => {
      prepareFormats();
      preloadDialog();
    });
    return () => clearTimeout(timer);
  }, []);

  const found = find.data;
  const rows = found?.users ?? list.users;
  function leaveFound() {
    find.reset();
    if (termsToFind(draft.search) !== null) address.type({ search: '' });
  }
  const foundNotice = found !== undefined && <FoundNotice found={found} onClear={leaveFound} />;
  const listKey = JSON.stringify(asQuery(list.wanted));
  const isUnasked = JSON.stringify(asQuery(draft)) !== listKey;
  const everyone = asFilters(list.wanted);
  const selection = useUserSelection({ rows, query: found === undefined ? everyone : null, total: list.shown });
  const selecting = useSelecting(selection);
  const { isSelecting } = selecting;
  const acts = useUserActs(selection, tags, chosenColumns.toExport);
  const lists = useUserLists(applied, tags);
  const shownKey = found === undefined ? listKey : 'found';
  const current = useCurrentRow(rows, shownKey);
  const field = useRef<HTMLInputElement>(null);
  useUserKeys({
    rows: current,
    search: field,
    onOpen: dialog.open,
    onSelect: selecting.may ? selecting.select : null,
    onLeave: selecting.leave,
  });
  const clear = isFiltered(draft) || isFiltered(applied) ? () => address.apply(noFilters) : undefined;

  return (
    <>
      {lists.links}
      <UserFilterBar
        address={address}
        list={list}
        find={find}
        tags={tags}
        columns={chosenColumns}
        field={field}
        isUnasked={isUnasked}
        onExport={() => acts.exportAll({ selection: { filters: everyone }, count: list.shown })}
      />
      {rows.length > 0 && foundNotice}
      <ShowAddresses users={rows} onShown={() => found !== undefined && find.mutate(find.variables)} />
      <ListScreen
        query={list.source}
        label={t`Users`}
        rows={rows}
        columns={columns}
        texts={texts}
        rowHeight="3.6rem"
        growth="table"
        onClear={clear}
        emptyState={foundNotice || undefined}
        caption={{
          text: t`Showing ${{
            shown:
              found === undefined
                ? `${formatNumber(list.shown)}${list.isShownExact ? '' : '+'}`
                : formatNumber(found.users.length),
          }} of ${{ total: formatNumber(list.total) }} users`,
          isTextHidden: false,
          children: (
            <>
              {selecting.may && (rows.length > 0 || isSelecting) && selecting.buttons}
              {found === undefined && lists.buttons}
            </>
          ),
          hint: isUnasked && !hasAtSign(draft.search) && t`Press Enter or Search to apply the filters`,
          onClear: clear,
        }}
        current={current}
        selection={isSelecting ? { ids: selection.ids, toggle: selection.toggle, labelOf: selectLabel } : undefined}
        above={
          selection.chosen.count > 0 && (
            <UserBulkBar
              selection={selection}
              total={`${formatNumber(list.shown)}${list.isShownExact ? '' : '+'}`}
              onAct={acts.act}
              onExport={() => acts.exportAll(selection.chosen)}
            />
          )
        }
        table={{
          minWidth: `${leastRem[0] + (isSelecting ? 4.5 : 0)}rem`,
          tabletMinWidth: `${leastRem[1] + (isSelecting ? 4.5 : 0)}rem`,
          isBusy: list.isCatchingUp,
          sorting: [{ id: applied.sortBy, desc: applied.sortOrder === 'desc' }],
          onSort: ([sorted]) => {
            if (sorted) address.apply({ sortBy: sorted.id as UserSort, sortOrder: sorted.desc ? 'desc' : 'asc' });
          },
          virtual: {
            rowCount: found?.users.length ?? list.shown,
            rowRem: 4,
            tabletRowRem: 5.5,
            cardPx: 246,
            place,
            listKey: shownKey,
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
      {lists.dialog}
    </>
  );
}
