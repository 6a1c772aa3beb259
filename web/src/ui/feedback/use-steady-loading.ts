import { useLayoutEffect, useRef, useState } from 'react';

const showAfterMs = 200;
const keepForMs = 300;

/** Whether to show that something loads: from 200 ms on, and then for 300 ms at least, so that nothing flickers. */
export function useSteadyLoading(isLoading: boolean): boolean {
  const [isShown, setShown] = useState(false);
  const shownAt = useRef(0);

  // Before the screen is drawn: a timer that is due in between would take shown data away again.
  useLayoutEffect(() => {
    if (isLoading === isShown) return;
    const waitMs = isLoading ? showAfterMs : Math.max(0, shownAt.current + keepForMs - performance.now());
    const timer = setTimeout(() => {
      if (isLoading) shownAt.current = performance.now();
      setShown(isLoading);
    }, waitMs);
    return () => clearTimeout(timer);
  }, [isLoading, isShown]);

  return isShown;
}
