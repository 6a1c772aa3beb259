import { useEffect, useEffectEvent } from 'react';
import { onMissed } from '../../../api/realtime/realtime.ts';

/** Whoever goes is offline after little more than a minute. */
const askEveryMs = 60_000;

/** Asks anew whether the other one is online, every minute that the page is looked at, and whenever something may have been missed. */
export function usePresence(ask: () => void): void {
  const askNow = useEffectEvent(ask);

  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') askNow();
    }, askEveryMs);
    const stop = onMissed(() => askNow());
    return () => {
      clearInterval(timer);
      stop();
    };
  }, []);
}
