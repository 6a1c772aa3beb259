import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { answerMeeting } from '#contract/messages/messages.ts';
import { createReport } from '#contract/moderation/reports.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { message, openConversation, ownMessage, serveConversations } from '../../../test/fixtures/conversations.ts';
import { ownReport } from '../../../test/fixtures/own-reports.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { receiveOverSocket } from '../../../test/test-socket.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';

const card = async () => within(await screen.findByRole('region', { name: 'A question about Bo' }));
const answers = () => received(answerMeeting).map(({ params, body }) => ({ ...params, ...body }));
const isGone = () => expect(screen.queryByRole('region', { name: 'A question about Bo' })).toBeNull();

async function openAsked() {
  const known = serveConversations({ Bo: [message(1)] });
  known.asksMeeting = true;
  return await openConversation();
}

describe('the question whether two people met', () => {
  it('is not asked too early', async () => {
    serveConversations({ Bo: [message(1)] });
    await openConversation();
    isGone();
  });

  it('is followed by whether they would meet again', async () => {
    const { person } = await openAsked();
    const first = await card();
    expect(first.getByText('Did you and Bo meet?')).toBeVisible();
    expect(first.getByText('Only you see your answer. It helps us learn which matches go well.')).toBeVisible();
    await person.click(first.getByRole('button', { name: 'Yes' }));
    const more = await screen.findByText('Would you like to meet Bo again?');
    await waitFor(() => expect(more).toHaveFocus());
    await person.click((await card()).getByRole('button', { name: 'Yes' }));
    expect(await screen.findByText('Thanks. Only you see your answer.')).toHaveFocus();
    isGone();
    expect(answers()).toEqual([
      { id: 'match-bo', met: 'yes' },
      { id: 'match-bo', met: 'yes', meetAgain: true },
    ]);
  });

  it.each([
    ['Not yet', 'not-yet', 'Thanks. Only you see your answer.'],
    ['Skip', 'skip', "We won't ask about Bo again."],
  ])('ends after %s', async (button, met, thanks) => {
    const { person } = await openAsked();
    await person.click((await card()).getByRole('button', { name: button }));
    expect(await screen.findByText(thanks)).toHaveAttribute('role', 'status');
    isGone();
    expect(answers()).toEqual([{ id: 'match-bo', met }]);
  });

  it('stays open when the answer could not be saved', async () => {
    const { person } = await openAsked();
    failWith(answerMeeting, new Refusal('NOT_FOUND', 'Not found'));
    await person.click((await card()).getByRole('button', { name: 'Yes' }));
    expect(await screen.findByRole('alert')).toHaveTextContent("Your answer wasn't saved: Not found");
    expect((await card()).getByRole('button', { name: 'Yes' })).toHaveFocus();
    expect((await card()).getByText('Did you and Bo meet?')).toBeVisible();
  });
});

const matchId = 'match-bo';
const openers = () => screen.getAllByRole('button', { name: 'More about this message' });
const reporting = () => screen.queryByRole('button', { name: 'Report this message' });

async function openMenuOf(index: number) {
  const { person } = await openConversation();
  await person.click(openers()[index] ?? document.body);
  return person;
}

