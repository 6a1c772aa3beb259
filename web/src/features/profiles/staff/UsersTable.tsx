import { IconEye, IconUserCheck, IconUserOff } from '@tabler/icons-react';
import { createColumnHelper, type SortingState } from '@tanstack/react-table';
import { createContext, type ReactNode, use, useMemo } from 'react';
import type { ListedUser } from '#contract/profiles/user.ts';
import { Avatar } from '../../../ui/data/Avatar.tsx';
import {
  CutText,
  DataTable,
  type dataTableFeatures,
  RowAction,
  RowActions,
  ShortId,
} from '../../../ui/data/DataTable.tsx';
import { Time } from '../../../ui/data/Time.tsx';
import { personName } from '../../../ui/text/person.ts';
import { t } from '../../../ui/text/text.ts';
import type { UserOrder, UserSort } from './user-filters.ts';
import { LastActive, shortUserId, StatusTag, SubscriptionTag, VerifiedTag } from './UserMarks.tsx';
import classes from './users.module.css';

/** What cells need beyond their user; the functions are stable. */
interface UserRowContext {
  /** The current time in ms, for last-active. */
  now: number;
  onView: (user: ListedUser) => void;
  onActivate: (user: ListedUser) => void;
  onDeactivate: (user: ListedUser) => void;
}

const RowContext = createContext<UserRowContext | null>(null);

function useRowContext(): UserRowContext {
  const context = use(RowContext);
  if (context === null) throw new Error('A cell of the users table is outside of it');
  return context;
}

function Person({ user, size, children }: { user: ListedUser; size?: number; children: ReactNode }) {
  const name = personName(user) ?? t('Unknown');
  return (
    <div className={classes.person}>
      <Avatar id={user._id} name={personName(user)} picture={user.profilePicture} {...(size && { size })} />
      <div className={classes.lines}>
        <strong className={classes.name} title={name} dir="auto">
          {name}
        </strong>
        {children}
      </div>
    </div>
  );
}

function LastActiveCell({ user }: { user: ListedUser }) {
  return <LastActive time={user.lastActive} now={useRowContext().now} />;
}

/** View, activate, deactivate; the last two only where the server lets the viewer change users. */
function Actions({ user }: { user: ListedUser }) {
  const { onView, onActivate, onDeactivate } = useRowContext();
  const name = personName(user) ?? t('Unknown');
  const isProtected = user.isActive && !user.can.deactivate && !user.can.activate;
  const icon = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;
  return (
    <RowActions>
      <RowAction
        label={t('View {name}', { name })}
        text={t('View')}
        icon={<IconEye {...icon} />}
        onClick={() => onView(user)}
      />
      {user.can.edit && (
        <>
          <RowAction
            label={t('Activate {name}', { name })}
            text={t('Activate')}
            icon={<IconUserCheck {...icon} />}
            tone="positive"
            isDisabled={user.isActive}
            onClick={() => onActivate(user)}
          />
          <RowAction
            label={t('Deactivate {name}', { name })}
            text={t('Deactivate')}
            title={isProtected ? t('You cannot deactivate this account') : t('Deactivate')}
            icon={<IconUserOff {...icon} />}
            tone="accent"
            isDisabled={!user.isActive || isProtected}
            onClick={() => onDeactivate(user)}
          />
        </>
      )}
    </RowActions>
  );
}

const column = createColumnHelper<typeof dataTableFeatures, ListedUser>();

