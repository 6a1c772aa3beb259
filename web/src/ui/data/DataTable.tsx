import { useMediaQuery } from '@mantine/hooks';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import {
  type Column,
  type ColumnDef,
  FlexRender,
  type Row,
  type RowData,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useVirtualizer, useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  memo,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { t } from '../text/text.ts';
import classes from './DataTable.module.css';

/** Where a column appears, and how wide it is. */
interface ColumnLayout {
  /** The column is left out of the table, or of the cards; it is in both without this. */
  only?: 'table' | 'card';
  /** Where its cell goes on a card: labelled facts, unless something else is said. */
  card?: 'head' | 'tags' | 'body' | 'wideFact' | 'actions';
  /** CSS widths in the table, on wide screens and on tablets. Columns without one share the rest. */
  width?: string;
  tabletWidth?: string;
  isNumber?: boolean;
}

/** Carries only the type of a column's layout. */
const columnLayout: ColumnLayout = {};

/** The features of TanStack Table in use; column helpers are created with their type. */
export const dataTableFeatures = tableFeatures({ rowSortingFeature, columnMeta: columnLayout });
type Features = typeof dataTableFeatures;
export type DataColumn<T extends RowData> = ColumnDef<Features, T, unknown>;

/** A long list of which only the rows in view are in the document. */
interface VirtualRows {
  /** Rows there are on the server, loaded or not. */
  rowCount: number;
  /** Fixed row heights in rem, as the stylesheet has them, on wide screens and on tablets. */
  rowRem: number;
  tabletRowRem: number;
  /** A card's usual height in px with the gap below it; the true one is measured. */
  cardPx: number;
  /** This place in the browser's history; Back to it restores the scroll position. */
  place: string;
  /** Filters and order in one; another list starts at its top. */
  listKey: string;
  hasMore: boolean;
  onNearEnd: () => void;
}

interface DataTableProps<T extends RowData> {
  /** The accessible name of the table or list. */
  label: string;
  rows: readonly T[];
  rowId: (row: T) => string;
  /** Stable between renders; cells that need more than their row take it from a context. */
  columns: readonly DataColumn<T>[];
  /** CSS widths below which the table scrolls sideways, on wide screens and on tablets. */
  minWidth?: string;
  tabletMinWidth?: string;
  isBusy?: boolean;
  sorting?: SortingState;
  onSort?: (sorting: SortingState) => void;
  /** The row that keyboard shortcuts act on, and rows that just changed. */
  currentId?: string | null;
  changedIds?: ReadonlySet<string>;
  onRowFocus?: (id: string) => void;
  /** A click anywhere in a row follows the row's first link. */
  hasRowLinks?: boolean;
  virtual?: VirtualRows;
  /** Without a border of its own, inside a panel. */
  isPlain?: boolean;
}

const narrowScreen = '(max-width: 40rem)';
const tablet = '(max-width: 66rem)';
const headRem = 2.75;
/** Rows rendered beyond the visible ones, and how near to the end more is loaded. */
const overscanRows = 4;
const nearEndRows = 40;
const ariaSorts = { asc: 'ascending', desc: 'descending' } as const;

/** Scroll offsets in px by place in the browser's history. */
const offsets = new Map<string, number>();

/** Parts of a row that handle a click themselves. */
const ownParts = 'a, button, input, select, textarea, label';

function useRowLinks(list: RefObject<HTMLElement | null>, isOn: boolean): void {
  useEffect(() => {
    const element = isOn ? list.current : null;
    function click(event: MouseEvent) {
      const target = event.target instanceof Element ? event.target : null;
      const isSelecting = (window.getSelection()?.toString() ?? '') !== '';
      if (target === null || target.closest(ownParts) !== null || isSelecting) return;
      target.closest('[data-row]')?.querySelector('a')?.dispatchEvent(new MouseEvent('click', event));
    }
    element?.addEventListener('click', click);
    return () => element?.removeEventListener('click', click);
  }, [list, isOn]);
}

function useNearEnd(lastIndex: number, loaded: number, virtual: VirtualRows | undefined): void {
  const load = useEffectEvent(() => virtual?.onNearEnd());
  const isNear = virtual?.hasMore === true && loaded > 0 && lastIndex >= loaded - nearEndRows;
  useEffect(() => {
    if (isNear) load();
  }, [isNear, loaded]);
}

interface ItemProps<T extends RowData> {
  row: Row<Features, T>;
  /** A new list of columns renders the row again. */
  columns: readonly DataColumn<T>[];
  isCurrent: boolean;
  isChanged: boolean;
  onRowFocus: ((id: string) => void) | undefined;
  ariaRowIndex?: number;
}

function rowAttributes<T extends RowData>({ row, isCurrent, isChanged, onRowFocus }: ItemProps<T>) {
  return {
    'data-row': true,
    'aria-current': isCurrent || undefined,
    'data-changed': isChanged || undefined,
    ...(onRowFocus && { onFocus: () => onRowFocus(row.id) }),
  };
}

function cellClass(meta: ColumnLayout | undefined): string | undefined {
  return meta?.isNumber ? classes.number : undefined;
}

const TableRow = memo(function TableRow<T extends RowData>(props: ItemProps<T>) {
  return (
    <tr className={classes.row} aria-rowindex={props.ariaRowIndex} {...rowAttributes(props)}>
      {props.row.getAllCells().map((cell) => (
        <td key={cell.id} className={cellClass(cell.column.columnDef.meta)}>
          <FlexRender cell={cell} />
        </td>
      ))}
    </tr>
  );
}) as <T extends RowData>(props: ItemProps<T>) => ReactNode;

const Card = memo(function Card<T extends RowData>(props: ItemProps<T>) {
  const cells = props.row.getAllCells();
  const placed = (place: ColumnLayout['card']) =>
    cells
      .filter(({ column }) => column.columnDef.meta?.card === place)
      .map((cell) => <FlexRender key={cell.id} cell={cell} />);
  const facts = cells.filter(({ column: { columnDef } }) => [undefined, 'wideFact'].includes(columnDef.meta?.card));
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
          {facts.map((cell) => (
            <div key={cell.id} data-wide={cell.column.columnDef.meta?.card === 'wideFact' || undefined}>
              <dt>{t(String(cell.column.columnDef.header))}</dt>
              <dd>
                <FlexRender cell={cell} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {placed('actions')}
    </div>
  );
}) as <T extends RowData>(props: ItemProps<T>) => ReactNode;

function ColumnHead<T extends RowData>({ column }: { column: Column<Features, T> }) {
  const name = t(String(column.columnDef.header));
  const { width, tabletWidth = width } = column.columnDef.meta ?? {};
  const sorted = column.getIsSorted();
  const SortIcon = sorted === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    <th
      scope="col"
      className={cellClass(column.columnDef.meta)}
      style={{ '--width': width ?? 'auto', '--tablet-width': tabletWidth ?? 'auto' } as CSSProperties}
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

interface ViewProps<T extends RowData> {
  all: DataTableProps<T>;
  rows: readonly Row<Features, T>[];
  columns: readonly DataColumn<T>[];
}

function itemProps<T extends RowData>({ all, columns }: ViewProps<T>, row: Row<Features, T>): ItemProps<T> {
  const { currentId, changedIds, onRowFocus } = all;
  return {
    row,
    columns,
    isCurrent: row.id === currentId,
    isChanged: changedIds?.has(row.id) === true,
    onRowFocus,
  };
}

function remPx(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}

/** The table's own scrolling: which rows are in the document, and where it was scrolled to. */
function useTableScroll<T extends RowData>(
  { all: { virtual }, rows }: ViewProps<T>,
  region: RefObject<HTMLElement | null>,
) {
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

  // A dialog opened over the list is a place of its own, with the list where it was.
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

function TableView<T extends RowData>({ heads, ...view }: ViewProps<T> & { heads: readonly Column<Features, T>[] }) {
  const { all, rows } = view;
  const { label, virtual, isBusy, isPlain, minWidth = '0', tabletMinWidth = minWidth } = all;
  const region = useRef<HTMLDivElement>(null);
  useRowLinks(region, all.hasRowLinks === true);
  const { indexes, above, below, contentHeight } = useTableScroll(view, region);
  return (
    <div
      ref={region}
      role="region"
      className={classes.region}
      data-virtual={virtual !== undefined || undefined}
      data-plain={isPlain}
      data-links={all.hasRowLinks}
      data-actions={heads.at(-1)?.columnDef.meta?.card === 'actions' || undefined}
      style={
        {
          '--content-height': contentHeight,
          '--min-width': minWidth,
          '--tablet-min-width': tabletMinWidth,
        } as CSSProperties
      }
      aria-label={t('{name} table', { name: label })}
      aria-busy={isBusy}
      {...(virtual && {
        onScroll: (event: { currentTarget: HTMLElement }) => offsets.set(virtual.place, event.currentTarget.scrollTop),
      })}
      tabIndex={0}
    >
      <table className={classes.table} aria-label={label} aria-rowcount={virtual && virtual.rowCount + 1}>
        <thead>
          <tr aria-rowindex={virtual && 1}>
            {heads.map((column) => (
              <ColumnHead key={column.id} column={column} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer height={above} columns={heads.length} />
          {indexes.map((index) => {
            const row = rows[index];
            return (
              row && <TableRow key={row.id} {...itemProps(view, row)} {...(virtual && { ariaRowIndex: index + 2 })} />
            );
          })}
          <Spacer height={below} columns={heads.length} />
        </tbody>
      </table>
    </div>
  );
}

/** Cards that scroll with the page; of a virtual list only those in view are in the document. */
function CardView<T extends RowData>(view: ViewProps<T>) {
  const { all, rows } = view;
  const { virtual, isBusy, label } = all;
  const { place } = virtual ?? {};
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useRowLinks(list, all.hasRowLinks === true);

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

  if (virtual === undefined) {
    return (
      <ul ref={list} className={classes.cards} data-links={all.hasRowLinks} aria-label={label} aria-busy={isBusy}>
        {rows.map((row) => (
          <li key={row.id}>
            <Card {...itemProps(view, row)} />
          </li>
        ))}
      </ul>
    );
  }
  return (
    <ul
      ref={list}
      className={classes.cards}
      data-virtual
      style={{ height: virtualizer.getTotalSize() }}
      aria-label={label}
      aria-busy={isBusy}
    >
      {items.map(({ index, key, start }) => {
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

/** Rows as a table, and as cards on narrow screens, from one list of columns. The caller filters and sorts. */
export function DataTable<T extends RowData>(props: DataTableProps<T>) {
  const { rows, rowId, columns, sorting = [], onSort } = props;
  const isNarrow = useMediaQuery(narrowScreen, undefined, { getInitialValueInEffect: false });
  const layout = isNarrow ? 'card' : 'table';
  const shown = useMemo(() => columns.filter(({ meta }) => (meta?.only ?? layout) === layout), [columns, layout]);
  const table = useTable({
    features: dataTableFeatures,
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
  return isNarrow ? <CardView {...view} /> : <TableView {...view} heads={table.getAllLeafColumns()} />;
}

/** One line of text, cut off with an ellipsis where it is too long; the whole text is its tooltip. */
export function CutText({ text, isSoft = false }: { text: string; isSoft?: boolean }) {
  return (
    <span className={isSoft ? `${classes.cut} ${classes.soft}` : classes.cut} title={text} dir="auto">
      {text}
    </span>
  );
}

/** An id as lists show it; the whole id is its tooltip. */
export function ShortId({ id, short }: { id: string; short: string }) {
  return (
    <code className={classes.id} title={id}>
      {short}
    </code>
  );
}

/** In place of a value that a row does not have; a card leaves the fact out. */
export function Nothing() {
  return <span data-nothing>—</span>;
}

interface RowActionProps {
  /** What it does, and to which row. */
  label: string;
  /** What it does in a word; its tooltip in the table and its text on a card. */
  text: string;
  /** The tooltip, where it says more than the text. */
  title?: string;
  icon: ReactNode;
  tone?: 'positive' | 'accent';
  isDisabled?: boolean;
  onClick: (event: { detail: number }) => void;
}

/** A button of a row: an icon in the table, words on a card. Plain elements keep scrolling a long table fast. */
export function RowAction({ label, text, title = text, icon, tone, isDisabled, onClick }: RowActionProps) {
  return (
    <button
      type="button"
      className={classes.action}
      data-tone={tone}
      disabled={isDisabled}
      aria-label={label}
      title={title}
      onClick={onClick}
    >
      {icon}
      <span className={classes.actionText}>{text}</span>
    </button>
  );
}

/** The `RowAction`s of one row. */
export function RowActions({ children }: { children: ReactNode }) {
  return <span className={classes.actions}>{children}</span>;
}
