import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { deleteMessage, editMessage, readMessages, sendMessage } from '#contract/messages/messages.ts';
import {
  message,
  openConversation,
  ownMessage,
  photo,
  serveConversations,
  shownMessages,
} from '../../../test/fixtures/conversations.ts';
import { failWith, received, Refusal } from '../../../test/fake-server.ts';
import { connectSocket, sentOverSocket, receiveOverSocket } from '../../../test/test-socket.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { clearSession } from '../../api/session/stored-session.ts';

const matchId = 'match-bo';
const ownId = ownUser()._id;
const outboxStart = `kept:${ownId}:outbox:`;
const sent = () => received(sendMessage).map(({ body }) => body.text);
const justNow = () => new Date().toISOString();

describe('writing a message', () => {
  it('shows the message at once and sends messages one after the other', async () => {
    serveConversations({ Bo: [message(1)] });
    const { person, field } = await openConversation();
    await person.type(field, ' Hello{Enter}there ');
    expect(sent()).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'Send' }));
    expect(field).toHaveValue('');
    await person.type(field, 'Second{Control>}{Enter}{/Control}');
    await waitFor(() => expect(sent()).toEqual(['Hello\nthere', 'Second']));
    await waitFor(() => expect(shownMessages()).toHaveLength(3));
    expect(shownMessages()[1]).not.toContain('Sending…');
    expect(received(sendMessage)[0]?.body.clientId).toMatch(/^[\w-]{8,64}$/);
    await waitFor(() => expect(Object.keys(localStorage).filter((key) => key.startsWith(outboxStart))).toEqual([]));
  });

  it('sends with Enter on a keyboard; Shift+Enter starts a new line', async () => {
    const original = window.matchMedia;
    vi.stubGlobal('matchMedia', (query: string) => ({ ...original(query), matches: query.includes('hover') }));
    serveConversations({ Bo: [] });
    const { person, field } = await openConversation();
    expect(field).toHaveAccessibleDescription('Enter sends, Shift+Enter starts a new line.');
    await person.type(field, '{Enter}One{Shift>}{Enter}{/Shift}two{Enter}');
    await waitFor(() => expect(sent()).toEqual(['One\ntwo']));
  });

  it("shows a character count near the limit and doesn't send longer texts", async () => {
    serveConversations({ Bo: [] });
    const { person, field } = await openConversation();
    fireEvent.change(field, { target: { value: 'a'.repeat(1900) } });
    expect(field).toHaveAccessibleDescription('100 characters left.');
    fireEvent.change(field, { target: { value: 'a'.repeat(2001) } });
    expect(field).toHaveAccessibleDescription('This is 1 character too long: at most 2,000 fit.');
    await person.click(screen.getByRole('button', { name: 'Send' }));
    expect(sent()).toEqual([]);
  });

  it('keeps a draft across a reload and deletes it on sign-out', async () => {
    serveConversations({ Bo: [] });
    const { person, field, unmount } = await openConversation();
    await person.type(field, 'Half a');
    unmount();
    expect((await openConversation()).field).toHaveValue('Half a');
    clearSession('signedOut');
    expect(Object.keys(localStorage).filter((key) => key.startsWith('kept:'))).toEqual([]);
  });

  it('sends the typing indicator at intervals', async () => {
    serveConversations({ Bo: [] });
    const { person, field } = await openConversation();
    await connectSocket();
    vi.spyOn(performance, 'now').mockReturnValue(1e9);
    await person.type(field, 'Hi');
    expect(sentOverSocket()).toEqual([{ name: 'typing', payload: { matchId } }]);
    vi.spyOn(performance, 'now').mockReturnValue(1e9 + 3000);
    await person.type(field, ' Bo');
    expect(sentOverSocket()).toHaveLength(2);
  });
});

describe('a refused message', () => {
  it('shows the reason and can be retried or discarded', async () => {
    serveConversations({ Bo: [] });
    const words = 'On your first day you can write to 20 people.';
    failWith(sendMessage, new Refusal('FIRST_MESSAGES_USED_UP', words));
    const { person, field } = await openConversation();
    await person.type(field, 'One{Control>}{Enter}{/Control}');
    expect(await screen.findByRole('alert')).toHaveTextContent(words);
    await person.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(sent()).toEqual(['One', 'One']));
    await person.click(await screen.findByRole('button', { name: 'Discard' }));
    expect(screen.queryByText('One')).toBeNull();
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
  });

  it('does not hold up messages written after it', async () => {
    serveConversations({ Bo: [] });
    const { person, field } = await openConversation();
    const write = (text: string) => person.type(field, `${text}{Control>}{Enter}{/Control}`);
    failWith(sendMessage, new Refusal('INVALID_INPUT', 'Not this'));
    await write('One');
    expect(await screen.findByRole('alert')).toHaveTextContent('Not this');
    const known = serveConversations({ Bo: [] });
    const texts = () => known.messages[matchId]?.map(({ text }) => text);
    await write('Two');
    await write('Three');
    await waitFor(() => expect(texts()).toEqual(['Two', 'Three']));
    await person.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(texts()).toEqual(['Two', 'Three', 'One']));
  });

  it('shows that the match has ended and removes the field', async () => {
    const known = serveConversations({ Bo: [message(1)] });
    const { person, field } = await openConversation();
    known.names = [];
    await person.type(field, 'One{Control>}{Enter}{/Control}');
    expect(await screen.findByText('This match is over, so this was not sent.')).toBeVisible();
    expect(screen.getByText(/^This match is over\. You and Bo can no longer/)).toBeVisible();
    expect(screen.queryByRole('textbox')).toBeNull();
    await person.click(screen.getByRole('button', { name: 'Discard' }));
    expect(shownMessages()).toHaveLength(1);
  });
});

