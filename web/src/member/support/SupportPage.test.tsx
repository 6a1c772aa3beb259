import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { login } from '#contract/auth/session.ts';
import { listMyReports, reportStatuses } from '#contract/moderation/reports.ts';
import { submitAppeal } from '#contract/moderation/appeals.ts';
import { acknowledgeWarning, listStatements } from '#contract/moderation/decisions.ts';
import { paginate } from '#contract/paging.ts';
import { received, serve } from '../../../test/fake-server.ts';
import { ownReport, serveMyReports } from '../../../test/fixtures/own-reports.ts';
import { administrator, ownUser } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';
import { loadTexts, speak } from '../../ui/text/catalogues.ts';
import { memberStatement } from '../../../test/fixtures/statements.ts';

const many = Array.from({ length: 23 }, (_, index) =>
  ownReport({ _id: `report-${String(index).padStart(6, '0')}`, description: `Number ${index}` }),
);
const rows = () => within(screen.getByRole('list', { name: 'Your reports' })).getAllByRole('link');

describe("a member's own reports", () => {
  it('show type, reported person, date, short id, status and unread answers', async () => {
    serveMyReports([
      ownReport({ isUnread: true, status: 'in_progress' }),
      ownReport({ _id: 'older-report-bbbbbb', problem_type: 'Bug Report', reportedUser: null, status: 'closed' }),
    ]);
    renderApp('/app/support', ownUser());
    expect(await screen.findByRole('list', { name: 'Your reports' })).toBeVisible();
    const [newest, older] = rows();
    for (const text of ['Harassment', 'New', 'In progress', 'Oct 18, 2025', '#3f9a2c', 'He writes to me']) {
      expect(newest).toHaveTextContent(text);
    }
    expect(newest).toHaveTextContent(/About Bo/);
    expect(newest).toHaveAttribute('href', '/app/support/018f3a52-9c1e-7b44-8d0a-0000003f9a2c');
    expect(older).toHaveTextContent('Closed');
    expect(older).not.toHaveTextContent('About');
    expect(older).not.toHaveTextContent('New');
    expect(document.title).toBe('Support · Heartwood');
  });

  it('show their status in words that reveal nothing about other people', async () => {
    serveMyReports(reportStatuses.map((status, index) => ownReport({ _id: `report-${index}`, status })));
    renderApp('/app/support', ownUser());
    await screen.findByRole('list', { name: 'Your reports' });
    const words = ['Received', 'In progress', 'Resolved', 'Closed', 'Not upheld'];
    rows().forEach((row, index) => expect(row).toHaveTextContent(words[index] ?? ''));
    expect(document.body).not.toHaveTextContent(/rejected|internal|deactivated/i);
  });

  it('show what to do when there are none', async () => {
    serveMyReports([]);
    renderApp('/app/support', ownUser());
    expect(await screen.findByText("You haven't reported anything.")).toBeVisible();
    expect(screen.getByText(/We answer here\.$/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Report a problem' })).toHaveAttribute('href', '/app/support/new');
  });

  it('load ten at a time, keep the page in the address, and focus the first new one', async () => {
    serveMyReports(many);
    const { person } = renderApp('/app/support', ownUser());
    expect(await screen.findByText('10 of 23')).toBeVisible();
    expect(rows()).toHaveLength(10);
    await person.click(screen.getByRole('button', { name: 'Load more' }));
    await waitFor(() => expect(rows()).toHaveLength(20));
    expect(rows()[10]).toHaveFocus();
    expect(currentAddress()).toBe('/app/support?pages=2');
    await person.click(screen.getByRole('button', { name: 'Load more' }));
    await waitFor(() => expect(rows()).toHaveLength(23));
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
  });

  it('ask visitors to sign in and then open', async () => {
    serveMyReports([ownReport()]);
    const user = ownUser();
    const steps = { requiresVerification: false, requiresProfileCompletion: false, onboardingComplete: true };
    serve(login, () => ({ data: { token: 'token-2', refreshToken: 'refresh-2', user, ...steps } }));
    const { person } = renderApp('/app/support?pages=2');
    await person.type(await screen.findByLabelText(/^Email/), 'ada@heartwood.test');
    expect(currentAddress()).toBe('/app/sign-in');
    await person.type(screen.getByLabelText(/^Password/), 'heartwood-member-demo{Enter}');
    await waitFor(() => expect(currentAddress()).toBe('/app/support?pages=2'));
    expect(await screen.findByRole('heading', { level: 1, name: 'Support' })).toHaveFocus();
  });
});

describe('the badge for unread answers in the header', () => {
  it('shows the number of unread answers, including to screen readers, and links to Support', async () => {
    serveMyReports([ownReport({ isUnread: true }), ownReport({ _id: 'another', isUnread: true })]);
    renderApp('/home', ownUser());
    const header = within(await screen.findByRole('banner'));
    const link = await header.findByRole('link', { name: /^Support\s*2 unread answers$/ });
    expect(link).toHaveAttribute('href', '/app/support');
    expect(received(listMyReports)[0]?.query).toEqual({ limit: 1 });
  });

  it('is hidden when all answers are read', async () => {
    serveMyReports([ownReport()]);
    renderApp('/home', ownUser());
    await waitFor(() => expect(received(listMyReports)).not.toHaveLength(0));
    expect(screen.getByRole('link', { name: 'Support' })).toBeVisible();
  });

  it('is hidden from staff and visitors', async () => {
    serveMyReports([ownReport({ isUnread: true })]);
    const { unmount } = renderApp('/home', administrator());
    await screen.findByRole('heading', { level: 1 });
    expect(screen.queryByRole('link', { name: /^Support/ })).toBeNull();
    unmount();
    renderApp('/faqs', administrator());
    await screen.findByRole('heading', { level: 1 });
    expect(screen.queryByRole('link', { name: /^Support/ })).toBeNull();
    expect(received(listMyReports)).toHaveLength(0);
  });
});

const statement = memberStatement();

describe("decisions about the member's account", () => {
  beforeEach(() => serve(listMyReports, () => ({ data: { reports: [], pagination: paginate(1, 10, 0), unread: 0 } })));

  it('show the rule, the facts and the consequences, and let the member acknowledge a warning', async () => {
    serve(listStatements, () => ({ data: { notices: [statement] } }));
    serve(acknowledgeWarning, () => ({
      data: {
        notices: [
          { ...statement, measures: statement.measures.map((one) => ({ ...one, needsAcknowledgement: false })) },
        ],
      },
    }));
    const { person } = renderApp('/app/support', ownUser());
    expect(await screen.findByText(statement.facts)).toBeVisible();
    expect(screen.getByText('No harassment.')).toBeVisible();
    expect(screen.getByText(/Your profile is hidden from other members. Until Oct 25, 2099/)).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'I have read this warning' }));
    await waitFor(() =>
      expect(received(acknowledgeWarning).map(({ params }) => params)).toEqual([{ id: 'decision-1' }]),
    );
    await waitFor(() => expect(screen.queryByRole('button', { name: 'I have read this warning' })).toBeNull());
  });

  it('show rules in the language of the member, and those that staff changed in English with a mark', async () => {
    const shipped = { clause: '5', version: 1, title: 'No scams', text: 'No requests for money.' };
    serve(listStatements, () => ({
      data: { notices: [statement, memberStatement({ _id: 'decision-2', rule: shipped })] },
    }));
    renderApp('/app/support', ownUser());
    await screen.findByText('No harassment.');
    await loadTexts('common');
    await act(() => speak('de'));
    expect(screen.getByText('No harassment.')).toHaveAttribute('lang', 'en');
    expect(screen.getAllByText('Englisch')).toHaveLength(1);
    expect(await screen.findByText(/^Keine Bitten um Geld/)).toBeVisible();
  });

  it('show which picture and which answer were removed', async () => {
    const measure = { kind: 'remove_content' as const, endsAt: null, isLive: true, isRevoked: false };
    const thumbnailUrl = '/media/abc.thumbnail?removed=1';
    const measures = [
      { type: 'picture' as const, key: 'one', text: null, picture: { place: 2, count: 3, thumbnailUrl } },
      { type: 'prompt' as const, key: 'small-joy', text: 'Tea' },
    ].map((content) => ({ ...measure, _id: content.key, needsAcknowledgement: false, content }));
    serve(listStatements, () => ({ data: { notices: [memberStatement({ measures })] } }));
    renderApp('/app/support', ownUser());
    expect(await screen.findByText(/It was picture 2 of 3\./)).toBeVisible();
    expect(screen.getByRole('img', { name: /^The removed picture/ })).toHaveAttribute('src', thumbnailUrl);
    expect(screen.getByText((text) => text.includes('“A small thing that makes my day”'))).toBeVisible();
    expect(screen.getByText('Tea')).toBeVisible();
  });

  it('can be appealed with one tap and a short form', async () => {
    serve(listStatements, () => ({ data: { notices: [statement] } }));
    serve(submitAppeal, () => ({ data: { right: statement.appeal } }));
    const { person } = renderApp('/app/support', ownUser());
    await person.click(await screen.findByRole('button', { name: 'Appeal this decision' }));
    await person.type(screen.getByRole('textbox', { name: /Why do you disagree/ }), 'It was a song.');
    await person.click(screen.getByRole('button', { name: 'Send appeal' }));
    const sent = [{ decisionId: 'decision-1', text: 'It was a song.' }];
    await waitFor(() => expect(received(submitAppeal).map(({ body }) => body)).toEqual(sent));
    await waitFor(() => expect(received(listStatements).length).toBeGreaterThan(1));
  });
});
