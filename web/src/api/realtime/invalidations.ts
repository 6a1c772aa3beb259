import { hashKey, type Query, type QueryKey } from '@tanstack/react-query';
import { queryClient } from '../query-client.ts';

interface Invalidations {
  add: (...changed: QueryKey[]) => void;
  /** The same for a query that is on its way: its answer may be older than what an event has just changed, and replaces that. */
  addIfLoading: (queryKey: QueryKey) => void;
  /** Marks what is waiting as stale without fetching it; the next page that shows it does. */
  stop: () => void;
}

interface Pace {
  /** How long what has changed is collected. */
  delayMs?: number;
  /** The least time between two invalidations. */
  restMs?: number;
  /** A random time more, so that not all screens ask at once. */
  jitterMs?: number;
  /** A hidden page fetches nothing until it is looked at. */
  isForEyes?: boolean;
}

const isEmpty = ({ state }: Query) => state.data === undefined;

/**
 * Collects query keys and invalidates them together. A query's first load is neither restarted by that nor stale once it has ended, so
 * it is invalidated again then.
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
/** The figures of the whole service change all the time. */
export const staffInvalidations = batchInvalidations({ restMs: 2000 });
/** The sizes of saved lists are counted by the server for each viewer, so a busy team's screens ask for them less often. */
export const countInvalidations = batchInvalidations({ delayMs: 10_000, jitterMs: 5000, isForEyes: true });
