import { useEffect, useRef } from 'react';
import { mediaAddressSameSeconds } from '#contract/constants.ts';

/** For pictures that fail to load: fetches new addresses once they may have expired, at most once per answer. */
export function useFreshAddresses(answer: unknown, refetch: () => void): () => void {
  const since = useRef(0);

  useEffect(() => {
    since.current = Date.now();
  }, [answer]);

  return () => {
    if (Date.now() - since.current < mediaAddressSameSeconds * 1000) return;
    since.current = Date.now();
    refetch();
  };
}
