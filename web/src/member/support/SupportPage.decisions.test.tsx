import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { submitAppeal } from '#contract/moderation/appeals.ts';
import { acknowledgeWarning, listNotices } from '#contract/moderation/decisions.ts';
import { listMyReports } from '#contract/moderation/reports.ts';
import { prompts } from '#contract/profiles/interests.ts';
import { paginate } from '#contract/paging.ts';
import { received, serve } from '../../../test/fake-server.ts';
import { memberNotice } from '../../../test/fixtures/notices.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { renderApp } from '../../../test/render-app.tsx';

const notice = memberNotice();

beforeEach(() => serve(listMyReports, () => ({ data: { reports: [], pagination: paginate(1, 10, 0), unread: 0 } })));

describe("decisions about the member's account", () => {
  it('show the rule, the facts and the consequences, and let the member acknowledge a warning', async () => {
    serve(listNotices, () => ({ data: { notices: [notice] } }));
    serve(acknowledgeWarning, () => ({
      data: {
        notices: [{ ...notice, measures: notice.measures.map((one) => ({ ...one, needsAcknowledgement: false })) }],
      },
    }));
    const { person } = renderApp('/app/support', ownUser());
    expect(await screen.findByText(notice.facts)).toBeVisible();
    expect(screen.getByText('No harassment.')).toBeVisible();
    expect(screen.getByText(/Your profile is hidden from other members. Until Oct 25, 2099/)).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'I have read this warning' }));
    expect(received(acknowledgeWarning).map(({ params }) => params)).toEqual([{ id: 'decision-1' }]);
    expect(screen.queryByRole('button', { name: 'I have read this warning' })).toBeNull();
  });

  it('show which picture and which answer were removed', async () => {
    const measure = { kind: 'remove_content' as const, endsAt: null, isLive: true, isRevoked: false };
    const thumbnailUrl = '/media/abc.thumbnail?removed=1';
    const measures = [
      { type: 'picture' as const, key: 'one', text: null, picture: { place: 2, count: 3, thumbnailUrl } },
      { type: 'prompt' as const, key: 'small-joy', text: 'Tea' },
    ].map((content) => ({ ...measure, _id: content.key, needsAcknowledgement: false, content }));
    serve(listNotices, () => ({ data: { notices: [memberNotice({ measures })] } }));
    renderApp('/app/support', ownUser());
    expect(await screen.findByText(/It was picture 2 of 3\./)).toBeVisible();
    expect(screen.getByRole('img', { name: /^The removed picture/ })).toHaveAttribute('src', thumbnailUrl);
    expect(screen.getByText((text) => text.includes(`“${prompts['small-joy']}”`))).toBeVisible();
    expect(screen.getByText('Tea')).toBeVisible();
  });

  it('can be appealed with one tap and a short form', async () => {
    serve(listNotices, () => ({ data: { notices: [notice] } }));
    serve(submitAppeal, () => ({ data: { right: notice.appeal } }));
    const { person } = renderApp('/app/support', ownUser());
    await person.click(await screen.findByRole('button', { name: 'Appeal this decision' }));
    await person.type(screen.getByRole('textbox', { name: /Why do you disagree/ }), 'It was a song.');
    await person.click(screen.getByRole('button', { name: 'Send appeal' }));
    const sent = [{ decisionId: 'decision-1', text: 'It was a song.' }];
    expect(received(submitAppeal).map(({ body }) => body)).toEqual(sent);
    expect(received(listNotices).length).toBeGreaterThan(1);
  });

  it('are left out when there are none', async () => {
    serve(listNotices, () => ({ data: { notices: [] } }));
    renderApp('/app/support', ownUser());
    expect(await screen.findByText("You haven't reported anything.")).toBeVisible();
    expect(screen.queryByText('A decision about your account')).toBeNull();
  });
});
