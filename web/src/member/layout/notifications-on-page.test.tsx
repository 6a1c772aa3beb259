import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { likesReceived, listMatches } from '#contract/connections.ts';
import { listNotifications, readNotifications } from '#contract/notifications.ts';
import { markReportRead } from '#contract/moderation/reports.ts';
import { received, RawAnswer, serve } from '../../../test/fake-server.ts';
import { matchWith, receivedLike, sentLike, serveLikes } from '../../../test/fixtures/likes.ts';
import { connectSocket, receiveOverSocket } from '../../../test/test-socket.ts';
import { likeNews, matchNews, reportNews, serveNotifications } from '../../../test/fixtures/notifications.ts';
import { ownReport, serveReport } from '../../../test/fixtures/own-reports.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { renderApp } from '../../../test/render-app.tsx';

const bell = (name: string) => screen.findByRole('button', { name });
const told = () => received(readNotifications).map(({ body }) => body);

const matchId = 'match-di';
const vip = ownUser({ isVIP: true });
const people = { received: [receivedLike('Di')], sent: [sentLike('Di')], matches: [matchWith('Di')] };

describe('an event of a match', () => {
  it.each([
    ['/app/matches', 'match', {}, people],
    ['/app/likes', 'match', people, {}],
    ['/app/likes?tab=sent', 'match', people, {}],
    ['/app/matches', 'matchEnded', people, {}],
  ] as const)('at %s, %s updates the open list', async (path, kind, before, after) => {
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

  it('that was missed is made up for by a reconnect', async () => {
    const likes = serveLikes({ matches: [matchWith('Di')] });
    serveNotifications([]);
    renderApp('/app/matches', vip);
    await screen.findByRole('link', { name: 'Di, 34' });
    likes.matches = [];
    await connectSocket();
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Di, 34' })).toBeNull());
  });
});

describe('notifications that arrive together', () => {
  it.each([
    ['/app/likes', [matchNews(4, 'Cy'), likeNews(3)]],
    ['/app/matches', [likeNews(4), matchNews(3, 'Di')]],
    ['/app/likes', [reportNews(4), likeNews(3)]],
    // Read at once on another device.
    ['/app/matches', [matchNews(4, 'Di', { isRead: true })]],
    ['/app/likes', [matchNews(4, 'Cy', { isRead: true }), likeNews(3, { isRead: true })]],
    // At the same moment as one that is known.
    ['/app/likes', [likeNews(1, { _id: 'news-same' })]],
  ])('at %s update the open list, whichever is the newest', async (path, arriving) => {
    const likes = serveLikes();
    const known = serveNotifications([matchNews(1, 'Cy')]);
    renderApp(path, vip);
    await screen.findByText(/^(You have no matches yet|No new likes right now)\.$/);
    await waitFor(() => expect(received(listNotifications)).not.toEqual([]));
    likes.received.unshift(receivedLike('Di'));
    likes.matches.unshift(matchWith('Di'));
    known.notifications = [...arriving, ...known.notifications].toSorted((a, b) => b.at.localeCompare(a.at));
    await receiveOverSocket({ kind: 'news' });
    expect(await screen.findByRole('link', { name: 'Di, 34' })).toBeVisible();
  });
});

describe('notifications about the page being viewed', () => {
  it('about likes are read on the likes page, which shows new ones', async () => {
    const likes = serveLikes({ received: [receivedLike('Bo')] });
    const known = serveNotifications([matchNews(2, 'Cy'), likeNews(1)]);
    renderApp('/app/likes', ownUser({ isVIP: true }));
    await waitFor(() => expect(told()).toEqual([{ kind: 'like' }]));
    await bell('Notifications, 1 unread');
    likes.received.unshift(receivedLike('Di'));
    known.notifications.unshift(likeNews(3));
    await receiveOverSocket({ kind: 'news' });
    expect(await screen.findByRole('link', { name: 'Di, 34' })).toBeVisible();
    await waitFor(() => expect(told()).toHaveLength(2));
    expect(received(likesReceived)).toHaveLength(2);
  });

  it('about likes stay unread while the likes are hidden', async () => {
    serveLikes();
    serveNotifications([likeNews(1)]);
    serve(likesReceived, () => {
      throw new RawAnswer(500, '');
    });
    renderApp('/app/likes', ownUser());
    expect(await screen.findByRole('alert')).toBeVisible();
    await bell('Notifications, 1 unread');
    expect(told()).toEqual([]);
  });

  it('about matches are read on the matches page, which shows new ones at once', async () => {
    const likes = serveLikes({ matches: [matchWith('Bo')] });
    const known = serveNotifications([matchNews(2, 'Bo'), likeNews(1)]);
    renderApp('/app/matches', ownUser());
    await waitFor(() => expect(told()).toEqual([{ kind: 'match' }]));
    await bell('Notifications, 1 unread');
    likes.matches.unshift(matchWith('Di'));
    known.notifications.unshift(matchNews(3, 'Di'));
    await receiveOverSocket({ kind: 'news' });
    expect(await screen.findByRole('link', { name: 'Di, 34' })).toBeVisible();
    expect(received(listMatches)).toHaveLength(2);
  });

  it('about a report are no longer counted once the report was read', async () => {
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
