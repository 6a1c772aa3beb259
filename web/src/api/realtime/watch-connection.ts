import { keptPageMark } from '../../../worker/agreement.ts';
import { useConnection } from './connection.ts';

const firstPauseMs = 2000;
const longestPauseMs = 5000;
const answerWithinMs = 8000;

/** Whether the service answers; whatever it says will do. */
async function isReachable(): Promise<boolean> {
  try {
    await fetch('/healthz', { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(answerWithinMs) });
    return true;
  } catch {
    return false;
  }
}

/** Whether the service worker had to stand in for the network when this page was loaded. */
function isKeptPage(): boolean {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return page?.serverTiming.some(({ name }) => name === keptPageMark) === true;
}

/**
 * Tells the page in the browser's own words, the events `offline` and `online`, whether the service can be reached, where the
 * browser is wrong about it; as long as it cannot, asks again and again. Returns how to stop.
 */
export function watchConnection(): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  let isLost = false;
  let isAsking = false;
  let pauseMs = firstPauseMs;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function tell(lost: boolean) {
    if (lost === isLost) return;
    isLost = lost;
    window.dispatchEvent(new Event(lost ? 'offline' : 'online'));
  }

  async function check() {
    if (isAsking) return;
    clearTimeout(timer);
    isAsking = true;
    const isThere = await isReachable();
    isAsking = false;
    if (signal.aborted) return;
    tell(!isThere);
    if (isThere) {
      pauseMs = firstPauseMs;
      useConnection.setState({ isCut: false });
      return;
    }
    timer = setTimeout(() => void check(), pauseMs);
    pauseMs = Math.min(longestPauseMs, pauseMs * 2);
  }

  /** What the browser itself says; our own events are no news here. */
  function hear({ type, isTrusted }: Event) {
    if (!isTrusted) return;
    isLost = type === 'offline';
    void check();
  }

  function look() {
    if (isLost && document.visibilityState === 'visible') void check();
  }

  window.addEventListener('offline', hear, { signal });
  window.addEventListener('online', hear, { signal });
  document.addEventListener('visibilitychange', look, { signal });
  const stop = useConnection.subscribe(({ isCut }, before) => {
    if (isCut === before.isCut) return;
    if (isCut) void check();
    else tell(false);
  });
  if (!navigator.onLine || isKeptPage() || useConnection.getState().isCut) void check();
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    stop();
  });
  return () => leaving.abort();
}
