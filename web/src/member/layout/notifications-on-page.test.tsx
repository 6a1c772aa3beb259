import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { likesReceived, likesSent, listMatches } from '#contract/connections.ts';
import { countUnread, listConversations } from '#contract/messages/messages.ts';
import { listNotifications, readNotifications } from '#contract/notifications.ts';
import { markReportRead } from '#contract/moderation/reports.ts';
import type { RealtimeEvent } from '#contract/realtime.ts';
import { failWith, RawAnswer, received, serve } from '../../../test/fake-server.ts';
import { conversationWith, message, serveConversations } from '../../../test/fixtures/conversations.ts';
import { matchWith, receivedLike, sentLike, serveLikes } from '../../../test/fixtures/likes.ts';
import { connectSocket, receiveOverSocket } from '../../../test/test-socket.ts';
import { likeNews, matchNews, reportNews, serveNotifications } from '../../../test/fixtures/notifications.ts';
import { ownReport, serveReport } from '../../../test/fixtures/own-reports.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { passTime, simulateTime } from '../../../test/time.ts';
import { keys } from '../../api/keys.ts';
import { queryClient } from '../../api/query-client.ts';

const bell = (name: string) => screen.findByRole('button', { name });
const markedRead = () => received(readNotifications).map(({ body }) => body);

const matchId = 'match-di';
const vip = ownUser({ isVIP: true });
const people = { received: [receivedLike('Di')], sent: [sentLike('Di')], matches: [matchWith('Di')] };

describe('an event of a match', () => {
  it.each([
    ['/app/matches', 'match', {}, people],
    ['/app/likes', 'match', people, {}],
    ['/app/likes?tab=sent', 'match', people, {}],
    ['/app/matches', 'matchEnded', people, {}],
  ] as const)('updates the open list at %s: %s', async (path, kind, before, after) => {
    const likes = serveLikes({ ...people, received: [], sent: [], matches: [], ...before });
    serveNotifications([]);
    renderApp(path, vip);
    const link = () => screen.queryByRole('link', { name: 'Di, 34' });
    await waitFor(() => expect(link() !== null).toBe(before === people));
    await screen.findByRole('heading', { level: 1 });
    Object.assign(likes, { received: [], sent: [], matches: [] }, after);
    await receiveOverSocket({ kind, matchId });
    await waitFor(() => expect(link() !== null).toBe(after === people));
  });

  it('is replaced by a reload on reconnect if it was missed', async () => {
    const likes = serveLikes({ matches: [matchWith('Di')] });
    serveNotifications([]);
    renderApp('/app/matches', vip);
    await screen.findByRole('link', { name: 'Di, 34' });
    likes.matches = [];
    await connectSocket();
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Di, 34' })).toBeNull());
  });
});

const endpoints = [listMatches, likesReceived, likesSent, listConversations, countUnread, listNotifications];
const requests = () => endpoints.map((endpoint) => received<(typeof endpoints)[number]>(endpoint).length);

/** Waits until all requests have ended; queries that events invalidate are fetched within 200 ms. */
async function untilQuiet(): Promise<void> {
  for (let before = -1; before !== sum(requests());) {
    before = sum(requests());
    await passTime(400);
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  }
}
const sum = (counts: number[]) => counts.reduce((all, count) => all + count, 0);

