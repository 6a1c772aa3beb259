import { create } from 'zustand';
import { listMyReports } from '#contract/moderation/reports.ts';
import { onSessionChange } from '../../api/session/stored-session.ts';
import { call } from '../../api/call.ts';
import { CountBadge } from '../../ui/data/CountBadge.tsx';
import { type Translate, useText } from '../../ui/text/text.ts';

/** How many of the member's reports have news for them, as last told by the server. */
export const useUnread = create<{ count: number }>()(() => ({ count: 0 }));

/** Shows this count wherever there is a mark for news. */
export function showUnread(count: number): void {
  useUnread.setState({ count });
}

onSessionChange((_session, ended) => {
  if (ended) showUnread(0);
});

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

/** How many answers wait, in words; undefined when there is none. */
export function unreadText(count: number, t: Translate): string | undefined {
  if (count === 0) return undefined;
  return t('{count, plural, one {# answer} other {# answers}} you have not read', { count });
}

/** The count of answers not read, or nothing. */
export function UnreadBadge() {
  const t = useText();
  const count = useUnread((unread) => unread.count);
  return <CountBadge count={count} text={unreadText(count, t)} />;
}
