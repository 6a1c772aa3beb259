import { useEffect, useEffectEvent } from 'react';
import type { Pagination } from '#contract/paging.ts';

interface Answered {
  data: { pagination: Pagination } | undefined;
  isPlaceholderData: boolean;
}

/** Goes to the last page where the one asked for lies past the end: its last row was just resolved, or the address is old. */
export function useLastPage({ data, isPlaceholderData }: Answered, page: number, goTo: (page: number) => void): void {
  const go = useEffectEvent(goTo);
  const last = data === undefined || isPlaceholderData ? page : Math.max(1, data.pagination.pages);
  useEffect(() => {
    if (page > last) go(last);
  }, [page, last]);
}