describe('an event that carries what changed', () => {
  const match = matchWith('Di', { theirNote: 'Hello from Di' });
  const conversation = conversationWith('Di');
  const newMatch: RealtimeEvent = { kind: 'match', matchId, rows: { match, conversation } };
  const ended: RealtimeEvent = { kind: 'matchEnded', matchId, unreadConversations: 0 };
  const older = { matchedAt: '2025-10-01T10:00:00.000Z' };
  const link = (name = 'Di, 34') => screen.queryByRole('link', { name });

  async function open(path: string, known: Parameters<typeof serveLikes>[0]): Promise<number[]> {
    simulateTime();
    serveConversations({ Bo: [message(1)] });
    serveLikes(known);
    serveNotifications([]);
    renderApp(path, vip);
    await screen.findByRole('heading', { level: 1 });
    // The live updates, whose code is fetched after the page.
    await waitFor(() => expect([countUnread, listNotifications].map((one) => received(one).length)).toEqual([1, 1]));
    await untilQuiet();
    return requests();
  }

  it('adds a new match at its place in the open list of matches without a request', async () => {
    const before = await open('/app/matches', {
      matches: [matchWith('Cy', { matchedAt: '2025-10-20T10:00:00.000Z' }), matchWith('Bo', older)],
    });
    await receiveOverSocket(newMatch);
    expect(screen.getByText(/Hello from Di/)).toBeVisible();
    const rows = within(screen.getByRole('list', { name: 'Your matches' })).getAllByRole('listitem');
    expect(rows.map((row) => /Bo|Cy|Di/.exec(row.textContent)?.[0])).toEqual(['Cy', 'Di', 'Bo']);
    await untilQuiet();
    expect(requests()).toEqual(before);
  });

  it.each([
    ['/app/likes', /One person likes you/],
    ['/app/likes?tab=sent', /They haven't answered yet/],
  ])('removes a new match from the open list at %s without a request', async (path, rest) => {
    const all = { received: [receivedLike('Di'), receivedLike('Ed')], sent: [sentLike('Di'), sentLike('Ed')] };
    const before = await open(path, all);
    expect(link()).toBeVisible();
    await receiveOverSocket(newMatch);
    expect(link()).toBeNull();
    expect(link('Ed, 34')).toBeVisible();
    expect(screen.getByText(rest)).toBeVisible();
    await untilQuiet();
    expect(requests()).toEqual(before);
  });

  it('reloads the number of likes for a member who cannot see who likes them', async () => {
    const before = await open('/app/likes', { hidden: 3 });
    await receiveOverSocket(newMatch);
    await untilQuiet();
    expect(requests()).toEqual(before.map((count, index) => count + Number(endpoints[index] === likesReceived)));
  });

  it('adds a new match to the open list of conversations, and loads the list again when it ends, for a goodbye', async () => {
    const before = await open('/app/messages', {});
    await receiveOverSocket(newMatch);
    expect(screen.getByRole('list', { name: 'New matches' })).toHaveTextContent('Di');
    await receiveOverSocket(ended);
    expect(screen.queryByRole('list', { name: 'New matches' })).toBeNull();
    await untilQuiet();
    expect(requests()).toEqual(before.map((count, index) => count + Number(endpoints[index] === listConversations)));
  });

  it('removes an ended match from the open list and the badge without a request', async () => {
    const before = await open('/app/matches', { matches: [matchWith('Di'), matchWith('Bo')] });
    await receiveOverSocket({ ...ended, unreadConversations: 2 });
    expect(link()).toBeNull();
    expect(link('Bo, 34')).toBeVisible();
    expect(queryClient.getQueryData(keys.unreadConversations)).toBe(2);
    await untilQuiet();
    expect(requests()).toEqual(before);
  });

  it('marks its notification as read on the page that shows the match', async () => {
    await open('/app/matches', {});
    await receiveOverSocket(newMatch);
    await receiveOverSocket({ kind: 'news', changes: { added: [matchNews(3, 'Di')], read: [], unread: 1 } });
    await waitFor(() => expect(markedRead().at(-1)).toEqual({ kind: 'match' }));
  });
});

describe('notifications that arrive together', () => {
  it.each([
    ['/app/likes', [matchNews(4, 'Cy'), likeNews(3)]],
    ['/app/matches', [likeNews(4), matchNews(3, 'Di')]],
    ['/app/likes', [reportNews(4), likeNews(3)]],
    // It is read on another device right away.
    ['/app/matches', [matchNews(4, 'Di', { isRead: true })]],
    ['/app/likes', [matchNews(4, 'Cy', { isRead: true }), likeNews(3, { isRead: true })]],
    // It arrives at the same time as a known one.
    ['/app/likes', [likeNews(1, { _id: 'news-same' })]],
  ])('update the open list at %s, whichever is the newest', async (path, arriving) => {
    const likes = serveLikes();
    const known = serveNotifications([matchNews(1, 'Cy')]);
    renderApp(path, vip);
    await screen.findByText(/^(You have no matches yet|No new likes right now)\.$/);
    await waitFor(() => expect(received(listNotifications)).not.toEqual([]));
    await waitFor(() => expect(markedRead()).not.toEqual([]));
    likes.received.unshift(receivedLike('Di'));
    likes.matches.unshift(matchWith('Di'));
    known.notifications = [...arriving, ...known.notifications].toSorted((a, b) => b.at.localeCompare(a.at));
    await receiveOverSocket({ kind: 'news' });
    expect(await screen.findByRole('link', { name: 'Di, 34' })).toBeVisible();
  });
});

describe('a notification about the open page', () => {
  it('is marked as read on the likes page, which shows the new like', async () => {
    const likes = serveLikes({ received: [receivedLike('Bo')] });
    const known = serveNotifications([matchNews(2, 'Cy'), likeNews(1)]);
    renderApp('/app/likes', ownUser({ isVIP: true }));
    await waitFor(() => expect(markedRead()).toEqual([{ kind: 'like' }]));
    await bell('Notifications, 1 unread');
    likes.received.unshift(receivedLike('Di'));
    known.notifications.unshift(likeNews(3));
    await receiveOverSocket({ kind: 'news' });
    expect(await screen.findByRole('link', { name: 'Di, 34' })).toBeVisible();
    await waitFor(() => expect(known.notifications.filter(({ isRead }) => !isRead)).toEqual([matchNews(2, 'Cy')]));
  });

  it('is no longer counted, even if an older count arrives later', async () => {
    serveLikes({ received: [receivedLike('Bo')] });
    const known = serveNotifications([matchNews(2, 'Cy'), likeNews(1)]);
    let answer = (): void => undefined;
    const isRead = new Promise<void>((resolve) => (answer = resolve));
    let isFirst = true;
    serve(listNotifications, async () => {
      const unread = known.notifications.filter((one) => !one.isRead).length;
      if (isFirst) {
        isFirst = false;
        await isRead;
      }
      return { data: { notifications: known.notifications.slice(0, 1), unread, nextCursor: null } };
    });
    renderApp('/app/likes', ownUser({ isVIP: true }));
    await waitFor(() => expect(markedRead()).toEqual([{ kind: 'like' }]));
    await waitFor(() => expect(received(listNotifications)).toHaveLength(1));
    answer();
    expect(await bell('Notifications, 1 unread')).toBeVisible();
  });

  it('stays unread while the likes are hidden', async () => {
    serveLikes();
    serveNotifications([likeNews(1)]);
    failWith(likesReceived, new RawAnswer(500, ''));
    renderApp('/app/likes', ownUser());
    expect(await screen.findByRole('alert')).toBeVisible();
    await bell('Notifications, 1 unread');
    expect(markedRead()).toEqual([]);
  });

  it('is marked as read on the matches page, which shows the new match at once', async () => {
    const likes = serveLikes({ matches: [matchWith('Bo')] });
    const known = serveNotifications([matchNews(2, 'Bo'), likeNews(1)]);
    renderApp('/app/matches', ownUser());
    await waitFor(() => expect(markedRead()).toEqual([{ kind: 'match' }]));
    await bell('Notifications, 1 unread');
    likes.matches.unshift(matchWith('Di'));
    known.notifications.unshift(matchNews(3, 'Di'));
    await receiveOverSocket({ kind: 'news' });
    expect(await screen.findByRole('link', { name: 'Di, 34' })).toBeVisible();
    // A list that is being fetched when the news arrive is fetched once more.
    expect(received(listMatches).length).toBeLessThanOrEqual(3);
  });

  it('is no longer counted once its report was read', async () => {
    const known = serveNotifications([reportNews(1)]);
    const report = ownReport({ isUnread: true });
    serveReport(report);
    serve(markReportRead, () => {
      known.notifications = [reportNews(1, { isRead: true })];
      return { data: { report: { ...report, isUnread: false } } };
    });
    renderApp(`/app/support/${report._id}`, ownUser());
    await waitFor(() => expect(received(markReportRead)).toHaveLength(1));
    expect(await bell('Notifications')).toBeVisible();
  });
});
