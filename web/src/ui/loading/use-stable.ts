import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * The callback as one function for the component's whole life, which always runs the latest version: for memoised
 * children.
 */
export function useStable<A extends unknown[]>(callback: (...args: A) => void): (...args: A) => void {
  const latest = useRef(callback);
  useLayoutEffect(() => {
    latest.current = callback;
  });
  return useCallback((...args: A) => latest.current(...args), []);
}
