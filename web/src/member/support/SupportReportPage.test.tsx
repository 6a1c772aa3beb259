import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { getReportAppeal } from '#contract/moderation/appeals.ts';
import { type OwnReport, markReportRead } from '#contract/moderation/reports.ts';
import { getReport, getReportConversation, replyToReport } from '#contract/moderation/staff-reports.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { memberStatement } from '../../../test/fixtures/statements.ts';
import { reportNews } from '../../../test/fixtures/notifications.ts';
import { ownReport, said, serveMyReports, serveReport } from '../../../test/fixtures/own-reports.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';
import { queryClient } from '../../api/query-client.ts';
import { applyEvent } from '../../api/realtime/realtime-cache.ts';
import { unreadQuery } from '../../features/moderation/own-reports/unread.tsx';

const report = ownReport();
const address = `/app/support/${report._id}`;
const draftKey = `draft:answer:${report._id}`;
const entries = () => within(screen.getByRole('log', { name: 'Conversation' })).getAllByRole('listitem');
const box = () => screen.getByRole('textbox', { name: 'Your answer' });
const send = () => screen.getByRole('button', { name: 'Send' });

async function open(of: OwnReport = report, answers = [said('We are looking into it.')]) {
  serveReport(of, answers);
  const app = renderApp(address, ownUser());
  await screen.findByRole('log', { name: 'Conversation' });
  return app;
}

function serveAnswer() {
  serve(replyToReport, ({ body }) => {
    const own = said(body.message, { _id: 'mine', repliedBy: { name: 'Ada Byron' } });
    return { data: { report: { ...report, replies: [said('We are looking into it.'), own], replyCount: 2 } } };
  });
}

describe("the page of one of the member's reports", () => {
  it('shows the member’s description first, followed by answers from the support team', async () => {
    await open();
    expect(screen.getByRole('heading', { level: 1, name: 'Report #3f9a2c' })).toBeVisible();
    expect(entries()[0]).toHaveTextContent(/^You.*He writes to me again and again\.$/);
    expect(entries()[1]).toHaveTextContent(/^Support team.*We are looking into it\.$/);
    expect(document.title).toBe('Report #3f9a2c · Heartwood');
    expect(screen.getByRole('link', { name: 'All your reports' })).toHaveAttribute('href', '/app/support');
  });

  it('shows no status for a conversation that the team began until the member answers', async () => {
    const text = 'Is your card still valid?';
    const begun = ownReport({ isFromTeam: true, reportedUser: null, problem_type: 'Account Issue', description: text });
    serveReport(begun, []);
    serve(getReportConversation, () => ({ data: { conversation: [said(text)] } }));
    renderApp(address, ownUser());
    expect(await screen.findByText('We wrote to you. You can answer below.')).toBeVisible();
    expect(screen.getByRole('heading', { level: 1, name: 'Conversation #3f9a2c' })).toBeVisible();
    expect(screen.getByText('Message from our support team')).toBeVisible();
    expect(entries()[0]).toHaveTextContent(/^Support team.*Is your card still valid\?$/);
    expect(screen.queryByText('Received')).toBeNull();
  });

  it('shows when to expect an answer until there is one', async () => {
    await open(report, []);
    expect(screen.getByText("We've received it. A person will answer within 4 hours.")).toBeVisible();
    expect(screen.getByText('Received')).toBeVisible();
  });

  it.each([
    ['resolved', 'Resolved'],
    ['rejected', 'Not upheld'],
    ['closed', 'Closed'],
  ] as const)('shows the status %s as %s, and nothing about the other person', async (status, word) => {
    await open({ ...report, status });
    expect(screen.getByText(word)).toBeVisible();
    expect(screen.getByRole('main')).not.toHaveTextContent(/internal|rejected|deactivat|banned|warned|admin/i);
  });

  it('marks the report as read, which removes the badge', async () => {
    await open({ ...report, isUnread: true });
    await waitFor(() => expect(received(markReportRead)).toHaveLength(1));
    await waitFor(() => expect(screen.queryByText(/you have not read/)).toBeNull());
    expect(received(markReportRead)[0]?.params).toEqual({ id: report._id });
  });

  it('sends nothing when all answers are already read', async () => {
    await open();
    expect(received(markReportRead)).toHaveLength(0);
  });

  it('never shows an internal note, even if the server sends one', async () => {
    await open(report, [said('CANARY-NOTE', { isInternal: true, repliedBy: { name: 'Olga Ivanova' } }), said('Hello')]);
    expect(entries()).toHaveLength(2);
    expect(document.body).not.toHaveTextContent(/CANARY-NOTE|Olga/);
  });

  it('shows markup and right-to-left text as plain text', async () => {
    const description = '<script>alert(1)</script>\nשלום, הוא ממשיך לכתוב לי';
    await open({ ...report, description }, []);
    const text = within(entries()[0] ?? document.body).getByText(/alert\(1\)/);
    expect(text.textContent).toBe(description);
    expect(text).toHaveAttribute('dir', 'auto');
    expect(document.querySelector('main script')).toBeNull();
  });

  it("shows the same message for a missing report and for someone else's", async () => {
    serveMyReports([]);
    failWith(getReport, new Refusal('NOT_FOUND', 'Not found'));
    renderApp(address, ownUser());
    expect(await screen.findByText('Report not found.')).toBeVisible();
    expect(screen.queryByRole('textbox')).toBeNull();
  });

  it('reloads when a new answer arrives', async () => {
    await open();
    const answers = [said('We are looking into it.'), said('It is settled.')];
    serveReport({ ...report, isUnread: true }, answers);
    act(() => void queryClient.setQueryData(unreadQuery.queryKey, 1));
    expect(await screen.findByText('It is settled.')).toBeVisible();
  });

  it('offers an appeal as soon as the decision arrives', async () => {
    await open();
    serve(getReportAppeal, () => ({ data: { right: memberStatement().appeal } }));
    act(() => applyEvent({ kind: 'news', changes: { added: [reportNews(1)], read: [], unread: 1 } }));
    expect(await screen.findByRole('button', { name: /^Appeal/ })).toBeVisible();
  });
});

describe('replying to a report', () => {
  it('sends with the button, shows the reply and confirms it', async () => {
    serveAnswer();
    const { person } = await open();
    expect(send()).toBeDisabled();
    await person.type(box(), '  It happened again.  ');
    await person.dblClick(send());
    expect(await screen.findByText('Sent. We will answer here and by email.')).toBeVisible();
    expect(entries().at(-1)).toHaveTextContent(/^You.*It happened again\.$/);
    expect(received(replyToReport).map(({ body }) => body)).toEqual([{ message: 'It happened again.' }]);
    expect(box()).toHaveValue('');
    expect(sessionStorage.getItem(draftKey)).toBeNull();
    expect(currentAddress()).toBe(address);
  });

  it('sends on Ctrl+Enter unless blank', async () => {
    serveAnswer();
    const { person } = await open();
    await person.type(box(), '   {Control>}{Enter}{/Control}');
    expect(screen.getByRole('alert')).toHaveTextContent('Please enter a reply message');
    expect(send()).toBeDisabled();
    await person.type(box(), 'Thanks{Meta>}{Enter}{/Meta}');
    await waitFor(() => expect(received(replyToReport)).toHaveLength(1));
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
