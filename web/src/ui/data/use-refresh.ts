import { useState } from 'react';

/** Data that can be asked for anew. */
export interface Refreshable {
  dataUpdatedAt: number;
  error: Error | null;
  /** Only what comes next could not be had: what is there is no older for it. */
  isFetchNextPageError?: boolean;
  isFetching: boolean;
  refetch: () => Promise<{ isError: boolean }>;
}

/** Whether there is data, and a newer answer could not be had. */
export function isOutdated({
  dataUpdatedAt,
  error,
  isFetchNextPageError,
}: Omit<Refreshable, 'isFetching' | 'refetch'>) {
  return dataUpdatedAt !== 0 && error !== null && isFetchNextPageError !== true;
}

/** Asking anew by hand: under way, and failed until there is an answer; `onFresh` hears of one that brought it. */
export function useRefresh(query: Refreshable, onFresh?: () => void) {
  const [isRefreshing, setRefreshing] = useState(false);
  const [failedOn, setFailedOn] = useState<number | null>(null);

  async function refresh() {
    setRefreshing(true);
    const { isError } = await query.refetch();
    setRefreshing(false);
    setFailedOn(isError ? query.dataUpdatedAt : null);
    if (!isError) onFresh?.();
  }

  return { isRefreshing, refresh, hasFailed: failedOn === query.dataUpdatedAt && isOutdated(query) };
}
