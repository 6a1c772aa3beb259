import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { listNotifications, readNotifications } from '#contract/notifications.ts';
import { listMyReports } from '#contract/moderation/reports.ts';
import { CutOff, failWith, received, serve } from '../../../test/fake-server.ts';
import { connectSocket, receiveOverSocket } from '../../../test/test-socket.ts';
import { likeNews, matchNews, reportNews, serveNotifications } from '../../../test/fixtures/notifications.ts';
import { administrator, ownUser } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';
import { passTime, simulateTime } from '../../../test/time.ts';

const bell = (name: string | RegExp = /^Notifications/) => screen.findByRole('button', { name });
const panel = () => screen.getByRole('dialog', { name: 'Notifications' });
const rows = () => within(panel()).getAllByRole('listitem');
const markedAsRead = () => received(readNotifications).map(({ body }) => body);

async function openPanel() {
  const app = renderApp('/faqs', ownUser());
  await app.person.click(await bell());
  await screen.findByRole('dialog', { name: 'Notifications' });
  return app;
}

describe('the bell', () => {
  it.each([
    [0, 'Notifications', ''],
    [3, 'Notifications, 3 unread', '3'],
    [100, 'Notifications, more than 99 unread', '99+'],
  ])('shows that %s notifications are unread', async (count, name, shown) => {
    serveNotifications(Array.from({ length: count }, (_, index) => likeNews(count - index)));
    renderApp('/faqs', ownUser());
    expect(await bell(name)).toHaveTextContent(new RegExp(`^${shown.replace('+', '\\+')}$`));
  });

  it.each([
    ['visitors', '/faqs', undefined],
    ['staff', '/home', administrator()],
  ])('is hidden for %s', async (_, path, user) => {
    serveNotifications([likeNews(1)]);
    renderApp(path, user);
    await screen.findByRole('heading', { level: 1 });
    expect(screen.queryByRole('button', { name: /^Notifications/ })).toBeNull();
    expect(received(listNotifications)).toEqual([]);
  });

  it('follows server events and announces new notifications once', async () => {
    const known = serveNotifications([likeNews(1)]);
    renderApp('/faqs', ownUser());
    await bell('Notifications, 1 unread');
    expect(screen.queryByText('Someone likes you')).toBeNull();
    known.notifications.unshift(matchNews(2, 'Bo'));
    await receiveOverSocket({ kind: 'news' });
    await bell('Notifications, 2 unread');
    expect(screen.getByText('You and Bo are a match').parentElement).toHaveAttribute('aria-live', 'polite');
    known.notifications = known.notifications.map((one) => ({ ...one, isRead: true }));
    await connectSocket();
    await bell('Notifications');
    expect(screen.getAllByText('You and Bo are a match')).toHaveLength(1);
  });

  it('shows and announces the notification in an event without a request', async () => {
    simulateTime();
    serveNotifications([likeNews(1)]);
    renderApp('/faqs', ownUser());
    await bell('Notifications, 1 unread');
    const asked = received(listNotifications).length;
    await receiveOverSocket({ kind: 'news', changes: { added: [matchNews(2, 'Bo')], read: [], unread: 2 } });
    expect(await bell('Notifications, 2 unread')).toBeVisible();
    expect(screen.getByText('You and Bo are a match').parentElement).toHaveAttribute('aria-live', 'polite');
    await receiveOverSocket({ kind: 'news', changes: { added: [], read: ['news-1', 'news-2'], unread: 0 } });
    expect(await bell('Notifications')).toBeVisible();
    expect(screen.getAllByText('You and Bo are a match')).toHaveLength(1);
    const own = matchNews(3, 'Cy', { isRead: true });
    await receiveOverSocket({ kind: 'news', changes: { added: [own], read: [], unread: 0 } });
    expect(screen.queryByText('You and Cy are a match')).toBeNull();
    await passTime(400);
    expect(received(listNotifications)).toHaveLength(asked);
  });

  it.each([
    ['Mara', false, 'Mara was banned and may have used a false identity. Never send money or codes.'],
    [null, false, /^Someone you wrote with was banned/],
    ['Mara', true, 'We warned you about Mara. That was wrong, and we take it back.'],
    [null, true, /^We warned you about someone you wrote with/],
  ])('warns of %s (a correction: %s), with a link to help', async (firstName, isCorrection, text) => {
    serveNotifications([likeNews(1, { kind: 'warning', warning: { firstName, isCorrection } })]);
    await openPanel();
    expect((await within(panel()).findByText(text)).closest('a')).toHaveAttribute('href', '/app/safety');
  });

  it("does not announce the user's own actions", async () => {
    const known = serveNotifications([]);
    renderApp('/faqs', ownUser());
    await bell();
    await waitFor(() => expect(received(listNotifications)).toHaveLength(1));
    known.notifications.unshift(matchNews(2, 'Bo', { isRead: true }));
    await receiveOverSocket({ kind: 'news' });
    await waitFor(() => expect(received(listNotifications)).toHaveLength(2));
    expect(screen.queryByText('You and Bo are a match')).toBeNull();
  });

  it('reloads the reports when one of them has been answered', async () => {
    const known = serveNotifications([]);
    renderApp('/faqs', ownUser());
    await bell();
    await waitFor(() => expect(received(listNotifications)).toHaveLength(1));
    const before = received(listMyReports).length;
    known.notifications.unshift(reportNews(1));
    await receiveOverSocket({ kind: 'news' });
    await waitFor(() => expect(received(listMyReports)).toHaveLength(before + 1));
  });
});

