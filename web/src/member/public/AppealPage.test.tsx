import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { appealByLink, openAppealLink } from '#contract/moderation/appeals.ts';
import { received, Refusal, serve } from '../../../test/fake-server.ts';
import { memberNotice } from '../../../test/fixtures/notices.ts';
import { renderApp } from '../../../test/render-app.tsx';

const appeal = {
  _id: 'appeal-1',
  state: 'submitted' as const,
  text: 'It was a song.',
  at: '2025-10-18T10:00:00.000Z',
  dueAt: '2025-10-25T10:00:00.000Z',
  answer: null,
  answeredAt: null,
};

describe('the link in a mail about a decision', () => {
  it('shows the decision without signing in and appeals only on a press', async () => {
    const notice = memberNotice();
    serve(openAppealLink, () => ({ data: { notice, locked: null } }));
    serve(appealByLink, () => ({
      data: { notice: memberNotice({ appeal: { ...notice.appeal, mayAppeal: false, appeal } }) },
    }));
    const { person } = renderApp('/app/appeal#a.b.c.d');
    expect(await screen.findByText(notice.facts)).toBeVisible();
    expect(received(openAppealLink).map(({ body }) => body)).toEqual([{ token: 'a.b.c.d' }]);
    await person.click(screen.getByRole('button', { name: 'Appeal this decision' }));
    await person.click(screen.getByRole('button', { name: 'Send appeal' }));
    expect(await screen.findByText('Say why you disagree')).toBeVisible();
    expect(received(appealByLink)).toEqual([]);
    await person.type(screen.getByRole('textbox', { name: /Why do you disagree/ }), 'It was a song.');
    await person.click(screen.getByRole('button', { name: 'Send appeal' }));
    expect(await screen.findByText('Waiting for a review')).toBeVisible();
    expect(received(appealByLink).map(({ body }) => body)).toEqual([{ token: 'a.b.c.d', text: 'It was a song.' }]);
    expect(screen.queryByRole('button', { name: 'Withdraw appeal' })).toBeNull();
  });

  it('says so when it is cut off or too old', async () => {
    serve(openAppealLink, () => {
      throw new Refusal('NOT_FOUND', 'Not found');
    });
    renderApp('/app/appeal#a');
    expect(await screen.findByRole('heading', { name: 'This link no longer works' })).toBeVisible();
  });
});
