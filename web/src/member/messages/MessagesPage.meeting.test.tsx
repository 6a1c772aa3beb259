import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { answerMeeting } from '#contract/messages.ts';
import { received, Refusal, serve } from '../../../test/fake-server.ts';
import { message, openConversation, serveConversations } from '../../../test/fixtures/conversations.ts';

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
    serve(answerMeeting, () => {
      throw new Refusal('NOT_FOUND', 'Not found');
    });
    await person.click((await card()).getByRole('button', { name: 'Yes' }));
    expect(await screen.findByRole('alert')).toHaveTextContent("Your answer wasn't saved: Not found");
    expect((await card()).getByText('Did you and Bo meet?')).toBeVisible();
  });
});