describe('the list of notifications', () => {
  it('describes each event and links to it', async () => {
    serveNotifications([
      matchNews(3, 'Bo'),
      likeNews(2),
      reportNews(1, { isRead: true }),
      matchNews(0, 'Cy', { user: null, isRead: true }),
    ]);
    await openPanel();
    await within(panel()).findByText('You and Bo are a match');
    expect(rows().map((row) => within(row).getByRole('link').getAttribute('href'))).toEqual([
      '/app/messages/match-bo',
      '/app/likes',
      '/app/support/report-1',
      '/app/messages/match-cy',
    ]);
    const [match, like, report, unnamed] = rows();
    expect(match).toHaveTextContent(/^You and Bo are a match.*New$/);
    expect(within(match ?? document.body).getByText('Oct 20, 2025')).toHaveAttribute(
      'title',
      expect.stringContaining('October 20, 2025'),
    );
    expect(like).toHaveTextContent(/^Someone likes you.*New$/);
    expect(report).toHaveTextContent(/^Update from our support team.*2025$/);
    expect(unnamed).toHaveTextContent(/^You have a new match/);
  });

  it('shows how long ago each event was', async () => {
    const now = Date.now();
    const ago = (minutes: number, id: number) =>
      likeNews(id, { at: new Date(now - minutes * 60_000 - 1000).toISOString() });
    serveNotifications([ago(0, 5), ago(5, 4), ago(120, 3), ago(1440, 2), ago(1440 * 3, 1)]);
    await openPanel();
    await within(panel()).findByText('Just now');
    expect(rows().map((row) => row.querySelector('time')?.textContent)).toEqual([
      'Just now',
      '5 minutes ago',
      '2 hours ago',
      'yesterday',
      '3 days ago',
    ]);
  });

  it('marks notifications as read once they were seen, and highlights new ones until it is closed', async () => {
    serveNotifications([matchNews(2, 'Bo'), likeNews(1, { isRead: true })]);
    const { person } = await openPanel();
    await within(panel()).findByText('You and Bo are a match');
    expect(markedAsRead()).toEqual([]);
    await waitFor(() => expect(markedAsRead()).toEqual([{ ids: ['news-2'] }]));
    expect(await bell('Notifications')).toBeVisible();
    await receiveOverSocket({ kind: 'news' });
    await waitFor(() => expect(received(listNotifications).length).toBeGreaterThan(3));
    expect(rows()[0]).toHaveTextContent(/New$/);
    expect(markedAsRead()).toHaveLength(1);
    await person.keyboard('{Escape}');
    expect(screen.queryByRole('dialog', { name: 'Notifications' })).toBeNull();
    await waitFor(async () => expect(await bell()).toHaveFocus());
    await person.click(await bell());
    await within(panel()).findByText('You and Bo are a match');
    expect(rows()[0]).not.toHaveTextContent('New');
  });

  it('marks a notification as read when its link is followed', async () => {
    serveNotifications([likeNews(1)]);
    const { person } = await openPanel();
    await person.click(await within(panel()).findByRole('link', { name: /^Someone likes you/ }));
    expect(currentAddress()).toBe('/app/likes');
    expect(screen.queryByRole('dialog', { name: 'Notifications' })).toBeNull();
    await waitFor(() => expect(markedAsRead()).toContainEqual({ ids: ['news-1'] }));
  });

  it('shows new notifications while it is open', async () => {
    const known = serveNotifications([likeNews(1)]);
    await openPanel();
    await within(panel()).findByText('Someone likes you');
    known.notifications.unshift(matchNews(2, 'Bo'));
    await receiveOverSocket({ kind: 'news' });
    await waitFor(() => expect(rows()).toHaveLength(2));
    expect(rows()[0]).toHaveTextContent('You and Bo are a match');
  });

  it('applies events about new notifications, those read elsewhere, and those of an ended match', async () => {
    simulateTime();
    serveNotifications([matchNews(3, 'Di'), likeNews(2, { isRead: true }), reportNews(0, { isRead: true })]);
    await openPanel();
    await within(panel()).findByText('You and Di are a match');
    await waitFor(() => expect(markedAsRead()).toEqual([{ ids: ['news-3'] }]));
    const asked = received(listNotifications).length;
    // The like has happened again, and the older match with Bo has been restored.
    const added = [likeNews(4, { _id: 'news-2' }), matchNews(1, 'Bo', { isRead: true })];
    await receiveOverSocket({ kind: 'news', changes: { added, read: [], unread: 1 } });
    const texts = () => rows().map((row) => row.querySelector('span span')?.textContent);
    expect(texts()).toEqual([
      'Someone likes you',
      'You and Di are a match',
      'You and Bo are a match',
      'Update from our support team',
    ]);
    expect(rows()[0]).toHaveTextContent(/New$/);
    await receiveOverSocket({ kind: 'matchEnded', matchId: 'match-di', unreadConversations: 0 });
    expect(texts()).toEqual(['Someone likes you', 'You and Bo are a match', 'Update from our support team']);
    await receiveOverSocket({ kind: 'news', changes: { added: [], read: ['news-2'], unread: 0 } });
    expect(rows()[0]).not.toHaveTextContent('New');
    await passTime(400);
    expect(received(listNotifications)).toHaveLength(asked);
  });

  it('keeps the newer of two overlapping answers, in whatever order they arrive', async () => {
    simulateTime();
    serveNotifications([likeNews(1)]);
    await openPanel();
    await within(panel()).findByText('Someone likes you');
    const answers: (() => void)[] = [];
    let asked = 0;
    serve(listNotifications, async ({ query: { limit } }) => {
      const notifications = [matchNews(2, 'Bo'), likeNews(1)].slice(limit === 1 || asked > 0 ? 0 : 1);
      if (limit !== 1) {
        asked += 1;
        await new Promise<void>((resolve) => answers.push(resolve));
      }
      return { data: { notifications, unread: notifications.length, nextCursor: null } };
    });
    await receiveOverSocket({ kind: 'news' });
    await waitFor(() => expect(answers).toHaveLength(1));
    await receiveOverSocket({ kind: 'news' });
    await waitFor(() => expect(answers).toHaveLength(2));
    answers[1]?.();
    await waitFor(() => expect(rows()).toHaveLength(2));
    answers[0]?.();
    await passTime(50);
    expect(rows()).toHaveLength(2);
    expect(rows()[0]).toHaveTextContent('You and Bo are a match');
  });

  it('loads twenty notifications at a time and keeps its position', async () => {
    const known = serveNotifications(Array.from({ length: 25 }, (_, index) => likeNews(25 - index)));
    const { person } = await openPanel();
    await person.click(await within(panel()).findByRole('button', { name: 'Show more' }));
    await waitFor(() => expect(rows()).toHaveLength(25));
    expect(within(rows()[20] ?? document.body).getByRole('link')).toHaveFocus();
    expect(within(panel()).queryByRole('button', { name: 'Show more' })).toBeNull();
    known.notifications.unshift(matchNews(30, 'Bo'));
    await receiveOverSocket({ kind: 'news' });
    await waitFor(() => expect(rows()).toHaveLength(26));
  });

  it('marks everything as read with one press', async () => {
    serveNotifications(Array.from({ length: 25 }, (_, index) => likeNews(25 - index)));
    const { person } = await openPanel();
    await person.click(await within(panel()).findByRole('button', { name: 'Mark all as read' }));
    await waitFor(() => expect(markedAsRead()).toContainEqual({}));
    expect(await bell('Notifications')).toBeInTheDocument();
    await waitFor(() => expect(within(panel()).queryByText('New')).toBeNull());
    expect(within(panel()).queryByRole('button', { name: 'Mark all as read' })).toBeNull();
  });

  it('shows an error and stays unchanged if marking as read fails', async () => {
    serveNotifications([likeNews(1)]);
    failWith(readNotifications, new CutOff());
    const { person } = await openPanel();
    await person.click(await within(panel()).findByRole('button', { name: 'Mark all as read' }));
    expect(await within(panel()).findByRole('alert')).toHaveTextContent(/^Couldn't mark them as read: Network error/);
    expect(within(panel()).getByText('New')).toBeVisible();
  });

  it('explains what will appear when it is empty', async () => {
    serveNotifications([]);
    await openPanel();
    expect(await within(panel()).findByText('Nothing new')).toBeVisible();
    expect(panel()).toHaveTextContent(/New matches, likes and answers to your reports show up here\./);
    expect(within(panel()).getByRole('link', { name: 'Settings' })).toHaveAttribute(
      'href',
      '/app/settings/notifications',
    );
  });
});