describe("the member's own messages", () => {
  async function openMenu() {
    const known = serveConversations({
      Bo: [ownMessage(1), ownMessage(2, { text: 'Helo', sentAt: justNow() })],
    });
    const view = await openConversation();
    const [old, fresh] = screen.getAllByRole('button', { name: 'More about this message' });
    if (old === undefined || fresh === undefined) throw new Error('No menus');
    return { ...view, known, old, fresh };
  }

  it('show the actions of only one message at a time', async () => {
    const { person, old, fresh } = await openMenu();
    await person.click(old);
    await person.click(fresh);
    expect(old).toHaveAttribute('aria-expanded', 'false');
    expect(screen.getAllByRole('button', { name: 'Delete' })).toHaveLength(1);
  });

  it('can be edited for five minutes, with the keyboard as well, until Esc cancels', async () => {
    const { person, old, fresh, known } = await openMenu();
    await person.click(old);
    expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull();
    await person.keyboard('{Escape}');
    expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
    fresh.focus();
    await person.keyboard('{Enter}{Tab}{Enter}');
    const field = await screen.findByRole('textbox', { name: 'Your message' });
    await waitFor(() => expect(field).toHaveFocus());
    expect(field).toHaveValue('Helo');
    await person.keyboard('{Escape}');
    expect(screen.getByRole('textbox', { name: 'Write to Bo' })).toHaveValue('');
    fresh.focus();
    await person.keyboard('{Enter}{Tab}{Enter}');
    await person.type(await screen.findByRole('textbox', { name: 'Your message' }), '!');
    await person.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(shownMessages()[1]).toMatch(/Helo!.*Edited/));
    expect(known.messages[matchId]?.[1]?.text).toBe('Helo!');
  });

  it.each([
    ['photo', { pictures: [photo('photo-1')] }],
    ['voice message', { voice: { _id: 'voice-1', url: '/api/v1/media/voice-1', durationMs: 1000, peaks: [0, 50] } }],
  ])('can lose the caption of a %s', async (_, part) => {
    serveConversations({ Bo: [ownMessage(1, { sentAt: justNow(), text: 'At the sea', ...part })] });
    const { person } = await openConversation();
    await person.click(screen.getByRole('button', { name: 'More about this message' }));
    await person.click(screen.getByRole('button', { name: 'Edit' }));
    await person.clear(await screen.findByRole('textbox', { name: 'Your message' }));
    await person.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(received(editMessage).map(({ body }) => body)).toEqual([{ text: '' }]));
  });

  it('show an error when the time for editing is over', async () => {
    const { person, fresh } = await openMenu();
    failWith(editMessage, new Refusal('TOO_LATE', 'A message can be changed for 5 minutes'));
    await person.click(fresh);
    await person.click(screen.getByRole('button', { name: 'Edit' }));
    await person.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Your message stays as it was: A message can be changed for 5 minutes',
    );
  });

  it('can be deleted after a confirmation', async () => {
    const { person, old, fresh } = await openMenu();
    await person.click(fresh);
    await person.click(screen.getByRole('button', { name: 'Delete' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete this message?' }));
    await person.click(dialog.getByRole('button', { name: 'Keep it' }));
    expect(received(deleteMessage)).toEqual([]);
    await person.click(fresh);
    await person.click(screen.getByRole('button', { name: 'Delete' }));
    await person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(shownMessages()[1]).toContain('Message deleted'));
    await waitFor(() => expect(old).toHaveFocus());
    expect(screen.getAllByText('Message deleted').at(-1)?.parentElement).toHaveAttribute('role', 'status');
    expect(received(deleteMessage).map(({ params }) => params.seq)).toEqual(['2']);
  });
});

describe("the other person's messages", () => {
  it('appear, are announced once, and count as read while the tab is visible', async () => {
    serveConversations({ Bo: [message(1, { readAt: justNow() })] });
    await openConversation();
    await receiveOverSocket({ kind: 'message', matchId, message: message(2, { text: 'Fresh' }) });
    await waitFor(() => expect(received(readMessages).map(({ body }) => body.seq)).toEqual([2]));
    await connectSocket();
    expect(shownMessages()).toHaveLength(2);
    expect(screen.getByRole('log', { name: 'New messages' })).toHaveTextContent(/^Bo: Fresh$/);
    expect(received(readMessages)).toHaveLength(1);
  });

  it('stay unread while the tab is hidden', async () => {
    const view = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    serveConversations({ Bo: [message(1)] });
    await openConversation();
    expect(received(readMessages)).toEqual([]);
    view.mockReturnValue('visible');
    fireEvent(document, new Event('visibilitychange'));
    await waitFor(() => expect(received(readMessages)).toHaveLength(1));
  });

  it('are preceded by a typing indicator', async () => {
    serveConversations({ Bo: [] });
    await openConversation();
    await receiveOverSocket({ kind: 'typing', matchId });
    expect(screen.getByText('Bo is typing…')).toBeVisible();
    await receiveOverSocket({ kind: 'message', matchId, message: message(1) });
    expect(screen.queryByText('Bo is typing…')).toBeNull();
    expect(shownMessages()).toHaveLength(1);
  });

  it('update when the member’s messages were read', async () => {
    serveConversations({ Bo: [ownMessage(1)] });
    await openConversation();
    expect(shownMessages()[0]).not.toContain('Read');
    await receiveOverSocket({ kind: 'read', matchId, by: 'bo', seq: 1 });
    expect(shownMessages()[0]).toMatch(/Read$/);
  });
});
