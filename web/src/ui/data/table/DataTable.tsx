import { useMediaQuery } from '@mantine/hooks';
import { type RowData, useTable } from '@tanstack/react-table';
import { useMemo } from 'react';
import { CardView } from './CardView.tsx';
import { columnDefs, type DataTableProps, features } from './rows.ts';
import { TableView } from './TableView.tsx';

const narrowScreen = '(max-width: 40rem)';

/** Rows as a table, and as cards on narrow screens, from one list of columns. The caller filters and sorts. */
export function DataTable<T extends RowData>(props: DataTableProps<T>) {
  const { rows, rowId, columns, sorting = [], onSort } = props;
  const isNarrow = useMediaQuery(narrowScreen, undefined, { getInitialValueInEffect: false });
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
  return isNarrow ? <CardView {...view} /> : <TableView {...view} heads={table.getAllLeafColumns()} />;
}
