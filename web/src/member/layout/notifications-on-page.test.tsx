import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { likesReceived, listMatches } from '#contract/connections/likes.ts';
import { readNotifications } from '#contract/notifications.ts';
import { markReportRead } from '#contract/moderation/reports.ts';
import { received, RawAnswer, serve } from '../../../test/fake-server.ts';
import { matchWith, receivedLike, serveLikes } from '../../../test/fixtures/likes.ts';
import { receiveOverSocket } from '../../../test/test-socket.ts';
import { likeNews, matchNews, reportNews, serveNotifications } from '../../../test/fixtures/notifications.ts';
import { ownReport, serveReport } from '../../../test/fixtures/own-reports.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { renderApp } from '../../../test/render-app.tsx';

const bell = (name: string) => screen.findByRole('button', { name });
const told = () => received(readNotifications).map(({ body }) => body);

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
