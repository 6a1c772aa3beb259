import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { reportStatuses } from '#contract/moderation/reports.ts';
import { mayBecome, getReportConversation } from '#contract/moderation/staff-reports.ts';
import { getReportFile } from '#contract/moderation/report-file.ts';
import { received, Refusal, serve } from '../../../test/fake-server.ts';
import { administrator, moderator } from '../../../test/fixtures/people.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { at, id, openReport, panel, report } from '../../../test/fixtures/staff/report-page.tsx';
import {
  barestReport,
  evidence,
  reportFile,
  reportHistory,
  reportReply,
  staffReport,
  timelineEntry,
} from '../../../test/fixtures/staff/staff-reports.ts';

beforeEach(() => serve(getReportFile, () => ({ data: reportFile({ report }) })));

describe('the page of one report', () => {
  it('shows loading', async () => {
    serve(getReportFile, () => new Promise(() => undefined));
    renderApp(at, administrator());
    expect((await screen.findByText('Loading report...')).closest('[role=status]')).not.toBeNull();
  });

  it('shows an error, and retries', async () => {
    serve(getReportFile, () => {
      throw new Refusal('FORBIDDEN', 'Not for you');
    });
    const { person } = renderApp(at, administrator());
    expect(await screen.findByRole('alert')).toHaveTextContent('Error loading report: Not for you');
    serve(getReportFile, () => ({ data: reportFile({ report }) }));
    await person.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('heading', { name: 'Handling' })).toBeVisible();
  });

  it('shows when the report does not exist', async () => {
    serve(getReportFile, () => {
      throw new Refusal('NOT_FOUND', 'Not found');
    });
    renderApp('/reports/nothing', administrator());
    expect(await screen.findByRole('heading', { level: 1, name: 'Report not found' })).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.getByRole('link', { name: 'See all reports' })).toHaveAttribute('href', '/reports');
  });

  it('shows the report and links to the reporter and the reported user', async () => {
    await openReport();
    expect(screen.getByRole('heading', { level: 1, name: 'Report #a1b2c3' })).toBeVisible();
    expect(received(getReportFile).map(({ params }) => params)).toEqual([{ id }]);
    const what = within(panel('Harassment'));
    expect(what.getByText(report.description)).toBeVisible();
    expect(what.getByRole('link', { name: 'Ada Byron' })).toHaveAttribute('href', '/users/ada');
    expect(what.getByRole('link', { name: 'Bo Ek' })).toHaveAttribute('href', '/users/bo');
    expect(what.getByText('First answer due')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Open in the audit trail' })).toHaveAttribute(
      'href',
      `/audit?targetId=${id}`,
    );
  });

  it('shows the language that the report seems to be in, if it is known', async () => {
    serve(getReportFile, () => ({ data: reportFile({ report: { ...report, language: 'pt' } }) }));
    await openReport();
    expect(within(panel('Harassment')).getByText('Portuguese (detected)')).toBeVisible();
  });

  it('shows long texts, right-to-left texts and markup as plain text', async () => {
    const texts = ['x'.repeat(5000), 'هذا الشخص يزعجني', '<img src=x onerror=alert(1)>'];
    const replies = texts.map((message, index) => reportReply({ _id: `reply-${index}`, message }));
    serve(getReportFile, () => ({ data: reportFile({ report: { ...report, description: texts[2]!, replies } }) }));
    await openReport();
    for (const message of texts) {
      expect(within(panel('Conversation')).getByText(message)).toHaveAttribute('dir', 'auto');
    }
    expect(within(panel('Harassment')).getByText(texts[2]!)).toHaveAttribute('dir', 'auto');
    expect(document.querySelector('main img')).toBeNull();
  });

  it('shows no gaps for a report with almost no data', async () => {
    serve(getReportFile, () => ({
      data: reportFile({
        report: barestReport({ _id: id }),
        evidence: [
          evidence({
            profile: {
              firstName: null,
              gender: null,
              genderText: null,
              age: null,
              bio: null,
              location: null,
            },
          }),
        ],
        timeline: [timelineEntry({ kind: 'status', actor: { name: '', role: 'system' } })],
        reporter: reportHistory({ person: barestReport().user, joinedAt: null }),
      }),
    }));
    await openReport();
    expect(panel('Harassment')).toHaveTextContent('AboutNo specific person');
    expect(panel('Reporter')).toHaveTextContent('UnknownAccount deleted');
    expect(screen.queryByRole('region', { name: 'Reported person' })).toBeNull();
    expect(document.body.textContent).not.toMatch(/undefined|NaN|Invalid Date|null/);
  });
});

