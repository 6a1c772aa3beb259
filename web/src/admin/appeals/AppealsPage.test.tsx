import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { decideAppeal, getAppeal, listAppeals, reviewAppeal } from '#contract/moderation/appeals.ts';
import { received, serve } from '../../../test/fake-server.ts';
import { administrator, moderator } from '../../../test/fixtures/people.ts';
import { appealFile, appealLine } from '../../../test/fixtures/staff/appeals.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';
import { readDraft } from '../../ui/form/drafts.ts';

const reasons = 'The messages were quoted from a song that both had talked about.';
const own = (user: { _id: string }) => ({ state: 'under_review' as const, reviewer: { _id: user._id, name: 'You' } });

describe('/appeals', () => {
  it('lists appeals with the time left and opens them', async () => {
    const counts = { open: 2, mine: 0, decided: 0 };
    const late = appealLine({ _id: 'late', dueAt: '2020-01-01T00:00:00.000Z', isBreached: true, party: 'reporter' });
    serve(listAppeals, () => ({ data: { appeals: [late, appealLine()], counts, nextCursor: null } }));
    serve(getAppeal, () => ({ data: appealFile() }));
    const { person } = renderApp('/appeals', administrator());
    const table = await screen.findByRole('table', { name: 'Appeals' });
    expect(within(table).getByText(/Decision .* late/)).toBeVisible();
    expect(within(table).getAllByText('Warning, Suspension')).toHaveLength(2);
    await person.keyboard('?');
    const help = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }));
    expect(help.getByText('Open the appeal')).toBeVisible();
    expect(help.getByRole('checkbox', { name: 'Single-key shortcuts' })).toBeChecked();
    await person.keyboard('{Escape}');
    await person.click(within(table).getAllByRole('link', { name: 'Bo Ek' })[1] as HTMLElement);
    expect(await screen.findByText('These were lines of a song.')).toBeVisible();
    await person.keyboard('?');
    expect(await screen.findByText('Review the appeal')).toBeVisible();
  });
});

describe('an appeal', () => {
  it('shows the plea next to the decision and the evidence, and can be decided with reasons', async () => {
    const user = administrator();
    serve(getAppeal, () => ({ data: appealFile() }));
    const { decision, ...rest } = appealFile(own(user));
    const removed = decision.sanctions.slice(0, 1).map((one) => ({
      ...one,
      ...{ _id: 'removed', kind: 'remove_content' as const },
      content: { evidenceId: 'evidence', type: 'message' as const, key: '3', text: 'Leave me alone?', isGone: false },
    }));
    const sanctions = [...decision.sanctions, ...removed];
    serve(reviewAppeal, () => ({ data: { ...rest, decision: { ...decision, sanctions } } }));
    serve(decideAppeal, () => ({ data: appealFile({ ...own(user), state: 'partly_overturned', canReview: false }) }));
    const { person } = renderApp('/appeals/018f3a52-0000-7000-8000-00000000a99e', user);
    expect(await screen.findByText('These were lines of a song.')).toBeVisible();
    expect(screen.getByText('Sent nine insulting messages after being asked to stop.')).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'Review this appeal' }));
    await person.click(await screen.findByRole('button', { name: 'Decide' }));
    const dialog = await screen.findByRole('dialog', { name: 'Decide the appeal' });
    const send = within(dialog).getByRole('button', { name: 'Decide' });
    await person.click(within(dialog).getByRole('radio', { name: 'Overturn a part of it' }));
    expect(send).toBeDisabled();
    expect(within(dialog).getByRole('checkbox', { name: 'Content removed: Message' })).toHaveAccessibleDescription(
      'Leave me alone?',
    );
    await person.type(within(dialog).getByRole('textbox', { name: /Reason/ }), `${reasons}{Control>}{Enter}{/Control}`);
    await person.click(within(dialog).getByRole('checkbox', { name: 'Suspension' }));
    await person.clear(within(dialog).getByRole('textbox', { name: /Reason/ }));
    await person.type(within(dialog).getByRole('textbox', { name: /Reason/ }), 'Too short');
    await person.click(send);
    expect(within(dialog).getByText('Write 40 characters or more')).toBeVisible();
    await person.clear(within(dialog).getByRole('textbox', { name: /Reason/ }));
    await person.type(within(dialog).getByRole('textbox', { name: /Reason/ }), reasons);
    await person.click(send);
    expect(await screen.findByText('Partly overturned')).toBeVisible();
    const body = { outcome: 'partly_overturned', reasons, sanctionIds: ['suspend'] };
    expect(received(decideAppeal).map((request) => request.body)).toEqual([body]);
    expect(await screen.findByText('Decided: the appeal in the case about Bo Ek.')).toBeVisible();
  });

  it('keeps what was typed when the form is closed or another appeal is shown, and opens the next appeal after the decision', async () => {
    const user = administrator();
    const counts = { open: 2, mine: 0, decided: 0 };
    const appeals = ['first', 'second'].map((_id) => appealLine({ _id }));
    serve(listAppeals, () => ({ data: { appeals, counts, nextCursor: null } }));
    serve(getAppeal, ({ params }) => ({ data: appealFile({ ...own(user), _id: params.id }) }));
    serve(decideAppeal, ({ params }) => ({
      data: appealFile({ ...own(user), _id: params.id, state: 'upheld', canReview: false }),
    }));
    const { person } = renderApp('/appeals', user);
    const table = within(await screen.findByRole('table', { name: 'Appeals' }));
    await person.click(table.getAllByRole('link', { name: 'Bo Ek' })[0] as HTMLElement);
    await screen.findByRole('button', { name: 'Decide' });
    await person.keyboard('d');
    await person.type(await screen.findByRole('textbox', { name: /Reason/ }), reasons);
    await person.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    for (const [key, id] of ['j second', 'k first'].map((each) => each.split(' '))) {
      await person.keyboard(key ?? '');
      await waitFor(() => expect(currentAddress()).toBe(`/appeals/${id}`));
      await screen.findByRole('button', { name: 'Decide' });
    }
    await person.keyboard('d');
    expect(await screen.findByRole('textbox', { name: /Reason/ })).toHaveValue(reasons);
    await person.keyboard('{Control>}{Enter}{/Control}');
    expect(await screen.findByText('Decided: the appeal in the case about Bo Ek.')).toBeVisible();
    expect(readDraft('appeal:first')).toBeNull();
    expect(currentAddress()).toBe('/appeals/second');
    await screen.findByRole('button', { name: 'Decide' });
    await person.keyboard('k');
    await waitFor(() => expect(currentAddress()).toBe('/appeals/first'));
  });

  it('offers no actions to people who may not decide', async () => {
    serve(getAppeal, () => ({ data: appealFile({ canReview: false }) }));
    renderApp('/appeals/018f3a52-0000-7000-8000-00000000a99e', moderator());
    expect(await screen.findByText(/A senior moderator or administrator who did not make the decision/)).toBeVisible();
    expect(screen.queryByRole('button', { name: /Review|Decide/ })).toBeNull();
  });
});