const columns = column.columns([
  column.accessor('name', {
    header: 'User',
    sortDescFirst: false,
    meta: { only: 'table', width: '25%', tabletWidth: '21.5%' },
    cell: ({ row: { original: user } }) => (
      <Person user={user} size={36}>
        <span className={classes.under}>
          <ShortId id={user._id} short={shortUserId(user._id)} />
          <VerifiedTag isEmailVerified={user.isEmailVerified} />
        </span>
      </Person>
    ),
  }),
  column.display({
    id: 'contact',
    header: 'Contact',
    meta: { only: 'table', width: '23%', tabletWidth: '17.5%' },
    cell: ({ row: { original: user } }) => (
      <>
        <CutText text={user.email} />
        <CutText text={user.location?.city ?? '—'} isSoft />
      </>
    ),
  }),
  column.display({
    id: 'person',
    meta: { only: 'card', card: 'head' },
    cell: ({ row: { original: user } }) => (
      <Person user={user}>
        <CutText text={user.email} />
      </Person>
    ),
  }),
  column.display({
    id: 'city',
    header: 'City',
    meta: { only: 'card' },
    cell: ({ row }) => row.original.location?.city ?? '—',
  }),
  column.display({
    id: 'id',
    header: 'Id',
    meta: { only: 'card' },
    cell: ({ row }) => <ShortId id={row.original._id} short={shortUserId(row.original._id)} />,
  }),
  column.accessor('createdAt', {
    header: 'Join Date',
    sortDescFirst: true,
    meta: { width: '11%', tabletWidth: '12%' },
    cell: ({ row }) => <Time at={row.original.createdAt} isDate />,
  }),
  column.accessor('lastActive', {
    header: 'Last Active',
    sortDescFirst: true,
    meta: { width: '11%' },
    cell: ({ row }) => <LastActiveCell user={row.original} />,
  }),
  column.display({
    id: 'status',
    header: 'Status',
    meta: { card: 'tags', width: '9.5%', tabletWidth: '12%' },
    cell: ({ row }) => <StatusTag user={row.original} />,
  }),
  column.display({
    id: 'subscription',
    header: 'Subscription',
    meta: { card: 'tags', width: '9.5%', tabletWidth: '12%' },
    cell: ({ row }) => <SubscriptionTag isVIP={row.original.isVIP} />,
  }),
  column.display({
    id: 'verified',
    meta: { only: 'card', card: 'tags' },
    cell: ({ row }) => <VerifiedTag isEmailVerified={row.original.isEmailVerified} />,
  }),
  column.display({
    id: 'actions',
    header: 'Actions',
    meta: { card: 'actions', width: '8.5rem', tabletWidth: '6.9rem' },
    cell: ({ row }) => <Actions user={row.original} />,
  }),
]);

interface UsersTableProps extends UserRowContext {
  users: readonly ListedUser[];
  /** Users there are on the server, loaded or not. */
  total: number;
  order: UserOrder;
  onOrder: (order: UserOrder) => void;
  place: string;
  listKey: string;
  hasMore: boolean;
  onNearEnd: () => void;
  isBusy: boolean;
}

/** The users as a table, or as cards on narrow screens; only those in view are in the document. */
export function UsersTable(props: UsersTableProps) {
  const { users, total, order, onOrder, place, listKey, hasMore, onNearEnd, isBusy } = props;
  const { now, onView, onActivate, onDeactivate } = props;
  const context = useMemo(() => ({ now, onView, onActivate, onDeactivate }), [now, onView, onActivate, onDeactivate]);
  const sorting: SortingState = [{ id: order.sortBy, desc: order.sortOrder === 'desc' }];

  function sort([sorted]: SortingState) {
    if (sorted) onOrder({ sortBy: sorted.id as UserSort, sortOrder: sorted.desc ? 'desc' : 'asc' });
  }

  return (
    <RowContext value={context}>
      <DataTable
        label={t('Users')}
        rows={users}
        rowId={userId}
        columns={columns}
        minWidth="44rem"
        tabletMinWidth="45rem"
        isBusy={isBusy}
        sorting={sorting}
        onSort={sort}
        virtual={{
          rowCount: total,
          rowRem: 4,
          tabletRowRem: 5,
          cardPx: 246,
          place,
          listKey,
          hasMore,
          onNearEnd,
        }}
      />
    </RowContext>
  );
}

const userId = ({ _id }: ListedUser) => _id;