describe('the steps on the page of one report', () => {
  const cases = reportStatuses.flatMap((from) =>
    reportStatuses.map((to) => ({ from, to, isLegal: mayBecome(from, to) })),
  );
  const words = {
    pending: 'Pending',
    in_progress: 'In Progress',
    resolved: 'Resolved',
    closed: 'Closed',
    rejected: 'Rejected',
  };

  it.each(cases)('are offered from $from to $to: $isLegal', async ({ from, to, isLegal }) => {
    serve(getReportFile, () => ({ data: reportFile({ report: staffReport({ _id: id, status: from }) }) }));
    await openReport();
    const button = within(screen.getByRole('group', { name: 'Status' })).getByRole('button', { name: words[to] });
    expect(button.matches(':disabled')).toBe(!isLegal);
    expect(button.getAttribute('aria-current')).toBe(from === to ? 'step' : null);
  });
});

describe('the conversation of a report', () => {
  it('marks internal notes, and the reporter', async () => {
    const answeredAt = '2025-10-18T11:00:00.000Z';
    serve(getReportFile, () => ({
      data: reportFile({
        report: {
          ...report,
          replies: [
            reportReply(),
            reportReply({
              _id: 'reply-2',
              message: 'He did it again',
              repliedAt: answeredAt,
              repliedBy: { name: 'Ada Byron' },
            }),
            reportReply({ _id: 'reply-3', message: 'Known for this', isInternal: true }),
          ],
        },
        timeline: [timelineEntry({ kind: 'reply', at: answeredAt })],
      }),
    }));
    await openReport();
    const [first, second, third] = within(screen.getByRole('list', { name: 'Replies' })).getAllByRole('listitem');
    expect(within(first!).queryByText('Internal note')).toBeNull();
    expect(within(first!).queryByText('Reporter')).toBeNull();
    expect(within(second!).getByText('Reporter')).toBeVisible();
    expect(within(third!).getByText('Internal note')).toBeVisible();
    expect(third).toHaveAttribute('data-side', 'internal');
  });

  it('shows when there are no replies', async () => {
    await openReport();
    expect(panel('Conversation')).toHaveTextContent('No replies yet.');
  });

  it('loads earlier replies on request', async () => {
    const replies = Array.from({ length: 50 }, (_, index) =>
      reportReply({ _id: `reply-${index}`, message: `No. ${index}` }),
    );
    const opening = reportReply({ _id: id, message: report.description });
    serve(getReportFile, () => ({ data: reportFile({ report: { ...report, replies } }) }));
    serve(getReportConversation, () => ({
      data: { conversation: [opening, reportReply({ _id: 'oldest', message: 'The oldest' }), ...replies] },
    }));
    const { person } = await openReport();
    await person.click(screen.getByRole('button', { name: 'Show earlier replies' }));
    expect(await screen.findByText('The oldest')).toBeVisible();
    expect(within(screen.getByRole('list', { name: 'Replies' })).getAllByRole('listitem')).toHaveLength(51);
    expect(screen.queryByRole('button', { name: 'Show earlier replies' })).toBeNull();
  });
});

describe('the page of one report for moderators', () => {
  it('shows everything except deletion and the audit trail', async () => {
    const own = { ...report, can: { ...report.can, delete: false } };
    serve(getReportFile, () => ({ data: reportFile({ report: own }) }));
    await openReport(moderator());
    for (const name of ['Harassment', 'Conversation', 'Evidence', 'Timeline', 'Reporter', 'Reported person']) {
      expect(panel(name)).toBeVisible();
    }
    expect(screen.getByRole('button', { name: 'Change priority' })).toBeEnabled();
    expect(screen.queryByRole('button', { name: 'Delete report' })).toBeNull();
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Open in the audit trail' })).toBeNull());
  });
});
