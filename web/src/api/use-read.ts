import { useEffect, useEffectEvent, useState } from 'react';

interface Reading<T> {
  key: string;
  data: T | undefined;
  error: Error | null;
  isFetching: boolean;
}

/**
 * Reads one thing, and again for another `key`. The last answer stays while it is read again, even when that fails;
 * with `keepsData` also for another key. `change` stores what a command has answered.
 */
export function useRead<T>(key: string, read: (signal: AbortSignal) => Promise<T>, { keepsData = false } = {}) {
  const [state, setState] = useState<Reading<T>>({ key, data: undefined, error: null, isFetching: true });
  const [round, setRound] = useState(0);
  const readNow = useEffectEvent(read);

  useEffect(() => {
    const leaving = new AbortController();
    setState((before) => {
      const data = before.key === key || keepsData ? before.data : undefined;
      return { key, data, error: null, isFetching: true };
    });
    readNow(leaving.signal).then(
      (data) => {
        if (!leaving.signal.aborted) setState({ key, data, error: null, isFetching: false });
      },
      (error: unknown) => {
        if (leaving.signal.aborted) return;
        const failure = error instanceof Error ? error : new Error(String(error));
        setState((before) => ({ ...before, error: failure, isFetching: false }));
      },
    );
    return () => leaving.abort();
  }, [key, keepsData, round]);

  const isOfKey = state.key === key || keepsData;
  return {
    data: isOfKey ? state.data : undefined,
    error: isOfKey ? state.error : null,
    isFetching: isOfKey ? state.isFetching : true,
    refetch: () => setRound((before) => before + 1),
    change: (next: (data: T) => T) =>
      setState((before) => (before.data === undefined ? before : { ...before, data: next(before.data) })),
  };
}