describe('a message from the other person', () => {
  it('can be reported from its menu, which Esc closes', async () => {
    serveConversations({ Bo: [ownMessage(1), message(2), message(3)] });
    const person = await openMenuOf(2);
    expect(reporting()).toBeVisible();
    await person.keyboard('{Escape}');
    expect(reporting()).toBeNull();
    expect(openers()[2]).toHaveFocus();
    expect(openers()[0]).toHaveAccessibleDescription(/^You: Message 1 /);
    expect(openers()[2]).toHaveAccessibleDescription(/^Bo: Message 3 /);
    // Past the six reactions and the button to reply.
    await person.keyboard(`{Enter}${'{Tab}'.repeat(8)}{Enter}`);
    expect(await screen.findByRole('heading', { level: 1, name: 'Report a message from Bo' })).toBeVisible();
    expect(currentAddress()).toBe(`/app/support/new?user=bo&match=${matchId}&message=3`);
    expect(
      screen.getByText(/^Tell us what happened\. Our team gets a copy of this message and of a few/),
    ).toBeVisible();
    await person.click(screen.getByRole('link', { name: 'Back to the conversation' }));
    expect(currentAddress()).toBe(`/app/messages/${matchId}`);
  });

  it('can be reported by tapping it on touch screens, which have no hover', async () => {
    const match = window.matchMedia;
    vi.stubGlobal('matchMedia', (query: string) => ({ ...match(query), matches: query === '(hover: none)' }));
    serveConversations({ Bo: [message(1, { text: 'Send me a gift card' })] });
    const { person } = await openConversation();
    const text = within(screen.getByRole('region', { name: 'Messages with Bo' })).getByText('Send me a gift card');
    await person.click(text);
    expect(reporting()).toBeVisible();
    await person.click(text);
    expect(reporting()).toBeNull();
  });

  it('can be reported after it was deleted or the match ended', async () => {
    serveConversations({ Bo: [message(1, { text: null }), message(2)] });
    const person = await openMenuOf(0);
    expect(reporting()).toBeVisible();
    await receiveOverSocket({ kind: 'matchEnded', matchId });
    await person.click(reporting() ?? document.body);
    expect(currentAddress()).toBe(`/app/support/new?user=bo&match=${matchId}&message=1`);
  });

  it('is the only kind of message that can be reported', async () => {
    serveConversations({ Bo: [ownMessage(1)] });
    await openMenuOf(0);
    expect(screen.getByRole('button', { name: 'Delete' })).toBeVisible();
    expect(reporting()).toBeNull();
  });
});

describe('reporting a conversation', () => {
  it('takes two clicks, and copies the conversation', async () => {
    serveConversations({ Bo: [message(1)] });
    serve(createReport, () => ({ data: { report: ownReport() } }));
    const { person } = await openConversation();
    await person.click(screen.getByRole('button', { name: 'Report or block Bo' }));
    const words = 'Insults, threats or harassment';
    await person.click(await screen.findByRole('button', { name: words }));
    expect(await screen.findByText('Thank you, we have your report')).toBeVisible();
    expect(received(createReport).map(({ body }) => body)).toEqual([
      {
        problem_type: 'Harassment',
        mayBeMinor: false,
        description: words,
        reportedUser: 'bo',
        hideFromEachOther: true,
        evidence: [{ type: 'message', id: matchId }],
      },
    ]);
  });

  it('accepts a description in the member’s own words', async () => {
    serveConversations({ Bo: [message(1)] });
    const { person } = await openConversation();
    await person.click(screen.getByRole('button', { name: 'Report or block Bo' }));
    await person.click(await screen.findByRole('link', { name: 'Something else' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Report what Bo wrote' })).toBeVisible();
    expect(currentAddress()).toBe(`/app/support/new?user=bo&match=${matchId}`);
  });

  it('is offered without a name when it has ended', async () => {
    serveConversations({ Bo: [message(1)] });
    await openConversation();
    await receiveOverSocket({ kind: 'matchEnded', matchId });
    const link = screen.getByRole('link', { name: 'Report what was written here' });
    expect(link).toHaveAttribute('href', `/app/support/new?match=${matchId}`);
  });

  it("is offered in the same way when it doesn't exist", async () => {
    serveConversations({});
    for (const id of [matchId, 'nobody', '018f3a52-0000-7000-8000-000000ea71e5']) {
      const { unmount } = renderApp(`/app/messages/${id}`, ownUser());
      await screen.findByRole('heading', { level: 1, name: "This conversation isn't available." });
      const pane = within(screen.getByRole('region', { name: 'Conversation' }));
      expect(pane.getByText(/you can still report it: messages are kept for 180 days/)).toBeVisible();
      expect(pane.getByRole('link', { name: 'Report what was written here' })).toHaveAttribute(
        'href',
        `/app/support/new?match=${id}`,
      );
      unmount();
    }
  });
});
