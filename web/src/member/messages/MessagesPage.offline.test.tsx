import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { getConversation, listConversations, listMessages, sendMessage } from '#contract/messages/messages.ts';
import { breakStorage } from '../../../test/broken-storage.ts';
import {
  openConversation,
  ownMessage,
  serveConversations,
  shownMessages,
} from '../../../test/fixtures/conversations.ts';
import { CutOff, failWith, received, serve } from '../../../test/fake-server.ts';
import { connectSocket, receiveOverSocket } from '../../../test/test-socket.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { clearSession, keepSession } from '../../api/session/stored-session.ts';

const matchId = 'match-bo';
const ownId = ownUser()._id;
const outboxEntry = `kept:${ownId}:outbox:${matchId}:from-before-1`;
const justNow = () => new Date().toISOString();

/** Makes sending fail as if the server couldn't be reached. */
function cutSending(): void {
  failWith(sendMessage, new CutOff());
}

/** Writes one message, which then waits for a connection. */
async function writeOffline(): Promise<void> {
  serveConversations({ Bo: [] });
  cutSending();
  const { person, field } = await openConversation();
  await person.type(field, 'One{Control>}{Enter}{/Control}');
  await screen.findByText("No connection. We'll send it as soon as you're back online.");
}

describe('messages written without a connection', () => {
  it('wait in order and are sent once it is back', async () => {
    serveConversations({ Bo: [] });
    cutSending();
    const { person, field } = await openConversation();
    await person.type(field, 'One{Control>}{Enter}{/Control}Two{Control>}{Enter}{/Control}');
    expect(await screen.findByText("No connection. We'll send it as soon as you're back online.")).toBeVisible();
    expect(shownMessages()[1]).toContain('TwoWaiting for the message before it.');
    const tries = received(sendMessage).map(({ body }) => body.clientId);
    expect(new Set(tries).size).toBe(1);
    const known = serveConversations({ Bo: [] });
    window.dispatchEvent(new Event('online'));
    await waitFor(() => expect(known.messages[matchId]?.map(({ text }) => text)).toEqual(['One', 'Two']));
    expect(known.messages[matchId]?.[0]?.clientId).toBe(tries[0]);
    await waitFor(() => expect(screen.queryByText(/Sending/)).toBeNull());
  });

  it('can be discarded while they wait, and those after them are sent', async () => {
    await writeOffline();
    const field = screen.getByRole('textbox', { name: 'Write to Bo' });
    const person = userEvent.setup();
    await person.type(field, 'Two{Control>}{Enter}{/Control}Three{Control>}{Enter}{/Control}');
    const [first, second] = screen.getAllByRole('button', { name: 'Discard' });
    if (first === undefined || second === undefined) throw new Error('Each has a button');
    await person.click(second);
    const known = serveConversations({ Bo: [] });
    await person.click(first);
    await waitFor(() => expect(known.messages[matchId]?.map(({ text }) => text)).toEqual(['Three']));
  });

  it('show that they are lost with the page if the browser cannot store them', async () => {
    breakStorage('full');
    await writeOffline();
    expect(screen.getByText(/Your browser couldn't save this message\. Keep this page open/)).toBeVisible();
  });

  it('are sent when the socket reconnects', async () => {
    await writeOffline();
    const known = serveConversations({ Bo: [] });
    await connectSocket();
    await waitFor(() => expect(known.messages[matchId]).toHaveLength(1));
  });

  it('are sent after the session expired and the same person signed in again', async () => {
    await writeOffline();
    clearSession('expired');
    const known = serveConversations({ Bo: [] });
    keepSession({ token: 'token-2', refreshToken: 'refresh-2', user: ownUser() });
    await waitFor(() => expect(known.messages[matchId]?.map(({ text }) => text)).toEqual(['One']));
  });

  it('are never sent if someone else signs in after the session expired', async () => {
    await writeOffline();
    const tries = received(sendMessage).length;
    clearSession('expired');
    const known = serveConversations({ Bo: [] });
    keepSession({ token: 'token-2', refreshToken: 'refresh-2', user: ownUser({ _id: 'someone-else' }) });
    keepSession({ token: 'token-3', refreshToken: 'refresh-3', user: ownUser() });
    window.dispatchEvent(new Event('online'));
    expect(received(sendMessage)).toHaveLength(tries);
    expect(known.messages[matchId]).toEqual([]);
  });

  it('survive a reload and are deleted on sign-out', async () => {
    const kept = { clientId: 'from-before-1', text: 'Before', writtenAt: justNow(), state: 'sending', problem: null };
    localStorage.setItem('user', JSON.stringify(ownUser()));
    localStorage.setItem(outboxEntry, JSON.stringify(kept));
    const known = serveConversations({ Bo: [] });
    await openConversation();
    await waitFor(() => expect(known.messages[matchId]?.[0]).toMatchObject({ clientId: 'from-before-1' }));
    await waitFor(() => expect(localStorage.getItem(outboxEntry)).toBeNull());
    cutSending();
    keepSession({ token: 'token-1' });
    clearSession('signedOut');
    expect(localStorage.getItem(outboxEntry)).toBeNull();
  });

  it('are shown after a reload, even if nothing can be loaded', async () => {
    const kept = {
      clientId: 'from-before-1',
      text: 'In a tunnel',
      writtenAt: justNow(),
      state: 'waiting',
      problem: null,
    };
    localStorage.setItem('user', JSON.stringify(ownUser()));
    localStorage.setItem(outboxEntry, JSON.stringify(kept));
    serveConversations({ Bo: [] });
    for (const cut of [getConversation, listConversations, listMessages, sendMessage]) failWith(cut, new CutOff());
    renderApp(`/app/messages/${matchId}`, ownUser());
    const unsent = await screen.findByRole('region', { name: 'Unsent messages' });
    expect(unsent).toHaveTextContent('Unsent messages are saved on this device.');
    expect(within(unsent).getByText('In a tunnel')).toBeVisible();
    expect(
      await within(unsent).findByText("No connection. We'll send it as soon as you're back online."),
    ).toBeVisible();
    serve(getConversation, () => new Promise(() => undefined));
    const tries = received(getConversation).length;
    window.dispatchEvent(new Event('online'));
    await waitFor(() => expect(received(getConversation).length).toBeGreaterThan(tries));
    expect(within(unsent).getByText('In a tunnel')).toBeVisible();
    const known = serveConversations({ Bo: [] });
    window.dispatchEvent(new Event('online'));
    await waitFor(() => expect(known.messages[matchId]?.map(({ text }) => text)).toEqual(['In a tunnel']));
  });

  it('are not shown twice if the server already has them', async () => {
    await writeOffline();
    const clientId = received(sendMessage)[0]?.body.clientId ?? '';
    await receiveOverSocket({ kind: 'message', matchId, message: ownMessage(1, { clientId, text: 'One' }) });
    expect(shownMessages()).toHaveLength(1);
    expect(shownMessages()[0]).not.toContain('No connection');
  });
});
