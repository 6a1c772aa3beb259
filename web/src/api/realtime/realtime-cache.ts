import type { InfiniteData, Query } from '@tanstack/react-query';
import type { AnswerOf } from '#contract/endpoint.ts';
import type { likesReceived } from '#contract/connections.ts';
import type { MessageView } from '#contract/messages/messages.ts';
import type { listAppeals } from '#contract/moderation/appeals.ts';
import type { listCases, listCaseViews } from '#contract/moderation/case-list.ts';
import type { getCase } from '#contract/moderation/cases.ts';
import type { getQueue } from '#contract/moderation/queue.ts';
import type { listOutsiderReports } from '#contract/moderation/outsider-reports.ts';
import type { getReportFile } from '#contract/moderation/report-file.ts';
import type { getReportConversation, getReportStatistics, listReports } from '#contract/moderation/staff-reports.ts';
import type { getStart } from '#contract/moderation/start.ts';
import type { RealtimeEvent } from '#contract/realtime.ts';
import type { getBanner } from '#contract/service/banner.ts';
import type { getFigures } from '#contract/service/figures.ts';
import type { readText } from '#contract/service/texts.ts';
import type { getConfig } from '#contract/system.ts';
import type { getStatistics } from '#contract/statistics.ts';
import { keyAt } from '../endpoint-query.ts';
import { keys } from '../keys.ts';
import { queryClient } from '../query-client.ts';
import {
  changeList,
  conversationList,
  findRow,
  matchList,
  notificationList,
  receivedLikeList,
  sentLikeList,
} from './cached-list.ts';
import { countInvalidations, invalidations, staffInvalidations } from './invalidations.ts';
import { changeHistory } from './loaded-history.ts';
import { isDoubtful, withEvent, withRead } from './message-history.ts';
import { type NewestNotification, newsSubjects, withNewest } from './newest-notification.ts';
import { holdRealtime, onMissed, onRealtime } from './realtime.ts';

function showMessage(matchId: string, message: MessageView): void {
  const listed = findRow(conversationList, matchId);
  changeHistory(matchId, (history) => withEvent(history, message));
  const lastSeq = listed?.lastMessage?.seq ?? 0;
  if (listed !== undefined && message.seq >= lastSeq) {
    const isUnread = message.seq > lastSeq && message.from === listed.user._id;
    const next = { ...listed, lastMessage: message, unread: listed.unread + Number(isUnread) };
    changeList(conversationList, (row) => row, [next]);
  }
  // After a message was deleted or restored, only the server knows how many conversations are unread.
  const isUncertain =
    listed === undefined || isDoubtful(listed.lastMessage, message) || (message.text === null && listed.unread > 0);
  if (isUncertain) invalidations.add(keys.conversations);
  invalidations.add(keys.unreadConversations);
  // A date can be planned from the first answer on.
  if (queryClient.getQueryData<{ canPlan: boolean }>(keys.date(matchId))?.canPlan === false)
    invalidations.add(keys.date(matchId));
}

function showRead(matchId: string, by: string, seq: number): void {
  changeHistory(matchId, (history) => withRead(history, by, seq, new Date().toISOString()));
  changeList(conversationList, (row) => {
    if (row._id !== matchId || by === row.user._id || row.unread === 0) return row;
    // If some messages are still unread, only the server knows which.
    if (seq < (row.lastMessage?.seq ?? 0)) invalidations.add(keys.conversations);
    return { ...row, unread: 0 };
  });
  invalidations.add(keys.unreadConversations);
}

/** The server stops counting likes at this number. */
const likesCountedMost = 1000;

/** Removes the likes between the member and someone they have just matched with. */
function removeLikes(userId: string): void {
  changeList(sentLikeList, (row) => (row.user._id === userId ? null : row));
  const known = queryClient.getQueryData<InfiniteData<AnswerOf<typeof likesReceived>['data']>>(keys.likesReceived);
  // Only the server knows how many likes are left if not all are loaded and counted, or if the member cannot see who
  // likes them.
  const isSeen =
    findRow(receivedLikeList, userId) !== undefined && (known?.pages.at(-1)?.count ?? 0) < likesCountedMost;
  if (!isSeen) return invalidations.add(keys.likesReceived);
  changeList(receivedLikeList, (row) => (row.user._id === userId ? null : row));
  queryClient.setQueryData<typeof known>(
    keys.likesReceived,
    (list) => list && { ...list, pages: list.pages.map((page) => ({ ...page, count: page.count - 1 })) },
  );
}

function showMatch({ matchId, rows }: EventOf<'match'>): void {
  if (rows === undefined) return invalidations.add(...matchLists);
  const { match, conversation } = rows;
  changeList(matchList, (row) => row, [match]);
  changeList(conversationList, (row) => row, [conversation]);
  removeLikes(match.user._id);
  queryClient.setQueryData(
    keys.member(match.user._id),
    (member: object | undefined) => member && { ...member, decision: 'like', matchId },
  );
  if (conversation.unread > 0) invalidations.add(keys.unreadConversations);
}

