import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { listNotifications } from '#contract/notifications.ts';
import { keys } from '../../api/keys.ts';
import { queryClient } from '../../api/query-client.ts';
import { serve } from '../../../test/fake-server.ts';
import { message, serveConversations } from '../../../test/fixtures/conversations.ts';
import { serveLikes } from '../../../test/fixtures/likes.ts';
import { matchNews, serveNotifications } from '../../../test/fixtures/notifications.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { servePush } from '../../../test/fixtures/push.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { connectSocket, receiveOverSocket } from '../../../test/test-socket.ts';

describe("the system's notifications", () => {
  const [fromBo, fromCy, match] = [
    'message /app/messages/match-bo',
    'message /app/messages/match-cy',
    'match /app/matches',
  ];
  const read = (by: string) => ({ kind: 'read' as const, matchId: 'match-bo', by, seq: 1 });

  function open(path: string, { unread = 1, areRead = false } = {}) {
    const known = servePush({ permission: 'granted', shown: [fromBo, fromCy, match] });
    serve(listNotifications, () => ({ data: { notifications: [], unread, nextCursor: null } }));
    const messages = [message(1, { readAt: areRead ? '2025-10-19T11:00:00.000Z' : null })];
    serveConversations({ Bo: messages, Cy: messages });
    renderApp(path, ownUser());
    return known;
  }

  it.each([
    ['/app/messages/match-bo', [fromCy, match]],
    ['/app/matches', [fromBo, fromCy]],
  ])('about %s are closed when the page is opened', async (path, left) => {
    const known = open(path);
    await waitFor(() => expect(known.shown).toEqual(left));
  });

  it.each([
    ['conversations', { areRead: true }, [match]],
    ['notifications', { unread: 0 }, [fromBo, fromCy]],
  ])('about %s are closed when none is unread any more', async (_, counts, left) => {
    const known = open('/app/settings', counts);
    await waitFor(() => expect(known.shown).toEqual(left));
  });

  it('about a conversation are closed when it was read on another device', async () => {
    const known = open('/app/settings');
    await connectSocket();
    await receiveOverSocket(read('bo'));
    expect(known.shown).toEqual([fromBo, fromCy, match]);
    await receiveOverSocket(read(ownUser()._id));
    await waitFor(() => expect(known.shown).toEqual([fromCy, match]));
  });
});

describe("a match created by someone else's like", () => {
  const moment = () => screen.findByRole('dialog', { name: 'You and Bo like each other' });
  const arrive = (changes: Partial<ReturnType<typeof matchNews>> = {}) =>
    receiveOverSocket({
      kind: 'news',
      changes: { added: [matchNews(5, 'Bo', changes)], read: [], unread: 1 },
    });

  async function open(path: string, ready: Parameters<typeof screen.findByRole>) {
    serveNotifications([]);
    serveConversations({ Cy: [message(1)] });
    const app = renderApp(path, ownUser());
    await screen.findByRole(...ready);
    await connectSocket();
    await waitFor(() => expect(queryClient.getQueryData(keys.newestNotification)).toBeDefined());
    return app;
  }

  it.each(['/app/settings', '/app/matches', '/faqs'])('opens at once at %s', async (path) => {
    serveLikes({ matches: [], received: [], sent: [] });
    const { person } = await open(path, ['heading', { level: 1 }]);
    await arrive();
    await person.click(within(await moment()).getByRole('button', { name: 'Keep looking' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await arrive();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('waits as a banner while the member writes', async () => {
    const { person } = await open('/app/messages/match-cy', ['textbox', { name: 'Write to Cy' }]);
    await person.type(screen.getByRole('textbox', { name: 'Write to Cy' }), 'Hello');
    await arrive();
    expect(await screen.findByText('You and Bo like each other')).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByRole('textbox', { name: 'Write to Cy' })).toHaveFocus();
    await person.click(screen.getByRole('button', { name: 'Write to Bo' }));
    expect(await moment()).toBeVisible();
  });

  it('waits as a banner while a dialog is open', async () => {
    const { person } = await open('/app/messages/match-cy', ['button', { name: 'More about Cy' }]);
    await person.click(screen.getByRole('button', { name: 'More about Cy' }));
    await person.click(await screen.findByRole('button', { name: 'Unmatch' }));
    await screen.findByRole('dialog');
    await arrive();
    expect(await screen.findByText('You and Bo like each other')).toBeInTheDocument();
    expect(screen.getAllByRole('dialog')).toHaveLength(1);
  });

  it.each([
    ['has ended', { kind: 'matchEnded', matchId: 'match-bo' }],
    ['was opened on another device', { kind: 'read', matchId: 'match-bo', by: ownUser()._id, seq: 1 }],
  ] as const)('disappears when it %s', async (_, event) => {
    await open('/app/settings', ['heading', { level: 1 }]);
    await arrive();
    await moment();
    await receiveOverSocket(event);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('is not announced if its notification was read', async () => {
    await open('/app/settings', ['heading', { level: 1 }]);
    await arrive({ isRead: true });
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});
