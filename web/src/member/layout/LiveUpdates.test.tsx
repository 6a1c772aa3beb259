import { waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { listNotifications } from '#contract/notifications.ts';
import { serve } from '../../../test/fake-server.ts';
import { message, serveConversations } from '../../../test/fixtures/conversations.ts';
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

  function open(path: string) {
    const known = servePush({ permission: 'granted', shown: [fromBo, fromCy, match] });
    serve(listNotifications, () => ({ data: { notifications: [], unread: 1, nextCursor: null } }));
    serveConversations({ Bo: [message(1)], Cy: [message(1)] });
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

  it('about a conversation are closed when it was read on another device', async () => {
    const known = open('/app/settings');
    await connectSocket();
    await receiveOverSocket(read('bo'));
    expect(known.shown).toEqual([fromBo, fromCy, match]);
    await receiveOverSocket(read(ownUser()._id));
    await waitFor(() => expect(known.shown).toEqual([fromCy, match]));
  });
});
