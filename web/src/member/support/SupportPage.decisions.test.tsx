import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Notice } from '#contract/moderation/decision.ts';
import { acknowledgeWarning, listNotices } from '#contract/moderation/decisions.ts';
import { listMyReports } from '#contract/moderation/reports.ts';
import { paginate } from '#contract/paging.ts';
import { received, serve } from '../../../test/fake-server.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { renderApp } from '../../../test/render-app.tsx';

const measure = { endsAt: null, isLive: true, isRevoked: false, needsAcknowledgement: false };
const notice: Notice = {
  _id: 'decision-1',
  at: '2025-10-18T10:00:00.000Z',
  rule: { clause: '2', version: 1, title: 'Respect', text: 'No harassment.' },
  facts: 'Sent nine insulting messages after being asked to stop.',
  isDetectionAutomated: false,
  measures: [
    { ...measure, _id: 'a', kind: 'warn', needsAcknowledgement: true },
    { ...measure, _id: 'b', kind: 'hide_profile', endsAt: '2099-10-25T10:00:00.000Z' },
  ],
};

beforeEach(() => serve(listMyReports, () => ({ data: { reports: [], pagination: paginate(1, 10, 0), unread: 0 } })));

describe('decisions about my account', () => {
  it('show the rule, the facts and what they mean, and warnings are acknowledged', async () => {
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

  it('take no room when there are none', async () => {
    serve(listNotices, () => ({ data: { notices: [] } }));
    renderApp('/app/support', ownUser());
    expect(await screen.findByText("You haven't reported anything.")).toBeVisible();
    expect(screen.queryByText('A decision about your account')).toBeNull();
  });
});
