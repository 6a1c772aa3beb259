import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { unmatchUser } from '#contract/connections.ts';
import { reactToMessage, removeReaction, sendMessage } from '#contract/messages/messages.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import {
  message,
  openConversation,
  ownMessage,
  serveConversations,
  shownMessages,
} from '../../../test/fixtures/conversations.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';
import { giveRoom } from '../../../test/fixtures/staff/users.ts';
import { receiveOverSocket } from '../../../test/test-socket.ts';

const openers = () => screen.getAllByRole('button', { name: 'More about this message' });
const picker = () => within(screen.getByRole('group', { name: 'React' }));
const now = () => new Date().toISOString();

async function openMenuOf(index: number) {
  const opened = await openConversation();
  await opened.person.click(openers()[index] ?? document.body);
  return opened;
}

describe('reactions', () => {
  it('are chosen from the menu of a received message, shown to both in words, and removed by choosing them again', async () => {
    serveConversations({ Bo: [message(1)] });
    const { person } = await openMenuOf(0);
    await person.click(picker().getByRole('button', { name: 'Laughing' }));
    expect(openers()[0]).toHaveFocus();
    await waitFor(() => expect(screen.getAllByText('You reacted: Laughing')).toHaveLength(2));
    await person.click(openers()[0] ?? document.body);
    expect(picker().getByRole('button', { name: 'Laughing', pressed: true })).toBeVisible();
    await person.click(picker().getByRole('button', { name: 'Laughing' }));
    expect((await screen.findByText('Reaction removed')).parentElement).toHaveAttribute('role', 'status');
    expect(screen.queryByText('You reacted: Laughing')).toBeNull();
    expect(received(reactToMessage).map(({ body }) => body)).toEqual([{ emoji: '😂' }]);
    await waitFor(() => expect(received(removeReaction)).toHaveLength(1));
  });

  it('arrive while the conversation is open', async () => {
    serveConversations({ Bo: [ownMessage(1)] });
    await openConversation();
    const reactions = [{ from: 'bo', emoji: '❤️' as const }];
    await receiveOverSocket({ kind: 'message', matchId: 'match-bo', message: ownMessage(1, { reactions }) });
    expect(await screen.findByText('Bo reacted: Love')).toBeInTheDocument();
  });

  it('are not offered for the member’s own, deleted and ended messages', async () => {
    serveConversations({ Bo: [ownMessage(1), message(2, { text: null }), message(3)] });
    const { person } = await openMenuOf(0);
    expect(screen.queryByRole('group', { name: 'React' })).toBeNull();
    await person.click(openers()[1] ?? document.body);
    expect(screen.queryByRole('group', { name: 'React' })).toBeNull();
    await receiveOverSocket({ kind: 'matchEnded', matchId: 'match-bo' });
    await screen.findByText(/This match is over/);
    await person.click(openers().at(-1) ?? document.body);
    expect(screen.queryByRole('group', { name: 'React' })).toBeNull();
  });

  it('show an error when they could not be saved', async () => {
    serveConversations({ Bo: [message(1)] });
    const { person } = await openMenuOf(0);
    failWith(reactToMessage, new Refusal('NOT_FOUND', 'Not found'));
    await person.click(picker().getByRole('button', { name: 'Fire' }));
    expect(await screen.findByRole('alert')).toHaveTextContent("Your reaction wasn't saved: Not found");
  });
});

describe('a reply', () => {
  const reply = () => screen.getByRole('button', { name: 'Reply' });

  it('shows the answered message above the field until it is sent or cancelled', async () => {
    serveConversations({ Bo: [message(1)] });
    const { person, field } = await openMenuOf(0);
    await person.click(reply());
    expect(field).toHaveFocus();
    expect(within(screen.getByRole('group', { name: 'Replying to' })).getByText('Message 1')).toBeVisible();
    await person.keyboard('{Escape}');
    expect(screen.queryByRole('group', { name: 'Replying to' })).toBeNull();
    await person.click(openers()[0] ?? document.body);
    await person.click(reply());
    await person.type(field, 'Indeed{Control>}{Enter}{/Control}');
    await waitFor(() => expect(screen.getByRole('button', { name: 'In reply to Bo Message 1' })).toBeVisible());
    expect(screen.queryByRole('group', { name: 'Replying to' })).toBeNull();
    await waitFor(() =>
      expect(received(sendMessage).map(({ body }) => body)).toMatchObject([{ text: 'Indeed', replyTo: 1 }]),
    );
  });

  it('shows the current text of the answered message, and links to it', async () => {
    const replyTo = { seq: 1, from: 'bo', text: 'Message 1' };
    serveConversations({ Bo: [message(1), ownMessage(2, { replyTo })] });
    const { person } = await openConversation();
    await person.click(screen.getByRole('button', { name: 'In reply to Bo Message 1' }));
    await waitFor(() => expect(openers()[0]).toHaveFocus());
    await receiveOverSocket({ kind: 'message', matchId: 'match-bo', message: message(1, { text: null }) });
    expect(await screen.findByRole('button', { name: 'In reply to Bo Message deleted' })).toBeVisible();
    expect(screen.queryByText('Message 1')).toBeNull();
  });
});

