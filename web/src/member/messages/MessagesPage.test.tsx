import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { getDate } from '#contract/dates.ts';
import { getConversation, listConversations, listMessages, type MessageView } from '#contract/messages/messages.ts';
import { CutOff, failWith, received } from '../../../test/fake-server.ts';
import {
  message,
  openConversation,
  ownMessage,
  serveConversations,
  shownMessages,
} from '../../../test/fixtures/conversations.ts';
import { picture } from '../../../test/fixtures/pictures.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { beNarrow } from '../../../test/fixtures/staff/users.ts';
import { queryClient } from '../../api/query-client.ts';
import { formatExactTime, formatTime } from '../../ui/text/format.ts';
import { connectSocket, receiveOverSocket } from '../../../test/test-socket.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';

const list = () => screen.findByRole('list', { name: 'Conversations' });
const rows = async () => within(await list()).getAllByRole('listitem');

describe('the list of conversations', () => {
  it('shows errors, and a next step when it is empty', async () => {
    serveConversations({});
    failWith(listConversations, new CutOff());
    const { person } = renderApp('/app/messages', ownUser());
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Couldn't load your messages: Network error/);
    serveConversations({});
    await person.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('You have no messages yet.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Discover people' })).toHaveAttribute('href', '/app/discover');
  });

  it('shows the person, the last message and the unread count', async () => {
    serveConversations({
      Bo: [message(1), message(2, { text: 'How are you?' })],
      Cy: [ownMessage(1, { text: 'Hi Cy' })],
      Di: [],
      Ed: [message(1, { from: 'ed', text: null, readAt: '2025-10-20T00:00:00.000Z' })],
    });
    renderApp('/app/messages', ownUser());
    const [bo, cy, ed] = await rows();
    const fresh = within(screen.getByRole('list', { name: 'New matches' }));
    expect(bo).toHaveTextContent(/Bo.*How are you\?.*2 unread messages/);
    expect(within(bo ?? document.body).getByRole('link')).toHaveAttribute('href', '/app/messages/match-bo');
    expect(cy).toHaveTextContent(/Cy.*You: Hi Cy/);
    expect(cy).not.toHaveTextContent('unread');
    expect(fresh.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      [expect.stringMatching(/Di$/), '/app/messages/match-di'],
    ]);
    expect(fresh.getByTitle('You matched on Oct 18, 2025')).toBeVisible();
    expect(ed).toHaveTextContent('Your turn');
    expect(cy).not.toHaveTextContent('Your turn');
    expect(ed).toHaveTextContent('Message deleted');
  });

  it('gives an own last message its direction, whatever the language of the words before it', async () => {
    serveConversations({
      Bo: [ownMessage(1, { text: '😀 مساء الخير' })],
      Cy: [ownMessage(1, { text: 'Good evening' })],
    });
    renderApp('/app/messages', ownUser());
    await rows();
    expect(screen.getByText(/^You: .*مساء/)).toHaveAttribute('dir', 'rtl');
    expect(screen.getByText('You: Good evening')).toHaveAttribute('dir', 'ltr');
  });

  it('is loaded page by page', async () => {
    serveConversations(
      Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`P${index + 10}`, [ownMessage(1)]])),
    );
    const { person } = renderApp('/app/messages', ownUser());
    expect(await rows()).toHaveLength(20);
    await person.click(screen.getByRole('button', { name: 'Show more' }));
    await waitFor(async () => expect(await rows()).toHaveLength(25));
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  it('updates on new messages, new matches and ended matches', async () => {
    const known = serveConversations({ Bo: [message(1, { readAt: '2025-10-20T00:00:00.000Z' })], Cy: [] });
    renderApp('/app/messages', ownUser());
    expect(await rows()).toHaveLength(1);
    const late = message(1, { from: 'cy', text: 'Late', sentAt: '2025-10-20T10:00:00.000Z' });
    await receiveOverSocket({ kind: 'message', matchId: 'match-cy', message: late });
    expect((await rows())[0]).toHaveTextContent(/Cy.*Late.*1 unread message/);
    known.names.push('Di');
    known.messages['match-di'] = [];
    await receiveOverSocket({ kind: 'match', matchId: 'match-di' });
    expect(await screen.findByRole('list', { name: 'New matches' })).toHaveTextContent('Di');
    await receiveOverSocket({ kind: 'matchEnded', matchId: 'match-cy' });
    await waitFor(async () => expect(await rows()).toHaveLength(1));
    await receiveOverSocket({ kind: 'read', matchId: 'match-bo', by: ownUser()._id, seq: 1 });
    expect(await list()).not.toHaveTextContent('unread');
  });

  it('is reloaded whenever an event may have been missed', async () => {
    const known = serveConversations({ Bo: [ownMessage(1)] });
    renderApp('/app/messages', ownUser());
    expect(await rows()).toHaveLength(1);
    known.names.unshift('Cy');
    known.messages['match-cy'] = [ownMessage(1)];
    await connectSocket();
    await waitFor(async () => expect(await rows()).toHaveLength(2));
  });
});

