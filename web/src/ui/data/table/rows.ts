import {
  type Cell,
  type ColumnDef,
  type Row,
  type RowData,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
} from '@tanstack/react-table';
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { linkId } from './use-row-keys.ts';

/** What a column is called, where it appears, and its width. */
interface ColumnLayout {
  header?: () => string;
  /** Shows the column only in the table or only on cards; by default it is in both. */
  only?: 'table' | 'card';
  /** Where the value appears on a card; by default it is a fact with a label. */
  card?: 'head' | 'tags' | 'body' | 'wideFact' | 'actions';
  /**
   * The CSS width in the table, or two widths, for wide screens and tablets. Columns without a width share the
   * remaining space.
   */
  width?: string | readonly [wide: string, tablet: string];
  isNumber?: boolean;
}

export interface TableColumn<T> extends ColumnLayout {
  id: string;
  /** The sort order after the first press on the header. Without this, the column can't be sorted. */
  sort?: 'asc' | 'desc';
  cell: (row: T) => ReactNode;
}

/** Only used for the type of a column's layout. */
const columnLayout: ColumnLayout = {};

/** The TanStack Table features that we use. */
export const features = tableFeatures({ rowSortingFeature, columnMeta: columnLayout });
export type Features = typeof features;

/** Converts our columns to TanStack Table's format. */
export function columnDefs<T extends RowData>(columns: readonly TableColumn<T>[]): ColumnDef<Features, T>[] {
  return columns.map(({ id, sort, cell, ...meta }) => ({
    id,
    meta,
    accessorFn: () => id,
    enableSorting: sort !== undefined,
    sortDescFirst: sort === 'desc',
    cell: ({ row }) => cell(row.original),
  }));
}

/** The translated name of a column. */
export const nameOf = ({ columnDef }: { columnDef: { meta?: ColumnLayout } }): string =>
  columnDef.meta?.header?.() ?? '';

/**
 * The content of a cell. The function is called instead of being rendered as a component: otherwise new columns would
 * reset the state and focus of every cell.
 */
export function cellContent<T extends RowData>(cell: Cell<Features, T, unknown>): ReactNode {
  const content = cell.column.columnDef.cell;
  return typeof content === 'function' ? (content(cell.getContext()) as ReactNode) : content;
}

/** Options for a long list of which only the visible rows are in the document. */
interface VirtualRows {
  /** The total number of rows on the server. */
  rowCount: number;
  /** The fixed row heights in rem on wide screens and tablets, as in the stylesheet. */
  rowRem: number;
  tabletRowRem: number;
  /** The usual height of a card in px including the gap below it; the actual height is measured. */
  cardPx: number;
  /** The key of this history entry, by which Back restores the scroll position. */
  place: string;
  /** Filters and order as one text; the list scrolls to its top when this changes. */
  listKey: string;
  hasMore: boolean;
  onNearEnd: () => void;
}

export interface DataTableProps<T extends RowData> {
  /** The accessible name of the table or list. */
  label: string;
  rows: readonly T[];
  /** The id of a row, by default its `_id` or `id`. */
  rowId?: ((row: T) => string) | undefined;
  columns: readonly TableColumn<T>[];
  /** CSS widths on wide screens and tablets below which the table scrolls sideways. */
  minWidth?: string;
  tabletMinWidth?: string;
  isBusy?: boolean;
  sorting?: SortingState;
  onSort?: (sorting: SortingState) => void;
  /** The row that keyboard shortcuts act on, and rows that have just changed. */
  currentId?: string | null;
  changedIds?: ReadonlySet<string>;
  onRowFocus?: (id: string) => void;
  /** Clicking anywhere in a row follows the row's first link. */
  hasRowLinks?: boolean;
  virtual?: VirtualRows;
  /** Leaves out its own border, for use inside a panel. */
  isPlain?: boolean;
}

export interface ViewProps<T extends RowData> {
  all: DataTableProps<T>;
  rows: readonly Row<Features, T>[];
  columns: readonly ColumnDef<Features, T>[];
}

export interface ItemProps<T extends RowData> {
  row: Row<Features, T>;
  /** Passed because a new list of columns must render the row again. */
  columns: readonly ColumnDef<Features, T>[];
  isCurrent: boolean;
  isChanged: boolean;
  onRowFocus: ((id: string) => void) | undefined;
  ariaRowIndex?: number | undefined;
}

/** The props of one row or card of a view. */
export function itemProps<T extends RowData>({ all, columns }: ViewProps<T>, row: Row<Features, T>): ItemProps<T> {
  const { currentId, changedIds, onRowFocus } = all;
  return {
    row,
    columns,
    isCurrent: row.id === currentId,
    isChanged: changedIds?.has(row.id) === true,
    onRowFocus,
  };
}

/** The HTML attributes of a row or card. */
export function rowAttributes<T extends RowData>({ row, isCurrent, isChanged, onRowFocus }: ItemProps<T>) {
  return {
    'data-row': true,
    'aria-current': isCurrent || undefined,
    'data-changed': isChanged || undefined,
    ...(onRowFocus && { onFocus: () => onRowFocus(row.id) }),
  };
}

/** The number of rows rendered beyond the visible ones; more rows are loaded this close to the end. */
export const overscanRows = 4;
const nearEndRows = 40;

/** Scroll positions in px by history entry. */
export const offsets = new Map<string, number>();

/** Elements in a row that handle clicks themselves. */
const ownParts = 'a, button, input, select, textarea, label';

/** Makes a click anywhere in a row follow the row's first link. */
export function useRowLinks(list: RefObject<HTMLElement | null>, isOn = false): void {
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

/** Loads more rows when the last rendered row is close to the last loaded one. */
export function useNearEnd(lastIndex: number, loaded: number, virtual: VirtualRows | undefined): void {
  const load = useEffectEvent(() => virtual?.onNearEnd());
  const isNear = virtual?.hasMore === true && loaded > 0 && lastIndex >= loaded - nearEndRows;
  useEffect(() => {
    if (isNear) load();
  }, [isNear, loaded]);
}

/**
 * Scrolls to the row that keys have moved to and focuses it, if it was so far away that it was not in the document.
 */
export function useCurrentInView<T extends RowData>(
  { all: { currentId = null, virtual }, rows }: Pick<ViewProps<T>, 'all' | 'rows'>,
  scrollTo: (index: number) => void,
): void {
  const before = useRef(currentId);
  const awaited = useRef<string | null>(null);
  useEffect(() => {
    if (virtual === undefined) return;
    const link = currentId === null ? null : document.getElementById(linkId(currentId));
    if (before.current !== currentId) {
      before.current = currentId;
      awaited.current = link === null ? currentId : null;
      if (awaited.current !== null) scrollTo(rows.findIndex(({ id }) => id === currentId));
    } else if (awaited.current !== null && link !== null) {
      awaited.current = null;
      link.focus({ preventScroll: true });
    }
  });
}
