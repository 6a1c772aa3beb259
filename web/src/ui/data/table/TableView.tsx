import { t } from '@lingui/core/macro';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import type { Column, RowData } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, memo, type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import {
  cellContent,
  type Features,
  type ItemProps,
  itemProps,
  offsets,
  overscanRows,
  rowAttributes,
  useCurrentInView,
  useNearEnd,
  useRowLinks,
  type ViewProps,
  nameOf,
} from './rows.ts';
import classes from './DataTable.module.css';

const tablet = '(max-width: 66rem)';
const headRem = 2.75;
const ariaSorts = { asc: 'ascending', desc: 'descending' } as const;

const TableRow = memo(function TableRow<T extends RowData>(props: ItemProps<T>) {
  return (
    <tr className={classes.row} aria-rowindex={props.ariaRowIndex} {...rowAttributes(props)}>
      {props.row.getAllCells().map((cell) => (
        <td key={cell.id} className={cell.column.columnDef.meta?.isNumber ? classes.number : undefined}>
          {cellContent(cell)}
        </td>
      ))}
    </tr>
  );
}) as <T extends RowData>(props: ItemProps<T>) => ReactNode;

function ColumnHead<T extends RowData>({ column }: { column: Column<Features, T> }) {
  const name = nameOf(column);
  const { width = 'auto', isNumber } = column.columnDef.meta ?? {};
  const [wide, onTablets] = typeof width === 'string' ? [width, width] : width;
  const sorted = column.getIsSorted();
  const SortIcon = sorted === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    <th
      scope="col"
      className={isNumber ? classes.number : undefined}
      style={{ '--width': wide, '--tablet-width': onTablets } as CSSProperties}
      aria-sort={sorted === false ? undefined : ariaSorts[sorted]}
    >
      {column.getCanSort() ? (
        <button type="button" className={classes.sort} onClick={column.getToggleSortingHandler()}>
          {name}
          {sorted === false ? (
            <IconArrowsSort size={14} stroke={1.75} aria-hidden="true" className={classes.unsorted} />
          ) : (
            <SortIcon size={14} stroke={2} aria-hidden="true" />
          )}
        </button>
      ) : (
        name
      )}
    </th>
  );
}

function remPx(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}

/** The table's own scrolling: the rows that are in the document, and restoring the position. */
function useTableScroll<T extends RowData>(view: ViewProps<T>, region: RefObject<HTMLElement | null>) {
  const { virtual } = view.all;
  const { rows } = view;
  const isTablet = useMediaQuery(tablet, undefined, { getInitialValueInEffect: false });
  const rowRem = (isTablet ? virtual?.tabletRowRem : virtual?.rowRem) ?? 0;
  const [pxPerRem] = useState(remPx);
  const rowPx = rowRem * pxPerRem;
  const { place, listKey } = virtual ?? {};
  const shownKey = useRef(listKey);
  const virtualizer = useVirtualizer({
    count: virtual === undefined ? 0 : rows.length,
    getScrollElement: () => region.current,
    estimateSize: () => rowPx,
    overscan: overscanRows,
    initialOffset: () => (place === undefined ? 0 : (offsets.get(place) ?? 0)),
    getItemKey: (index) => rows[index]?.id ?? index,
  });

  useEffect(() => virtualizer.measure(), [virtualizer, rowPx]);

  // A dialog opened over the list has its own history entry for the same list.
  useEffect(() => {
    if (place !== undefined && region.current) offsets.set(place, region.current.scrollTop);
  }, [place, region]);

  useEffect(() => {
    if (shownKey.current === listKey) return;
    shownKey.current = listKey;
    if (region.current) region.current.scrollTop = 0;
  }, [listKey, region]);

  const items = virtualizer.getVirtualItems();
  useNearEnd(items.at(-1)?.index ?? 0, rows.length, virtual);
  useCurrentInView(view, (index) => virtualizer.scrollToIndex(index, { align: 'center' }));
  if (virtual === undefined) return { indexes: rows.map((_, index) => index), above: 0, below: 0 };
  return {
    indexes: items.map(({ index }) => index),
    above: items[0]?.start ?? 0,
    below: virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0),
    contentHeight: `${rows.length * rowRem + headRem + 0.2}rem`,
  };
}

function Spacer({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden="true">
      <td colSpan={columns} className={classes.spacer} style={{ height }} />
    </tr>
  );
}

/** Rows as a table in a scrolling region. For a virtual list, only the visible rows are in the document. */
export function TableView<T extends RowData>({
  heads,
  ...view
}: ViewProps<T> & { heads: readonly Column<Features, T>[] }) {
  const { all, rows } = view;
  const { label, virtual, isBusy, isPlain, minWidth = '0', tabletMinWidth = minWidth } = all;
  const region = useRef<HTMLDivElement>(null);
  useRowLinks(region, all.hasRowLinks);
  const { indexes, above, below, contentHeight } = useTableScroll(view, region);
  // Scrolling renders this view with the same `all`, so that only rows that become visible are rendered.
  const head = useMemo(
    () => (
      <thead>
        <tr aria-rowindex={all.virtual && 1}>
          {heads.map((column) => (
            <ColumnHead key={column.id} column={column} />
          ))}
        </tr>
      </thead>
    ),
    [all, heads],
  );
  const sizes = { '--content-height': contentHeight, '--min-width': minWidth, '--tablet-min-width': tabletMinWidth };
  return (
    <div
      ref={region}
      role="region"
      className={classes.region}
      data-virtual={virtual !== undefined || undefined}
      data-plain={isPlain}
      data-links={all.hasRowLinks}
      data-actions={heads.at(-1)?.columnDef.meta?.card === 'actions' || undefined}
      style={sizes as CSSProperties}
      aria-label={t`${{ name: label }} table`}
      aria-busy={isBusy}
      onScroll={virtual && ((event) => offsets.set(virtual.place, event.currentTarget.scrollTop))}
      tabIndex={0}
    >
      <table className={classes.table} aria-label={label} aria-rowcount={virtual && virtual.rowCount + 1}>
        {head}
        <tbody>
          <Spacer height={above} columns={heads.length} />
          {indexes.map((index) => {
            const row = rows[index];
            return row && <TableRow key={row.id} {...itemProps(view, row)} ariaRowIndex={virtual && index + 2} />;
          })}
          <Spacer height={below} columns={heads.length} />
        </tbody>
      </table>
    </div>
  );
}