describe('a link in a message', () => {
  it('is text, and nothing is fetched for it', async () => {
    serveConversations({ Bo: [message(1, { text: 'https://example.org/a.png', caution: 'link' })] });
    const fetched = vi.spyOn(globalThis, 'fetch');
    await openConversation();
    expect(shownMessages()[0]).toContain('https://example.org/a.png');
    const log = within(screen.getByRole('region', { name: 'Messages with Bo' }));
    expect(log.queryByRole('link')).toBeNull();
    expect(document.querySelector('[src*="example.org"], [href*="example.org"]')).toBeNull();
    expect(fetched.mock.calls.map(([url]) => JSON.stringify(url)).filter((url) => url.includes('example.org'))).toEqual(
      [],
    );
  });
});

describe('suggestions for a first message', () => {
  it('are of three kinds, fill the field, and are never sent', async () => {
    const known = serveConversations({ Bo: [] });
    known.user = { interests: ['hiking', 'cinema'], location: { city: 'Porto', country: 'Portugal' } };
    const own = { ...ownUser(), interests: ['hiking' as const], location: { city: 'Porto', country: 'Portugal' } };
    giveRoom();
    const { person } = renderApp('/app/messages/match-bo', own);
    const field = await screen.findByRole('textbox', { name: 'Write to Bo' });
    const ideas = within(await screen.findByRole('region', { name: 'Ideas for a first message' }));
    expect(ideas.getAllByRole('button').map((one) => one.textContent)).toEqual([
      "You have cinema on your profile. What's the best way to start?",
      'We both have hiking on our profiles. What got you into it?',
      'Sunday morning: already outside or still in bed?',
    ]);
    await person.click(ideas.getAllByRole('button')[1] ?? document.body);
    expect(field).toHaveValue('We both have hiking on our profiles. What got you into it?');
    expect(field).toHaveFocus();
    expect(screen.queryByRole('region', { name: /^Ideas/ })).toBeNull();
    expect(received(sendMessage)).toEqual([]);
  });

  it('disappear once there is a message', async () => {
    const known = serveConversations({ Bo: [message(1)] });
    known.user = { interests: ['hiking'] };
    await openConversation();
    expect(screen.queryByRole('region', { name: /^Ideas/ })).toBeNull();
  });
});

describe('harsh words', () => {
  it('are sent only after a question, and can be edited instead', async () => {
    serveConversations({ Bo: [message(1)] });
    const { person, field } = await openConversation();
    await waitForCheck();
    await person.type(field, 'You are an idiot{Control>}{Enter}{/Control}');
    const dialog = within(await screen.findByRole('dialog', { name: 'Are you sure?' }));
    await person.click(dialog.getByRole('button', { name: 'Edit message' }));
    expect(field).toHaveValue('You are an idiot');
    expect(received(sendMessage)).toEqual([]);
    await person.type(field, '!{Control>}{Enter}{/Control}');
    await person.click(await screen.findByRole('button', { name: 'Send anyway' }));
    await waitFor(() => expect(received(sendMessage)).toHaveLength(1));
    expect(field).toHaveValue('');
  });

  const bother = () => screen.findByRole('group', { name: 'Does this bother you?' });

  it('add a question below a received message, once', async () => {
    serveConversations({
      Bo: [message(1, { text: 'Nice day', sentAt: now() }), message(2, { text: 'You idiot', sentAt: now() })],
    });
    const { person, unmount } = await openConversation();
    await person.click(within(await bother()).getByRole('button', { name: "It's fine" }));
    expect(screen.queryByRole('group', { name: 'Does this bother you?' })).toBeNull();
    expect(openers()[1]).toHaveFocus();
    unmount();
    await openConversation();
    await waitForCheck();
    expect(screen.queryByRole('group', { name: 'Does this bother you?' })).toBeNull();
  });

  it('offer a report or an unmatch', async () => {
    serveConversations({ Bo: [message(1, { text: 'You idiot', sentAt: now() })] });
    serve(unmatchUser, () => ({ data: { unmatched: true } }));
    const { person } = await openConversation();
    await person.click(within(await bother()).getByRole('button', { name: 'Unmatch' }));
    expect(await screen.findByRole('dialog', { name: 'Unmatch Bo?' })).toBeVisible();
    expect(received(unmatchUser)).toEqual([]);
    expect(currentAddress()).toBe('/app/messages/match-bo');
  });

  it('of the member add no question', async () => {
    serveConversations({ Bo: [ownMessage(1, { text: 'You idiot', sentAt: now() })] });
    await openConversation();
    await waitForCheck();
    expect(screen.queryByRole('group', { name: 'Does this bother you?' })).toBeNull();
  });
});

/** Waits until the list of harsh words is loaded. */
const waitForCheck = async () => {
  await act(() => import('#contract/harsh.ts'));
};

describe('a match that ended with a goodbye', () => {
  it('can be read, but has no field and no link to the profile', async () => {
    const known = serveConversations({ Bo: [message(1, { text: 'Take care!' })] });
    known.isEnded = true;
    giveRoom();
    const { person } = renderApp('/app/messages', ownUser());
    expect(await screen.findByText('Ended')).toBeVisible();
    await person.click(screen.getByRole('link', { name: /Bo/ }));
    expect(await screen.findByText('This match is over. You and Bo can no longer write to each other.')).toBeVisible();
    expect(
      await within(screen.getByRole('region', { name: 'Messages with Bo' })).findByText('Take care!'),
    ).toBeVisible();
    expect(screen.queryByRole('textbox')).toBeNull();
    await person.click(screen.getByRole('button', { name: 'More about Bo' }));
    expect(screen.queryByRole('link', { name: 'Profile of Bo' })).toBeNull();
  });
});
