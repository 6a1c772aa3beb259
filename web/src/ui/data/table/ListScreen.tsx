import type { MessageDescriptor } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Button, Group } from '@mantine/core';
import type { RowData } from '@tanstack/react-table';
import { type ComponentProps, type ReactNode, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { LastUpdated, type Refreshable } from '../../feedback/LastUpdated.tsx';
import { EmptyState, QueryStates } from '../../feedback/PageStates.tsx';
import { InfiniteList } from '../InfiniteList.tsx';
import { DataTable } from './DataTable.tsx';
import { ListCaption, ListSkeleton, MoreRows } from './ListParts.tsx';
import classes from './DataTable.module.css';
import { fill } from '../../text/i18n.ts';
import type { DataTableProps, TableColumn } from './rows.ts';
import { idOf } from './use-row-keys.ts';

/** The query of a list, which is loaded at once or page by page. */
interface ListQuery<D> extends Refreshable {
  data: D | undefined;
  isPlaceholderData: boolean;
  hasNextPage?: boolean;
  isFetchingNextPage?: boolean;
  fetchNextPage?: () => unknown;
}

/** The texts of a list; `{error}` in `error` is the reason. */
interface ListTexts {
  loading: MessageDescriptor;
  error: MessageDescriptor;
  empty: MessageDescriptor;
  emptyHint: MessageDescriptor;
  /** Shown while more rows are loading. */
  more?: MessageDescriptor;
}

interface ListScreenProps<T extends RowData, D> extends Pick<
  DataTableProps<T>,
  'label' | 'rows' | 'rowId' | 'columns'
> {
  query: ListQuery<D>;
  texts: ListTexts;
  /** The height of each placeholder row while the list is loading. */
  rowHeight?: string;
  /** What loads more rows: a button, the end of the list when it becomes visible, or scrolling the table. */
  growth?: 'button' | 'inView' | 'table';
  /** Clears the filters, offered if no rows match them; undefined if none are set. */
  onClear?: (() => void) | undefined;
  /** Shown in place of the empty state. */
  emptyState?: ReactNode;
  /** The line above the rows, which ends with the age of the data unless `end` is set. */
  caption: ComponentProps<typeof ListCaption>;
  /** Options for the table that shows the rows. */
  table?: Omit<Partial<DataTableProps<T>>, 'label' | 'rows' | 'rowId' | 'columns'>;
  /** The row that keyboard shortcuts act on. */
  current?: { currentId: string | null; choose: (id: string) => void };
  /** The selected rows, and the label of each row's checkbox. */
  selection?: { ids: ReadonlySet<string>; toggle: (id: string) => void; labelOf: (row: T) => string } | undefined;
  /** Content between the caption and the rows, and below the rows. */
  above?: ReactNode;
  below?: ReactNode;
  refreshing?: ComponentProps<typeof QueryStates<D>>['refreshing'];
}

const pagesOf = ({ error, isFetching, ...query }: ListQuery<unknown>) => ({
  error,
  isFetching,
  hasNextPage: query.hasNextPage === true,
  isFetchingNextPage: query.isFetchingNextPage === true,
  isFetchNextPageError: query.isFetchNextPageError === true,
  fetchNextPage: () => query.fetchNextPage?.(),
});

/** Loads more rows when it becomes visible or is pressed. */
function LoadMore({ pages, text }: { pages: ReturnType<typeof pagesOf>; text?: MessageDescriptor | undefined }) {
  const place = useRef<HTMLDivElement>(null);
  function loadMore() {
    if (!pages.isFetchingNextPage) pages.fetchNextPage();
  }
  const load = useEffectEvent(loadMore);
  useEffect(() => {
    if (!place.current || !('IntersectionObserver' in window)) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && load(), { rootMargin: '400px' });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return (
    <Group ref={place} justify="center" p="1.25rem">
      <Button variant="default" onClick={loadMore}>
        {pages.isFetchingNextPage && text ? t(text) : t`Load more`}
      </Button>
    </Group>
  );
}

/** The columns, including one with checkboxes if rows can be selected. */
function useColumns<T extends RowData, D>({ columns, selection, rowId = idOf }: ListScreenProps<T, D>) {
  const { ids, toggle, labelOf } = selection ?? {};
  return useMemo(() => {
    if (!ids || !toggle || !labelOf) return columns;
    const select: TableColumn<T> = {
      id: 'selected',
      card: 'head',
      header: () => t`Select`,
      width: '4.5rem',
      cell: (row) => (
        <input
          type="checkbox"
          className={classes.select}
          aria-label={labelOf(row)}
          checked={ids.has(rowId(row))}
          onChange={() => toggle(rowId(row))}
        />
      ),
    };
    return [select, ...columns];
  }, [columns, ids, toggle, labelOf, rowId]);
}

/** The rows of a list with their caption, or the empty state if there are none. */
function ListRows<T extends RowData, D>(props: ListScreenProps<T, D>) {
  const { query, label, rows, rowId, texts, growth = 'button', onClear, caption, current } = props;
  const columns = useColumns(props);
  const pages = pagesOf(query);
  const isEmpty = rows.length === 0;
  const table = (
    <DataTable
      label={label}
      rows={rows}
      rowId={rowId}
      columns={columns}
      isBusy={query.isPlaceholderData}
      {...(current && { currentId: current.currentId, onRowFocus: current.choose })}
      {...props.table}
    />
  );
  return (
    <>
      <ListCaption
        end={<LastUpdated query={query} />}
        {...caption}
        isTextHidden={isEmpty && caption.isTextHidden !== false}
        onClear={isEmpty ? undefined : caption.onClear}
      />
      {props.above}
      {isEmpty ? (
        (props.emptyState ?? (
          <EmptyState text={t(texts.empty)} hint={t(texts.emptyHint)} onClearFilters={onClear} isFramed />
        ))
      ) : (
        <>
          {growth === 'button' ? <InfiniteList query={pages}>{table}</InfiniteList> : table}
          {props.below}
        </>
      )}
      {(pages.isFetchNextPageError || (growth === 'table' && !isEmpty)) && (
        <MoreRows
          query={pages}
          loadingText={texts.more ? t(texts.more) : ''}
          errorText={(error) => fill(texts.error, { error })}
        />
      )}
      {growth === 'inView' && pages.hasNextPage && <LoadMore pages={pages} text={texts.more} />}
    </>
  );
}

/**
 * A list for staff: its loading states, its caption, and its rows as a table or cards. `ListFilters` is used above it.
 */
export function ListScreen<T extends RowData, D>(props: ListScreenProps<T, D>) {
  const { query, texts, rowHeight = '4.1rem', refreshing } = props;
  return (
    <QueryStates
      query={query}
      loadingText={t(texts.loading)}
      skeleton={<ListSkeleton rowHeight={rowHeight} />}
      errorText={(error) => fill(texts.error, { error })}
      {...(refreshing && { refreshing })}
    >
      {() => <ListRows {...props} />}
    </QueryStates>
  );
}