function showMatchEnd({ matchId, unreadConversations }: EventOf<'matchEnded'>): void {
  changeHistory(matchId, (history) => ({ ...history, isEnded: true }));
  changeList(conversationList, (row) => (row._id === matchId ? null : row));
  changeList(matchList, (row) => (row._id === matchId ? null : row));
  changeList(notificationList, (row) => (row.subjectId === matchId ? null : row));
  // The event does not say who the match was with, or whether a block ended it.
  invalidations.add(keys.allMembers, keys.blocks);
  // If it ended with a goodbye, the conversation can still be read.
  invalidations.add(keys.conversations, keys.conversation(matchId));
  // Hidden members also get this event, and they still see the match.
  if (unreadConversations === undefined)
    return invalidations.add(keys.matches, keys.conversations, keys.unreadConversations, keys.allNotifications);
  invalidations.addIfLoading(keys.unreadConversations);
  queryClient.setQueryData(keys.unreadConversations, unreadConversations);
}

function showNews({ changes }: EventOf<'news'>): void {
  if (changes === undefined) return invalidations.add(keys.allNotifications);
  const { added, read, unread } = changes;
  changeList(notificationList, (row) => (read.includes(row._id) ? { ...row, isRead: true } : row), added);
  invalidations.addIfLoading(keys.newestNotification);
  queryClient.setQueryData<NewestNotification>(
    keys.newestNotification,
    (before) => before && withNewest(before, added[0], unread),
  );
  for (const { kind } of added) {
    if (kind !== 'match') invalidations.add(...newsSubjects[kind]);
    // Matches have their own event. Rewriting the list makes its screen notice that there is something to mark as read.
    else changeList(matchList, (row) => row);
  }
}

/** Matches queries that are loading or that show one of these ids. */
const showingOneOf = (ids: readonly string[]) => (query: Query) => {
  const shown = query.state.fetchStatus === 'fetching' ? undefined : JSON.stringify(query.state.data);
  return shown === undefined || ids.some((id) => shown.includes(id));
};

const reportLists = keyAt<typeof listReports>('/reports/reports');
const caseLists = [
  keyAt<typeof listCases>('/admin/cases'),
  keyAt<typeof listAppeals>('/admin/appeals'),
  keyAt<typeof listOutsiderReports>('/admin/notices'),
];
const reportFigures = keyAt<typeof getReportStatistics>('/reports/report/stats/statistics');
const counts = [
  keyAt<typeof listCaseViews>('/admin/case-views'),
  keyAt<typeof getStart>('/admin/start'),
  keyAt<typeof getQueue>('/admin/queue'),
];
const statistics = keyAt<typeof getStatistics>('/admin/statistics');

function showReports({ changed }: EventOf<'reports'>): void {
  countInvalidations.add(...counts);
  staffInvalidations.add(reportFigures);
  if (changed === undefined) return staffInvalidations.add(reportLists, ...caseLists);
  const { reports, cases } = changed;
  const predicate = showingOneOf([...reports, ...cases]);
  for (const queryKey of [reportLists, ...caseLists])
    for (const query of queryClient.getQueryCache().findAll({ queryKey, predicate }))
      staffInvalidations.add(query.queryKey);
  // Opening a file is recorded, so it is not fetched again until someone opens it.
  const files = [
    ...reports.map((id) => keyAt<typeof getReportFile>('/admin/reports/{id}', { id })),
    ...reports.map((id) => keyAt<typeof getReportConversation>('/reports/report/{id}/conversation', { id })),
    ...cases.map((id) => keyAt<typeof getCase>('/admin/cases/{id}', { id })),
  ];
  for (const queryKey of files) void queryClient.invalidateQueries({ queryKey, refetchType: 'none' });
}

/** All queries that show matches, and the likes, from which a match is removed. */
const matchLists = [
  keys.matches,
  keys.likesReceived,
  keys.likesSent,
  keys.conversations,
  keys.unreadConversations,
  keys.allMembers,
];

/** The settings that the owner changes. */
const serviceParts = [
  keyAt<typeof getConfig>('/config'),
  keyAt<typeof getBanner>('/banner'),
  keyAt<typeof getFigures>('/figures'),
  keyAt<typeof readText>('/texts/{kind}'),
];

type EventOf<Kind extends RealtimeEvent['kind']> = Extract<RealtimeEvent, { kind: Kind }>;

/** Updates the cache with an event from the server, or with something that the user has just done in this tab. */
export function applyEvent(event: RealtimeEvent): void {
  switch (event.kind) {
    case 'message':
      return showMessage(event.matchId, event.message);
    case 'read':
      return showRead(event.matchId, event.by, event.seq);
    case 'match':
      return showMatch(event);
    case 'matchEnded':
      return showMatchEnd(event);
    case 'news':
      return showNews(event);
    case 'date':
      return invalidations.add(keys.date(event.matchId));
    case 'service':
      return invalidations.add(...serviceParts);
    case 'statistics':
      return staffInvalidations.add(statistics);
    case 'reports':
      return showReports(event);
    case 'typing':
    case 'assigned':
    case 'caseViewer':
  }
}

/**
 * Keeps the socket open and updates the cache with its events. Data is fetched again when events may have been missed.
 * Returns a function that stops it.
 */
export function followRealtime(): () => void {
  const stops = [
    holdRealtime(),
    onRealtime(applyEvent),
    onMissed(() => {
      invalidations.add(
        ...serviceParts,
        ...matchLists,
        keys.blocks,
        keys.allConversations,
        keys.allDates,
        keys.allNotifications,
      );
      staffInvalidations.add(statistics, reportLists, ...caseLists, reportFigures);
      countInvalidations.add(...counts);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
    invalidations.stop();
    staffInvalidations.stop();
    countInvalidations.stop();
  };
}
