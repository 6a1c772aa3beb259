import { useState } from 'react';
import type { Pagination } from '#contract/paging.ts';
import { useRead } from '../../api/use-read.ts';

export const pageSize = 20;

/** A list read page by page, from the first on; `more` asks for one page further. */
export function usePages<T extends { pagination: Pagination }>(
  name: string,
  load: (page: number, signal: AbortSignal) => Promise<T>,
) {
  const [pages, setPages] = useState(1);
  const query = useRead(
    `${name} ${pages}`,
    (signal) => Promise.all(Array.from({ length: pages }, (_, index) => load(index + 1, signal))),
    { keepsData: true },
  );
  const last = query.data?.at(-1)?.pagination;
  const hasMore = last !== undefined && last.page < last.pages;
  return { query, hasMore, isBusy: query.isFetching, more: () => setPages(pages + 1) };
}