describe('the unread badge', () => {
  it('is shown on the tab, and updates on events', async () => {
    beNarrow();
    const known = serveConversations({ Bo: [message(1)], Cy: [] });
    renderApp('/app/messages', ownUser());
    const tabs = within(await screen.findByRole('navigation', { name: 'Most used' }));
    const tab = await tabs.findByRole('link', { name: /^Messages.*1 conversation with new messages$/ });
    expect(tab).toHaveAttribute('href', '/app/messages');
    known.messages['match-bo'] = [];
    await connectSocket();
    expect(await tabs.findByRole('link', { name: 'Messages' })).toBe(tab);
  });
});

describe('a conversation', () => {
  it('shows days, senders, warnings, and which messages were read, edited or deleted', async () => {
    const read = '2025-10-19T12:00:00.000Z';
    serveConversations({
      Bo: [
        message(1, { sentAt: '2025-10-18T09:00:00.000Z', readAt: read }),
        ownMessage(2, { readAt: read, editedAt: read }),
        ownMessage(3, { text: null }),
        message(4, { text: 'Send me 500 dollars', caution: 'money', readAt: read }),
      ],
    });
    await openConversation();
    expect(screen.getByRole('heading', { level: 1, name: 'Bo' })).toBeVisible();
    const [first, own, deleted, money] = shownMessages();
    expect(first).toMatch(/Saturday, October 18, 2025.*Bo: Message 1/);
    expect(own).toMatch(/Sunday, October 19, 2025.*You: Message 2.*Edited.*Read$/);
    expect(deleted).toMatch(/Message deleted/);
    expect(money).toMatch(/Careful: never send money to someone you haven't met\.$/);
    expect(screen.getAllByRole('button', { name: 'More about this message' })).toHaveLength(3);
    expect(document.title).toBe('Messages with Bo · Heartwood');
  });

  it.each([
    [
      'it is put back',
      (text: MessageView) => receiveOverSocket({ kind: 'message', matchId: 'match-bo', message: text }),
    ],
    ['the connection was lost meanwhile', connectSocket],
  ])('shows a removed message again after %s', async (_, happen) => {
    const known = serveConversations({ Bo: [message(1, { text: null }), message(2)] });
    await openConversation();
    expect(shownMessages()[0]).toMatch(/Message deleted/);
    known.messages['match-bo'] = [message(1), message(2)];
    await happen(message(1));
    await waitFor(() => expect(shownMessages()[0]).toMatch(/Bo: Message 1/));
  });

  it('starts with the likes that led to the match', async () => {
    const known = serveConversations({ Bo: [message(1)] });
    known.likes = [
      {
        from: 'bo',
        likedAt: message(1).sentAt,
        note: 'Where was this?',
        on: { kind: 'picture', picture: picture('own') },
      },
      {
        from: ownUser()._id,
        likedAt: message(1).sentAt,
        note: null,
        on: { kind: 'prompt', prompt: 'small-joy', answer: 'Snow' },
      },
    ];
    await openConversation();
    const opening = await screen.findByRole('group', { name: 'What led to this match' });
    expect(opening).toHaveTextContent(
      /^Bo liked your picture.*Bo: Where was this\?Report this noteYou liked Bo's answer.*Snow$/,
    );
    expect(within(opening).getByRole('img', { name: 'Your picture' })).toBeVisible();
    expect(shownMessages()[0]).toMatch(/^Bo liked your picture.*Bo: Message 1/);
  });

  it('shows the likes that led to the match before the first message', async () => {
    const known = serveConversations({ Bo: [] });
    known.likes = [{ from: 'bo', likedAt: message(1).sentAt, note: 'Hi!', on: null }];
    await openConversation();
    expect(await screen.findByRole('group', { name: 'What led to this match' })).toHaveTextContent(
      'Bo liked youBo: Hi!',
    );
    expect(screen.getByText(/^You matched on .*something to talk about\.$/)).toBeVisible();
  });

  it('is one tab stop in which the arrow keys move between messages', async () => {
    serveConversations({ Bo: [message(1), ownMessage(2, { text: null }), message(3), ownMessage(4)] });
    const { person } = await openConversation();
    const [first, third, own] = screen.getAllByRole('button', { name: 'More about this message' });
    screen.getByRole('region', { name: 'Messages with Bo' }).focus();
    await person.tab();
    expect(own).toHaveFocus();
    await person.keyboard('{ArrowDown}{ArrowUp}');
    expect(third).toHaveFocus();
    await person.keyboard('{ArrowUp}{ArrowUp}');
    expect(first).toHaveFocus();
    await person.tab();
    expect(screen.getByRole('button', { name: 'Send photos' })).toHaveFocus();
    await person.tab();
    expect(screen.getByRole('button', { name: 'Record a voice message' })).toHaveFocus();
    await person.tab();
    expect(screen.getByRole('textbox', { name: 'Write to Bo' })).toHaveFocus();
    await person.tab({ shift: true });
    await person.tab({ shift: true });
    await person.tab({ shift: true });
    expect(first).toHaveFocus();
  });

  it('groups messages sent shortly after each other under one time, and shows exact times on demand', async () => {
    const late = '2025-10-19T10:30:00.000Z';
    serveConversations({ Bo: [message(1), message(2), message(3, { sentAt: late }), ownMessage(4, { sentAt: late })] });
    const { person } = await openConversation();
    const times = () =>
      screen
        .getAllByText(/:\d\d/, { selector: 'time' })
        .filter((time) => !time.classList.contains('visually-hidden'))
        .map((time) => time.getAttribute('datetime'));
    const at = (seq: number) => message(seq).sentAt;
    expect(times()).toEqual([at(2), late, late]);
    await person.click(screen.getByText('Message 1'));
    expect(times()).toEqual([at(1), at(2), late, late]);
    expect(screen.getByText(formatTime(at(1)))).toBeVisible();
    await person.click(screen.getByText('Message 1'));
    expect(screen.queryByText(formatTime(at(1)))).toBeNull();
    screen.getByRole('region', { name: 'Messages with Bo' }).focus();
    await person.tab();
    await person.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}{Enter}');
    expect(screen.getByText(formatTime(at(1)))).toBeVisible();
    expect(screen.getByTitle(formatExactTime(at(1)))).toHaveTextContent('Message 1');
  });

  it('links to the profile and back to the list', async () => {
    serveConversations({ Bo: [] });
    const { person } = await openConversation();
    expect(screen.getByText(/^You matched on Oct 18, 2025\. Say hello/)).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'More about Bo' }));
    expect(screen.getByRole('link', { name: 'Profile of Bo' })).toHaveAttribute('href', '/app/members/bo');
    await person.click(screen.getByRole('link', { name: 'All messages' }));
    expect(currentAddress()).toBe('/app/messages');
  });

  it("shows a message and a link back if it doesn't exist", async () => {
    serveConversations({ Bo: [] });
    renderApp('/app/messages/match-nobody', ownUser());
    const words = "This conversation isn't available.";
    expect(await screen.findByRole('heading', { level: 1, name: words })).toBeVisible();
    for (const link of screen.getAllByRole('link', { name: 'All messages' }))
      expect(link).toHaveAttribute('href', '/app/messages');
  });

  it('is requested only once if it does not exist', async () => {
    serveConversations({ Bo: [] });
    renderApp('/app/messages/match-nobody', ownUser());
    await screen.findByRole('heading', { level: 1, name: "This conversation isn't available." });
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    const asked = () => [getConversation, listMessages, getDate].map((one) => received(one).length);
    const before = asked();
    await act(() => queryClient.invalidateQueries());
    expect(asked()).toEqual(before);
  });

  it('loads older messages on scrolling', async () => {
    serveConversations({ Bo: Array.from({ length: 120 }, (_, index) => message(index + 1)) });
    await openConversation();
    expect(received(listMessages)[0]?.query).toEqual({ limit: 50 });
    await waitFor(() => expect(shownMessages().join(' ')).toContain('Message 1'));
    await waitFor(() => expect(received(listMessages).map(({ query }) => query.after)).toContain(50));
  });

  it('shows that it has ended and removes the text field', async () => {
    serveConversations({ Bo: [ownMessage(1)] });
    await openConversation();
    await receiveOverSocket({ kind: 'matchEnded', matchId: 'match-bo' });
    expect(screen.getByText('This match is over. You and Bo can no longer write to each other.')).toHaveAttribute(
      'role',
      'status',
    );
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(screen.queryByRole('button', { name: 'More about this message' })).toBeNull();
    expect(shownMessages()).toHaveLength(1);
  });
});
