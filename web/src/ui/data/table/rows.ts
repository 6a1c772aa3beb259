import {
  type Cell,
  type ColumnDef,
  type Row,
  type RowData,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
} from '@tanstack/react-table';
import { type ReactNode, type RefObject, useEffect, useEffectEvent } from 'react';

/** Where a column appears, and how wide it is. */
interface ColumnLayout {
  /** Leaves the column out of the table or out of the cards; without this it is in both. */
  only?: 'table' | 'card';
  /** Where its cell goes on a card: a labelled fact by default. */
  card?: 'head' | 'tags' | 'body' | 'wideFact' | 'actions';
  /** CSS width in the table, or one for wide screens and one for tablets. Columns without one share the rest. */
  width?: string | readonly [wide: string, tablet: string];
  isNumber?: boolean;
}

export interface TableColumn<T> extends ColumnLayout {
  id: string;
  header?: string;
  /** The sort order after the first press on the header; without it the column can't be sorted. */
  sort?: 'asc' | 'desc';
  cell: (row: T) => ReactNode;
}

/** Carries only the type of a column's layout. */
const columnLayout: ColumnLayout = {};

/** The features of TanStack Table in use. */
export const features = tableFeatures({ rowSortingFeature, columnMeta: columnLayout });
export type Features = typeof features;

/** Our columns in TanStack Table's format. */
export function columnDefs<T extends RowData>(columns: readonly TableColumn<T>[]): ColumnDef<Features, T>[] {
  return columns.map(({ id, header = '', sort, cell, ...meta }) => ({
    id,
    header,
    meta,
    accessorFn: () => id,
    enableSorting: sort !== undefined,
    sortDescFirst: sort === 'desc',
    cell: ({ row }) => cell(row.original),
  }));
}

/** The content of a cell. It is called, not rendered as a component: with new columns, every cell would lose its state and focus. */
export function cellContent<T extends RowData>(cell: Cell<Features, T, unknown>): ReactNode {
  const content = cell.column.columnDef.cell;
  return typeof content === 'function' ? (content(cell.getContext()) as ReactNode) : content;
}

/** A long list of which only the rows in view are in the document. */
interface VirtualRows {
  /** The number of rows on the server, loaded or not. */
  rowCount: number;
  /** Fixed row heights in rem, as in the stylesheet, on wide screens and on tablets. */
  rowRem: number;
  tabletRowRem: number;
  /** A card's usual height in px with the gap below it; the actual height is measured. */
  cardPx: number;
  /** The key of this history entry; Back restores its scroll position. */
  place: string;
  /** Filters and order as one text; a different list starts at its top. */
  listKey: string;
  hasMore: boolean;
  onNearEnd: () => void;
}

export interface DataTableProps<T extends RowData> {
  /** The accessible name of the table or list. */
  label: string;
  rows: readonly T[];
  rowId: (row: T) => string;
  columns: readonly TableColumn<T>[];
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
  /** Without its own border, inside a panel. */
  isPlain?: boolean;
}

export interface ViewProps<T extends RowData> {
  all: DataTableProps<T>;
  rows: readonly Row<Features, T>[];
  columns: readonly ColumnDef<Features, T>[];
}

export interface ItemProps<T extends RowData> {
  row: Row<Features, T>;
  /** A new list of columns renders the row again. */
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

/** The attributes of a row's or card's element. */
export function rowAttributes<T extends RowData>({ row, isCurrent, isChanged, onRowFocus }: ItemProps<T>) {
  return {
    'data-row': true,
    'aria-current': isCurrent || undefined,
    'data-changed': isChanged || undefined,
    ...(onRowFocus && { onFocus: () => onRowFocus(row.id) }),
  };
}

/** Rows rendered beyond the visible ones, and how close to the end more are loaded. */
export const overscanRows = 4;
const nearEndRows = 40;

/** Scroll offsets in px by place in the browser's history. */
export const offsets = new Map<string, number>();

/** Parts of a row that handle a click themselves. */
const ownParts = 'a, button, input, select, textarea, label';

/** Makes a click anywhere in a row of the list follow the row's first link. */
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

/** Loads more once the last row in the document is near the last loaded one. */
export function useNearEnd(lastIndex: number, loaded: number, virtual: VirtualRows | undefined): void {
  const load = useEffectEvent(() => virtual?.onNearEnd());
  const isNear = virtual?.hasMore === true && loaded > 0 && lastIndex >= loaded - nearEndRows;
  useEffect(() => {
    if (isNear) load();
  }, [isNear, loaded]);
}
