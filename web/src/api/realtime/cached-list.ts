import type { InfiniteData, QueryKey } from '@tanstack/react-query';
import type { MatchView, ReceivedLike, SentLike } from '#contract/connections.ts';
import type { ConversationView } from '#contract/messages/messages.ts';
import type { NotificationView } from '#contract/notifications.ts';
import { keys } from '../keys.ts';
import { queryClient } from '../query-client.ts';
import { invalidations } from './invalidations.ts';

/** A list that is cached page by page, newest first. */
interface CachedList<Row> {
  queryKey: QueryKey;
  /** The field of each page that contains its rows. */
  field: string;
  idOf: (row: Row) => string;
  timeOf: (row: Row) => string;
}

type Page = Record<string, unknown> & { nextCursor?: unknown; pagination?: { nextCursor?: unknown } };
type Pages = InfiniteData<Page>;

const idOf = ({ _id }: { _id: string }) => _id;

export const matchList: CachedList<MatchView> = {
  queryKey: keys.matches,
  field: 'matches',
  idOf,
  timeOf: ({ matchedAt }) => matchedAt,
};
export const conversationList: CachedList<ConversationView> = {
  queryKey: keys.conversations,
  field: 'conversations',
  idOf,
  timeOf: ({ lastMessage, matchedAt }) => lastMessage?.sentAt ?? matchedAt,
};
export const notificationList: CachedList<NotificationView> = {
  queryKey: keys.notifications,
  field: 'notifications',
  idOf,
  timeOf: ({ at }) => at,
};
const likes = {
  field: 'likes',
  idOf: ({ user }: { user: { _id: string } }) => user._id,
  timeOf: ({ likedAt }: { likedAt: string }) => likedAt,
};
export const receivedLikeList: CachedList<ReceivedLike> = { ...likes, queryKey: keys.likesReceived };
export const sentLikeList: CachedList<SentLike> = { ...likes, queryKey: keys.likesSent };

const rowsOf = <Row>({ field }: CachedList<Row>, page: Page | undefined) => (page?.[field] ?? []) as Row[];

/** The row with this id, if it has been loaded. */
export function findRow<Row>(list: CachedList<Row>, id: string): Row | undefined {
  const pages = queryClient.getQueryData<Pages>(list.queryKey)?.pages ?? [];
  return pages.flatMap((page) => rowsOf(list, page)).find((row) => list.idOf(row) === id);
}

/** Inserts a row by its time. A row older than all loaded ones is only added if the list is completely loaded. */
function putRow<Row>({ timeOf }: CachedList<Row>, pages: Row[][], row: Row, isComplete: boolean): void {
  const isOlder = (other: Row) => timeOf(other) <= timeOf(row);
  const rows = pages.find((one) => one.some(isOlder));
  if (rows !== undefined) rows.splice(rows.findIndex(isOlder), 0, row);
  else if (isComplete) pages.at(-1)?.push(row);
}

/**
 * Changes each row of a list, removes those for which `change` returns null, and inserts the rows of `put`, replacing
 * rows with the same ids.
 */
export function changeList<Row>(
  list: CachedList<Row>,
  change: (row: Row) => Row | null,
  put: readonly Row[] = [],
): void {
  invalidations.addIfLoading(list.queryKey);
  queryClient.setQueryData<Pages>(list.queryKey, (cached) => {
    if (cached === undefined) return cached;
    const replaced = new Set(put.map(list.idOf));
    const pages = cached.pages.map((page) =>
      rowsOf(list, page).flatMap((row) => (replaced.has(list.idOf(row)) ? [] : (change(row) ?? []))),
    );
    const last = cached.pages.at(-1);
    const isComplete = (last?.nextCursor ?? last?.pagination?.nextCursor ?? null) === null;
    for (const row of put) putRow(list, pages, row, isComplete);
    return { ...cached, pages: cached.pages.map((page, index) => ({ ...page, [list.field]: pages[index] })) };
  });
}
