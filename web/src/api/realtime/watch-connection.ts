import { keptPageMark } from '../../../worker/agreement.ts';
import { useConnection } from '../request.ts';

const firstPauseMs = 2000;
const longestPauseMs = 5000;
const answerWithinMs = 8000;

async function isReachable(): Promise<boolean> {
  try {
    await fetch('/healthz', { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(answerWithinMs) });
    return true;
  } catch {
    return false;
  }
}

/** Whether the service worker served this page from its cache because there was no network. */
function isKeptPage(): boolean {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return page?.serverTiming.some(({ name }) => name === keptPageMark) === true;
}

/**
 * Dispatches the browser's own events `offline` and `online` when the browser is wrong about whether the service can be
 * reached. While it cannot be reached, it is checked again every few seconds. Returns a function that stops this.
 */
export function watchConnection(): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  let isLost = false;
  let isAsking = false;
  let pauseMs = firstPauseMs;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function setLost(lost: boolean) {
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
    setLost(!isThere);
    if (isThere) {
      pauseMs = firstPauseMs;
      useConnection.setState({ isCut: false });
      return;
    }
    timer = setTimeout(() => void check(), pauseMs);
    pauseMs = Math.min(longestPauseMs, pauseMs * 2);
  }

  /** Handles events of the browser itself and ignores the ones dispatched here. */
  function onBrowserEvent({ type, isTrusted }: Event) {
    if (!isTrusted) return;
    isLost = type === 'offline';
    void check();
  }

  function checkWhenVisible() {
    if (isLost && document.visibilityState === 'visible') void check();
  }

  window.addEventListener('offline', onBrowserEvent, { signal });
  window.addEventListener('online', onBrowserEvent, { signal });
  document.addEventListener('visibilitychange', checkWhenVisible, { signal });
  const stop = useConnection.subscribe(({ isCut }, before) => {
    if (isCut === before.isCut) return;
    if (isCut) void check();
    else setLost(false);
  });
  if (!navigator.onLine || isKeptPage() || useConnection.getState().isCut) void check();
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    stop();
  });
  return () => leaving.abort();
}
