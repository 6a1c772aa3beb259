import { useMediaQuery } from '@mantine/hooks';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ListedUser } from '#contract/profiles/user.ts';
import { useText } from '../../../../ui/text/text.ts';
import { rememberedOffset, rememberOffset } from './scroll-memory.ts';
import type { UserOrder, UserSort } from './user-filters.ts';
import type { RowActions } from './UserActions.tsx';
import { UserRow } from './UserRow.tsx';
import classes from './UsersTable.module.css';

/** Row and head heights in rem, as the stylesheet has them. */
const rowRem = 4;
const closeRowRem = 5;
const headRem = 2.75;
const closeTogether = '(max-width: 62rem)';
/** Rows kept ready beyond the visible ones, and how near to the end more is asked for. */
const overscanRows = 4;
const nearEndRows = 40;

export interface UserListProps extends RowActions {
  users: readonly ListedUser[];
  /** Rows there are on the server, loaded or not. */
  rowCount: number;
  now: number;
  /** This place in the browser's history; Back to it restores how far the list was scrolled. */
  place: string;
  hasMore: boolean;
  onNearEnd: () => void;
  isBusy: boolean;
  /** Says that more is on its way, or that it failed. */
  foot: ReactNode;
}

interface TableProps extends UserListProps {
  order: UserOrder;
  onSort: (column: UserSort) => void;
  /** Filters and order in one; another list begins at its top. */
  listKey: string;
}

const columns: readonly { name: string; sort?: UserSort; className: string }[] = [
  { name: 'User', sort: 'name', className: 'user' },
  { name: 'Contact', className: 'contact' },
  { name: 'Join Date', sort: 'createdAt', className: 'joined' },
  { name: 'Last Active', sort: 'lastActive', className: 'seen' },
  { name: 'Status', className: 'status' },
  { name: 'Subscription', className: 'plan' },
  { name: 'Actions', className: 'buttons' },
];

const ariaSorts = { asc: 'ascending', desc: 'descending' } as const;

function remPx(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}

function SortMark({ order, column }: { order: UserOrder; column: UserSort }) {
  if (order.sortBy !== column)
    return <IconArrowsSort size={14} stroke={1.75} aria-hidden="true" className={classes.unsorted} />;
  const Icon = order.sortOrder === 'asc' ? IconArrowUp : IconArrowDown;
  return <Icon size={14} stroke={2} aria-hidden="true" />;
}

/** Calls `onNearEnd` when the last rendered row is near the end of what is loaded. */
export function useNearEnd(lastIndex: number, loaded: number, hasMore: boolean, onNearEnd: () => void): void {
  const ask = useEffectEvent(onNearEnd);
  const isNear = hasMore && loaded > 0 && lastIndex >= loaded - nearEndRows;
  useEffect(() => {
    if (isNear) ask();
  }, [isNear, loaded]);
}

/** The users in a table of its own scroll; only the rows in view are in the document. */
export function UsersTable(props: TableProps) {
  const { users, rowCount, now, order, onSort, place, listKey, hasMore, onNearEnd, isBusy, foot, ...actions } = props;
  const t = useText();
  const region = useRef<HTMLDivElement>(null);
  const shownKey = useRef(listKey);
  const isClose = useMediaQuery(closeTogether, undefined, { getInitialValueInEffect: false });
  const rowHeightRem = isClose ? closeRowRem : rowRem;
  const [pxPerRem] = useState(remPx);
  const rowPx = rowHeightRem * pxPerRem;
  const virtualizer = useVirtualizer({
    count: users.length,
    getScrollElement: () => region.current,
    estimateSize: () => rowPx,
    overscan: overscanRows,
    initialOffset: () => rememberedOffset(place),
    getItemKey: (index) => users[index]?._id ?? index,
  });
  const rows = virtualizer.getVirtualItems();
  const above = rows[0]?.start ?? 0;
  const below = virtualizer.getTotalSize() - (rows.at(-1)?.end ?? 0);
  useNearEnd(rows.at(-1)?.index ?? 0, users.length, hasMore, onNearEnd);

  useEffect(() => virtualizer.measure(), [virtualizer, rowPx]);

  // A dialog opened over the list is a place of its own, with the list where it was.
  useEffect(() => {
    if (region.current) rememberOffset(place, region.current.scrollTop);
  }, [place]);

  useEffect(() => {
    if (shownKey.current === listKey) return;
    shownKey.current = listKey;
    if (region.current) region.current.scrollTop = 0;
  }, [listKey]);

  const height = { '--content-height': `${users.length * rowHeightRem + headRem + 0.2}rem` } as CSSProperties;
  return (
    <>
      <div
        ref={region}
        role="region"
        className={classes.region}
        style={height}
        aria-label={t('Users table')}
        aria-busy={isBusy}
        onScroll={(event) => rememberOffset(place, event.currentTarget.scrollTop)}
        tabIndex={0}
      >
        <table className={classes.table} aria-label={t('Users')} aria-rowcount={rowCount + 1}>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map(({ name, sort, className }) => (
                <th
                  key={name}
                  scope="col"
                  className={classes[className]}
                  aria-sort={sort !== undefined && order.sortBy === sort ? ariaSorts[order.sortOrder] : undefined}
                >
                  {sort === undefined ? (
                    t(name)
                  ) : (
                    <button type="button" className={classes.sort} onClick={() => onSort(sort)}>
                      {t(name)}
                      <SortMark order={order} column={sort} />
                    </button>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {above > 0 && (
              <tr aria-hidden="true">
                <td colSpan={columns.length} className={classes.spacer} style={{ height: above }} />
              </tr>
            )}
            {rows.map(({ index, key }) => {
              const user = users[index];
              return user && <UserRow key={key} user={user} now={now} ariaRowIndex={index + 2} {...actions} />;
            })}
            {below > 0 && (
              <tr aria-hidden="true">
                <td colSpan={columns.length} className={classes.spacer} style={{ height: below }} />
              </tr>
            )}
          </tbody>
        </table>
      </div>
      {foot}
    </>
  );
}
