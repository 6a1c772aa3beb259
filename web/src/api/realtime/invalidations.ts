import { hashKey, type Query, type QueryKey } from '@tanstack/react-query';
import { queryClient } from '../query-client.ts';

interface Invalidations {
  add: (...changed: QueryKey[]) => void;
  /**
   * Like `add`, but only for a query that is loading: its answer may be older than the change that an event has just
   * made.
   */
  addIfLoading: (queryKey: QueryKey) => void;
  /** Marks the collected queries as stale without fetching them; the next page that shows them fetches them. */
  stop: () => void;
}

interface Pace {
  /** How long changes are collected before they are invalidated together. */
  delayMs?: number;
  /** The minimum time between two invalidations. */
  restMs?: number;
  /** The maximum of a random extra delay, so that not all screens send requests at the same time. */
  jitterMs?: number;
  /** Fetches nothing while the page is hidden. */
  isForEyes?: boolean;
}

const isEmpty = ({ state }: Query) => state.data === undefined;

/**
 * Collects query keys and invalidates them together. Invalidating does not restart a query's first load and does not
 * mark its answer as stale, so such a query is invalidated again once it has loaded.
 */
function batchInvalidations({ delayMs = 0, restMs = 0, jitterMs = 0, isForEyes = false }: Pace): Invalidations {
  const waiting = new Map<string, QueryKey>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let flushedAt = -Infinity;

  function flush(refetchType: 'active' | 'none'): void {
    timer = undefined;
    flushedAt = performance.now();
    const queryKeys = [...waiting.values()];
    waiting.clear();
    const isUnseen = isForEyes && document.visibilityState === 'hidden';
    const type = isUnseen ? 'none' : refetchType;
    for (const queryKey of queryKeys) {
      const firstLoads = queryClient.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching', predicate: isEmpty });
      void queryClient.invalidateQueries({ queryKey, refetchType: type });
      for (const query of firstLoads) {
        const again = () => add(query.queryKey);
        query.fetch().then(again, again);
      }
    }
  }

  function add(...changed: QueryKey[]): void {
    for (const queryKey of changed) waiting.set(hashKey(queryKey), queryKey);
    timer ??= setTimeout(
      () => flush('active'),
      Math.max(delayMs + Math.random() * jitterMs, flushedAt + restMs - performance.now()),
    );
  }

  function addIfLoading(queryKey: QueryKey): void {
    if (queryClient.isFetching({ queryKey, exact: true }) > 0) add(queryKey);
  }

  function stop(): void {
    clearTimeout(timer);
    flush('none');
    flushedAt = -Infinity;
  }

  return { add, addIfLoading, stop };
}

/** Events often come in pairs, such as a new match with its notification. */
export const invalidations = batchInvalidations({ delayMs: 200 });
/** Figures about the whole service change all the time. */
export const staffInvalidations = batchInvalidations({ restMs: 2000 });
/**
 * The server counts saved lists for each viewer separately, so the screens of a busy team request the counts less
 * often.
 */
export const countInvalidations = batchInvalidations({ delayMs: 10_000, jitterMs: 5000, isForEyes: true });
