import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { listConversations, listMessages, type MessageView } from '#contract/messages/messages.ts';
import { received, serve } from '../../../test/fake-server.ts';
import {
  conversationWith,
  message,
  openConversation,
  serveConversations,
  shownMessages,
} from '../../../test/fixtures/conversations.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { giveRoom } from '../../../test/fixtures/staff/users.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { connectSocket, receiveOverSocket } from '../../../test/test-socket.ts';

const matchId = 'match-bo';

/** Holds back the current answer to the next request for messages until `release` is called; later ones are answered at once. */
function holdMessages(known: ReturnType<typeof serveConversations>) {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const before = received(listMessages).length;
  serve(listMessages, async ({ query: { after = 0, limit = 50 } }) => {
    const all: MessageView[] = known.messages[matchId] ?? [];
    if (received(listMessages).length === before + 1) await released;
    return { data: { messages: all.slice(after, after + limit), lastSeq: all.length, hasMore: false } };
  });
  return {
    isAsked: () => waitFor(() => expect(received(listMessages).length).toBeGreaterThan(before)),
    release: () => act(async () => release()),
  };
}

/** Opens the conversation and leaves it in its first loading state. */
async function openLoading(messages: MessageView[]) {
  const known = serveConversations({ Bo: messages });
  const load = holdMessages(known);
  giveRoom();
  renderApp('/app/messages/match-bo', ownUser());
  await load.isAsked();
  return { known, load };
}

describe('a conversation that is loading', () => {
  it('keeps a new message and shows it with the others', async () => {
    const { load } = await openLoading([message(1)]);
    await receiveOverSocket({ kind: 'message', matchId, message: message(2) });
    await load.release();
    await screen.findByRole('region', { name: 'Messages with Bo' });
    expect(shownMessages().join()).toMatch(/Message 1.*Message 2/);
  });

  it('never shows a message that was hidden meanwhile', async () => {
    const { load } = await openLoading([message(1), message(2)]);
    await receiveOverSocket({ kind: 'message', matchId, message: message(2, { text: null }) });
    await load.release();
    await screen.findByRole('region', { name: 'Messages with Bo' });
    expect(shownMessages()[1]).toMatch(/Message deleted/);
  });

  it('notices the end of the match', async () => {
    const { load } = await openLoading([message(1)]);
    await receiveOverSocket({ kind: 'matchEnded', matchId });
    await load.release();
    expect(await screen.findByText(/^This match is over\./)).toBeVisible();
    expect(screen.queryByRole('textbox')).toBeNull();
  });
});

describe('a conversation that is reloading', () => {
  it('shows a restored message', async () => {
    const known = serveConversations({ Bo: [message(1, { text: null }), message(2)] });
    await openConversation();
    expect(shownMessages()[0]).toMatch(/Message deleted/);
    const load = holdMessages(known);
    await connectSocket();
    await load.isAsked();
    known.messages[matchId] = [message(1), message(2)];
    await receiveOverSocket({ kind: 'message', matchId, message: message(1) });
    await load.release();
    await waitFor(() => expect(shownMessages()[0]).toMatch(/Bo: Message 1/));
  });
});

describe('the list of conversations while reloading', () => {
  it('drops a match that ended and keeps a new message', async () => {
    const known = serveConversations({ Bo: [message(1)], Cy: [message(1, { from: 'cy' })] });
    renderApp('/app/messages', ownUser());
    const rows = async () =>
      within(await screen.findByRole('list', { name: 'Conversations' })).getAllByRole('listitem');
    expect(await rows()).toHaveLength(2);
    const names = (all: string[]) =>
      all.map((name) => conversationWith(name, known.messages[`match-${name.toLowerCase()}`]));
    const before = received(listConversations).length;
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    serve(listConversations, async () => {
      const conversations = names(known.names);
      if (received(listConversations).length === before + 1) await released;
      return { data: { conversations, nextCursor: null } };
    });
    await connectSocket();
    await waitFor(() => expect(received(listConversations).length).toBeGreaterThan(before));
    known.names = ['Bo'];
    known.messages[matchId] = [message(1), message(2, { text: 'Newest' })];
    await receiveOverSocket({ kind: 'matchEnded', matchId: 'match-cy' });
    await receiveOverSocket({ kind: 'message', matchId, message: message(2, { text: 'Newest' }) });
    await act(async () => release());
    await waitFor(async () => {
      expect(await rows()).toHaveLength(1);
      expect((await rows())[0]).toHaveTextContent(/Bo.*Newest/);
    });
    await waitFor(() => expect(received(listConversations).length).toBe(before + 2));
    expect(await rows()).toHaveLength(1);
  });
});
