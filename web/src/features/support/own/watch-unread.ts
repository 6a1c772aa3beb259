import { listMyReports } from '#contract/moderation/reports.ts';
import { call } from '../../../api/call.ts';
import { showUnread } from './unread.ts';

const everyMs = 60_000;

/** Asks the server how many reports have news, and shows it. Without an answer the mark stays as it is. */
export async function askUnread(signal?: AbortSignal): Promise<void> {
  try {
    const { data } = await call(listMyReports, { query: { limit: 1 }, ...(signal ? { signal } : {}) });
    if (signal?.aborted !== true) showUnread(data.unread);
  } catch {
    // The next minute asks again.
  }
}

/** Asks now and each minute while the page is in view; returns how to stop. */
export function watchUnread(): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  let askedAt = -Infinity;

  function askWhenDue() {
    if (document.visibilityState !== 'visible' || performance.now() - askedAt < everyMs) return;
    askedAt = performance.now();
    void askUnread(signal);
  }

  askWhenDue();
  const timer = setInterval(askWhenDue, everyMs / 2);
  document.addEventListener('visibilitychange', askWhenDue, { signal });
  signal.addEventListener('abort', () => clearInterval(timer));
  return () => leaving.abort();
}
