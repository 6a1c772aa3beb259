import { plural, t } from '@lingui/core/macro';
import { QueryObserver, queryOptions } from '@tanstack/react-query';
import { listMyReports } from '#contract/moderation/reports.ts';
import { call } from '../../../api/call.ts';
import { keys } from '../../../api/keys.ts';
import { queryClient, useCached } from '../../../api/query-client.ts';
import { CountBadge } from '../../../ui/data/Tag.tsx';

const everyMs = 60_000;

/** The number of the member's reports with an unread answer, requested every minute while the page is visible. */
export const unreadQuery = queryOptions({
  queryKey: keys.unreadReports,
  queryFn: async ({ signal }) => (await call(listMyReports, { query: { limit: 1 }, signal })).data.unread,
  refetchInterval: everyMs,
  // Returning to the page sends a request at once, but at most once a minute.
  staleTime: everyMs - 1000,
});

/** The number of reports with an unread answer, as last received; `watchUnread` keeps it up to date. */
export function useUnread(): number {
  return useCached<number>(keys.unreadReports) ?? 0;
}

/** Keeps the number up to date; returns a function that stops it. */
export function watchUnread(): () => void {
  return new QueryObserver(queryClient, unreadQuery).subscribe(() => undefined);
}

/** Requests the number again now. */
export async function refreshUnread(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: keys.unreadReports });
}

/** The number of unread answers as text; undefined if there are none. */
function unreadText(count: number): string | undefined {
  return count === 0 ? undefined : t`${plural(count, { one: '# unread answer', other: '# unread answers' })}`;
}

/** A badge with the number of unread answers; nothing if there are none. */
export function UnreadBadge() {
  const count = useUnread();
  return <CountBadge count={count} text={unreadText(count)} />;
}
