import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { snoozeConversation } from '#contract/messages/messages.ts';
import { getHiddenWords } from '#contract/profiles/hidden-words.ts';
import { queryClient } from '../../api/query-client.ts';
import { CutOff, failWith, received } from '../../../test/fake-server.ts';
import { serveHiddenWords } from '../../../test/fixtures/control.ts';
import { message, openConversation, ownMessage, serveConversations } from '../../../test/fixtures/conversations.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { giveRoom } from '../../../test/fixtures/staff/users.ts';
import { renderApp } from '../../../test/render-app.tsx';

const open = async () => {
  const app = await openConversation();
  await app.person.click(screen.getByRole('button', { name: 'More about Bo' }));
  return app;
};

describe('snoozing a conversation', () => {
  it('moves it to the snoozed ones, from which it can be returned', async () => {
    serveConversations({ Bo: [message(1)], Cy: [message(1)] });
    const { person } = await open();
    await person.click(screen.getByRole('button', { name: 'Snooze' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Snooze this conversation?' }));
    expect(dialog.getByRole('radio', { name: 'One week' })).toBeChecked();
    await person.click(dialog.getByRole('radio', { name: 'One day' }));
    await person.click(dialog.getByRole('button', { name: 'Snooze' }));
    expect(await screen.findByText(/^Snoozed until .*Writing ends it\.$/)).toBeVisible();
    expect((await screen.findByText(/^Snoozed until [^.]+$/)).parentElement).toHaveAttribute('role', 'status');
    expect(received(snoozeConversation).map(({ body }) => body)).toEqual([{ days: 1 }]);
    const list = within(screen.getByRole('region', { name: 'Conversations' }));
    await waitFor(() => expect(list.queryByRole('link', { name: /Bo/ })).toBeNull());
    await person.click(list.getByRole('link', { name: 'Snoozed' }));
    expect(await list.findByRole('link', { name: /Bo/ })).toHaveAttribute('href', '/app/messages/match-bo?snoozed');
    await person.click(list.getByRole('link', { name: /Bo/ }));
    await screen.findByRole('textbox', { name: 'Write to Bo' });
    await person.click(await screen.findByRole('button', { name: 'End snooze' }));
    expect(await list.findByText('No snoozed conversations.')).toBeVisible();
    await waitFor(() => expect(screen.queryByText(/^Snoozed until /)).toBeNull());
    expect(await screen.findByText('The snooze has ended')).toBeInTheDocument();
    await waitFor(() => expect(screen.getByRole('heading', { level: 1, name: 'Bo' })).toHaveFocus());
  });

  it('shows the reason when ending it fails', async () => {
    serveConversations({ Bo: [message(1)] }).snoozed['match-bo'] = '2026-01-08T00:00:00.000Z';
    failWith(snoozeConversation, new CutOff());
    const { person } = await openConversation();
    await person.click(await screen.findByRole('button', { name: 'End snooze' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Couldn't end the snooze: Network error/);
  });
});

describe('hidden words', () => {
  it('cover received messages until the member shows them, but not the member’s own', async () => {
    serveConversations({ Bo: [message(1, { text: 'Buy crypt0 now' }), ownMessage(2, { text: 'No crypto' })] });
    serveHiddenWords('crypto');
    const { person } = await openConversation();
    const log = within(screen.getByRole('region', { name: 'Messages with Bo' }));
    expect(await log.findByText('Hidden by your words')).toBeVisible();
    expect(log.queryByText(/Buy/)).toBeNull();
    expect(log.getByText('No crypto')).toBeVisible();
    await person.click(log.getByRole('button', { name: 'Show' }));
    expect(log.getByText('Buy crypt0 now')).toHaveFocus();
  });

  it('cover the last message in the list and notes above a conversation', async () => {
    const known = serveConversations({ Bo: [message(1, { text: 'Crypto!' })] });
    known.likes = [{ from: 'bo', likedAt: '2025-10-18T10:00:00.000Z', note: 'I mine crypto', on: null }];
    serveHiddenWords('crypto');
    giveRoom();
    renderApp('/app/messages/match-bo', ownUser());
    expect(await screen.findByRole('link', { name: /Bo.*Hidden by your words/ })).toBeVisible();
    const opening = within(await screen.findByRole('group', { name: 'What led to this match' }));
    expect(await opening.findByText('Hidden by your words')).toBeVisible();
    expect(screen.queryByText(/mine crypto/)).toBeNull();
  });

  it('cover messages without a network, because the device stores the words', async () => {
    serveConversations({ Bo: [message(1, { text: 'Crypto!' })] });
    serveHiddenWords('crypto');
    const { unmount } = await openConversation();
    await screen.findAllByText('Hidden by your words');
    unmount();
    queryClient.clear();
    serveConversations({ Bo: [message(1, { text: 'Crypto!' })] });
    failWith(getHiddenWords, new CutOff());
    renderApp('/app/messages/match-bo', ownUser());
    const log = within(await screen.findByRole('region', { name: 'Messages with Bo' }));
    await waitFor(() => expect(received(getHiddenWords).length).toBeGreaterThan(1));
    expect(await log.findByText('Hidden by your words')).toBeVisible();
    expect(screen.queryByText('Crypto!')).toBeNull();
  });
});
