import { useCallback, useRef } from 'react';

export type InTurn = <T>(command: () => Promise<T>) => Promise<T>;

/** Runs commands one after the other, in the order they were given; one that fails holds up none. */
export function useTurns(): InTurn {
  const last = useRef<Promise<unknown>>(Promise.resolve());
  return useCallback((command) => {
    const turn = last.current.then(command);
    last.current = turn.catch(() => undefined);
    return turn;
  }, []);
}
