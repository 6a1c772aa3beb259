import { useEffect, useRef } from 'react';
import { mediaAddressSameSeconds } from '#contract/constants.ts';

/** For a picture that does not load: asks for new addresses where these may have run out, once for each time they came. */
export function useFreshAddresses(answer: unknown, lookAgain: () => void): () => void {
  const since = useRef(0);

  useEffect(() => {
    since.current = Date.now();
  }, [answer]);

  return () => {
    if (Date.now() - since.current < mediaAddressSameSeconds * 1000) return;
    since.current = Date.now();
    lookAgain();
  };
}
