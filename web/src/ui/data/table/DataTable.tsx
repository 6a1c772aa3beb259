import { useMediaQuery } from '@mantine/hooks';
import { type RowData, useTable } from '@tanstack/react-table';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { Fragment, memo, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useLanguage } from '../../text/use-language.ts';
import classes from './DataTable.module.css';
import { TableView } from './TableView.tsx';
import {
  cellContent,
  columnDefs,
  type DataTableProps,
  features,
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
import { idOf } from './use-row-keys.ts';

const narrowScreen = '(max-width: 40rem)';

/**
 * Shows rows as a table, or as cards on narrow screens, based on the same columns. The caller filters and sorts them.
 */
export function DataTable<T extends RowData>(props: DataTableProps<T>) {
  const { rows, rowId = idOf, columns, sorting = [], onSort } = props;
  const isNarrow = useMediaQuery(narrowScreen, undefined, { getInitialValueInEffect: false });
  const language = useLanguage();
  const layout = isNarrow ? 'card' : 'table';
  const shown = useMemo(() => columnDefs(columns.filter(({ only = layout }) => only === layout)), [columns, layout]);
  const table = useTable({
    features,
    columns: shown,
    data: rows,
    getRowId: rowId,
    manualSorting: true,
    enableSorting: onSort !== undefined,
    enableSortingRemoval: false,
    state: { sorting },
    onSortingChange: (change) => onSort?.(typeof change === 'function' ? change(sorting) : change),
  });
  const view = { all: props, rows: table.getRowModel().rows, columns: shown };
  return isNarrow ? (
    <CardView key={language} {...view} />
  ) : (
    <TableView key={language} {...view} heads={table.getAllLeafColumns()} />
  );
}

const Card = memo(function Card<T extends RowData>(props: ItemProps<T>) {
  const cells = props.row.getAllCells().map((cell) => ({ cell, ...cell.column.columnDef.meta }));
  const placed = (place: string) =>
    cells
      .filter(({ card }) => card === place)
      .map(({ cell }) => <Fragment key={cell.id}>{cellContent(cell)}</Fragment>);
  const facts = cells.filter(({ card = 'wideFact' }) => card === 'wideFact');
  const tags = placed('tags');
  return (
    <div className={classes.card} data-card {...rowAttributes(props)}>
      <div className={classes.top}>
        {placed('head')}
        {tags.length > 0 && <span className={classes.tags}>{tags}</span>}
      </div>
      {placed('body')}
      {facts.length > 0 && (
        <dl className={classes.facts}>
          {facts.map(({ cell, card }) => (
            <div key={cell.id} data-wide={card === 'wideFact' || undefined}>
              <dt>{nameOf(cell.column)}</dt>
              <dd>{cellContent(cell)}</dd>
            </div>
          ))}
        </dl>
      )}
      {placed('actions')}
    </div>
  );
}) as <T extends RowData>(props: ItemProps<T>) => ReactNode;

/** Cards that scroll with the page. For a virtual list, only the visible ones are in the document. */
export function CardView<T extends RowData>(view: ViewProps<T>) {
  const { all, rows } = view;
  const { virtual, isBusy, label } = all;
  const place = virtual?.place;
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useRowLinks(list, all.hasRowLinks);

  useLayoutEffect(() => {
    const rect = list.current?.getBoundingClientRect();
    if (rect) setTop(Math.round(rect.top + window.scrollY));
  }, []);

  useEffect(() => {
    if (place === undefined) return;
    const remember = () => offsets.set(place, window.scrollY);
    remember();
    window.addEventListener('scroll', remember, { passive: true });
    return () => window.removeEventListener('scroll', remember);
  }, [place]);

  const virtualizer = useWindowVirtualizer({
    count: virtual === undefined ? 0 : rows.length,
    estimateSize: () => virtual?.cardPx ?? 0,
    overscan: overscanRows,
    scrollMargin: top,
    initialOffset: () => (place === undefined ? 0 : offsets.get(place)) || window.scrollY,
    getItemKey: (index) => rows[index]?.id ?? index,
  });
  const items = virtualizer.getVirtualItems();
  useNearEnd(items.at(-1)?.index ?? 0, rows.length, virtual);
  useCurrentInView(view, (index) => virtualizer.scrollToIndex(index, { align: 'center' }));

  return (
    <ul
      ref={list}
      className={classes.cards}
      data-links={all.hasRowLinks}
      aria-label={label}
      aria-busy={isBusy}
      {...(virtual && { 'data-virtual': true, style: { height: virtualizer.getTotalSize() } })}
    >
      {virtual === undefined
        ? rows.map((row) => (
            <li key={row.id}>
              <Card {...itemProps(view, row)} />
            </li>
          ))
        : items.map(({ index, key, start }) => {
            const row = rows[index];
            return (
              row && (
                <li
                  key={key}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  style={{ transform: `translateY(${start - top}px)` }}
                  aria-setsize={virtual.rowCount}
                  aria-posinset={index + 1}
                >
                  <Card {...itemProps(view, row)} />
                </li>
              )
            );
          })}
    </ul>
  );
}
