import { screen, waitFor, within } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';
import { endKindly, goodbyes, listWaiting, snoozeConversation } from '#contract/messages/messages.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { serveHiddenWords } from '../../../test/fixtures/control.ts';
import { conversationWith, message, photo, serveConversations } from '../../../test/fixtures/conversations.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';
import { passTime, simulateTime } from '../../../test/time.ts';

// Transforming the dialog can take longer than a test waits for it.
beforeAll(async () => {
  await import('../../features/messages/turns/TurnsDialog.tsx');
});

/** Opens Discover while this many people wait; two of them are listed. */
function openDiscover(count: number, lastOfBo = message(1), lastOfCy = message(1)) {
  serveConversations({ Bo: [lastOfBo], Cy: [lastOfCy] });
  const conversations = [conversationWith('Bo', [lastOfBo]), conversationWith('Cy', [lastOfCy])];
  serve(listWaiting, () => ({ data: { count, conversations } }));
  return renderApp('/app/discover', ownUser());
}

const find = () => screen.findByRole('dialog', { name: '12 people are waiting for your answer' });
const dialog = async () => within(await find());

describe('conversations that wait for the member', () => {
  it('are offered once a day if there are twelve', async () => {
    simulateTime();
    const { person, unmount } = openDiscover(12);
    await person.click((await dialog()).getByRole('button', { name: 'Not now' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    unmount();
    openDiscover(12);
    await passTime(1500);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(received(listWaiting)).toHaveLength(1);
  });

  it('are not offered if there are eleven', async () => {
    openDiscover(11);
    await waitFor(() => expect(received(listWaiting)).toHaveLength(1));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('show the last message on one line, like the list', async () => {
    openDiscover(
      12,
      message(1, { text: 'Buy crypto' }),
      message(1, { from: 'cy', text: '', pictures: [photo('one')] }),
    );
    serveHiddenWords('crypto');
    const shown = await dialog();
    expect(await shown.findByText('Hidden by your words')).toBeVisible();
    expect(shown.getByText('📷 Photo')).toBeVisible();
  });

  it('can be answered', async () => {
    const { person } = openDiscover(12);
    await person.click((await dialog()).getByRole('link', { name: 'Answer Cy' }));
    expect(currentAddress()).toBe('/app/messages/match-cy');
  });

  it('can be ended kindly with one press, which shows what is sent', async () => {
    const { person } = openDiscover(12);
    serve(endKindly, () => ({ data: { unmatched: true } }));
    const shown = await dialog();
    expect(shown.getByText(/We send|we send/)).toHaveTextContent(goodbyes[0]);
    await person.click(shown.getByRole('button', { name: 'End kindly with Bo' }));
    expect(await shown.findByText('You said goodbye to Bo.')).toHaveFocus();
    expect(shown.queryByRole('link', { name: 'Answer Bo' })).toBeNull();
    expect(received(endKindly).map(({ params, body }) => ({ ...params, ...body }))).toEqual([
      { id: 'match-bo', text: goodbyes[0] },
    ]);
  });

  it('can be postponed for a week', async () => {
    const { person } = openDiscover(12);
    serve(snoozeConversation, () => ({ data: { snoozedUntil: '2026-01-08T00:00:00.000Z' } }));
    const shown = await dialog();
    await person.click(shown.getByRole('button', { name: 'Answer Bo later' }));
    expect(await shown.findByText('Bo is back in your list in a week.')).toBeVisible();
    expect(received(snoozeConversation).map(({ body }) => body)).toEqual([{ days: 7 }]);
  });

  it('stay in the list when ending failed', async () => {
    const { person } = openDiscover(12);
    failWith(endKindly, new Refusal('NOT_FOUND', 'Not found'));
    const shown = await dialog();
    await person.click(shown.getByRole('button', { name: 'End kindly with Bo' }));
    expect(await shown.findByRole('alert')).toHaveTextContent('You are still a match: Not found');
    expect(shown.getByRole('button', { name: 'End kindly with Bo' })).toHaveFocus();
    expect(shown.getByRole('link', { name: 'Answer Bo' })).toBeVisible();
  });
});
