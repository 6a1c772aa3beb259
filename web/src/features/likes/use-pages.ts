import { useEffect, useEffectEvent, useState } from 'react';
import type { Pagination } from '#contract/paging.ts';
import { useRead } from '../../api/use-read.ts';

export const pageSize = 20;

/** Where a list stands with what its reader is told of. */
export interface ToldProps {
  /** When something new of its kind came, in words that differ each time: the list is read anew. */
  arrival?: string;
  /** The list is on the screen, as it is now. */
  onShown?: () => void;
}

/** A list read page by page, from the first on, and anew with each `arrival`; `more` asks for one page further. */
export function usePages<T extends { pagination: Pagination }>(
  name: string,
  load: (page: number, signal: AbortSignal) => Promise<T>,
  { arrival = '', onShown }: ToldProps = {},
) {
  const [pages, setPages] = useState(1);
  const query = useRead(
    `${name} ${pages} ${arrival}`,
    (signal) => Promise.all(Array.from({ length: pages }, (_, index) => load(index + 1, signal))),
    { keepsData: true },
  );
  const shown = useEffectEvent(() => onShown?.());
  useEffect(() => {
    if (query.data !== undefined) shown();
  }, [query.data]);
  const last = query.data?.at(-1)?.pagination;
  const hasMore = last !== undefined && last.page < last.pages;
  return { query, hasMore, isBusy: query.isFetching, more: () => setPages(pages + 1) };
}
