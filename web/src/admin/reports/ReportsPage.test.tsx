import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { getReportStatistics, listReports } from '#contract/moderation/staff-reports.ts';
import { CutOff, received, Refusal, serve } from '../../../test/fake-server.ts';
import { administrator } from '../../../test/fixtures/people.ts';
import { renderApp } from '../../../test/render-app.tsx';
import {
  barestReport,
  reportStatistics,
  serveReports,
  staffReport,
} from '../../../test/fixtures/staff/staff-reports.ts';
import {
  cellsOf,
  idEndingIn,
  openReports,
  reportRows,
  rowOf,
  threeReports,
} from '../../../test/fixtures/staff/reports-page.tsx';
import { beNarrow } from '../../../test/fixtures/staff/users.ts';

const empty = 'No reports found matching your criteria.';
const everyTenSeconds = 10_000;

describe('the reports screen', () => {
  it('announces loading as a status', async () => {
    serveReports(() => threeReports);
    serve(listReports, () => new Promise(() => undefined));
    renderApp('/reports', administrator());
    expect(await screen.findByRole('heading', { level: 1, name: 'Reports Management' })).toBeVisible();
    const loading = await screen.findByText('Loading reports data...');
    expect(loading.closest('[role=status]')).not.toBeNull();
  });

  it('shows an error next to usable cards, and retries', async () => {
    serveReports(() => threeReports);
    serve(listReports, () => {
      throw new Refusal('FORBIDDEN', 'Not for you');
    });
    const { person } = renderApp('/reports', administrator());
    expect(await screen.findByRole('alert')).toHaveTextContent('Error loading reports: Not for you');
    expect(await screen.findByText('Average Response Time')).toBeVisible();
    serveReports(() => threeReports);
    await person.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Showing 1–3 of 3 reports')).toHaveAttribute('role', 'status');
  });

  it('keeps the list when only the cards fail', async () => {
    serveReports(() => threeReports);
    serve(getReportStatistics, () => {
      throw new Refusal('FORBIDDEN', 'No figures');
    });
    await openReports();
    expect(await screen.findByText('Error loading figures: No figures')).toBeVisible();
    expect(reportRows()).toHaveLength(3);
  });

  it('explains what will appear when there are no reports', async () => {
    serveReports(() => []);
    await openReports();
    expect(screen.getByText(empty)).toBeVisible();
    expect(screen.getByText('New reports from members appear here.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Clear filters' })).toBeNull();
  });

  it('shows the four cards', async () => {
    serveReports(() => threeReports);
    await openReports();
    await screen.findByText('Total Reports');
    expect(screen.getAllByRole('term').map((term) => term.parentElement?.textContent)).toEqual([
      'Total Reports1,240900 resolved',
      'Pending3112 in progress',
      'High Priority20412 open',
      'Average Response Time3h 12mLast 30 days · median 1h 30m · 90% within 1d 3h',
    ]);
  });

  it('shows N/A while nothing has been answered', async () => {
    serveReports(() => threeReports);
    serve(getReportStatistics, () => {
      const { avgResponseTime: _none, ...figures } = reportStatistics();
      return { data: { ...figures, avgResponseMs: null, medianResponseMs: null, p90ResponseMs: null, byPriority: {} } };
    });
    await openReports();
    expect(await screen.findByText('N/A')).toBeVisible();
    expect(screen.getByText('Nothing answered in the last 30 days')).toBeVisible();
    expect(document.body.textContent).not.toMatch(/undefined|NaN|Invalid Date|null/);
  });

  it('has the columns, and a row for each report', async () => {
    serveReports(() => threeReports);
    await openReports();
    expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
      'ID',
      'Description',
      'User',
      'Type',
      'Priority',
      'Status',
      'Date',
      'Replies',
      'Actions',
    ]);
    expect(cellsOf('aaaaa1').slice(0, 8)).toEqual([
      'aaaaa1',
      'He keeps writing to me after I asked him to stop.',
      'Ada Byronada@heartwood.test',
      'Harassment',
      'High',
      'Pending',
      'Oct 18, 2025',
      '0',
    ]);
    expect(cellsOf('bbbbb2')[1]).toBe('I was charged twice.OverdueNew answer');
    expect(cellsOf('bbbbb2')[5]).toBe('In Progress');
    expect(within(rowOf('aaaaa1')).getByRole('link', { name: 'aaaaa1' })).toHaveAttribute(
      'href',
      `/reports/${idEndingIn('aaaaa1')}`,
    );
  });

  it.each([
    ['pending', 'attention', 'Pending'],
    ['in_progress', 'info', 'In Progress'],
    ['resolved', 'positive', 'Resolved'],
    ['closed', 'quiet', 'Closed'],
    ['rejected', 'accent', 'Rejected'],
  ] as const)('shows %s as a badge with its own colour', async (status, tone, word) => {
    serveReports(() => [staffReport({ _id: idEndingIn('aaaaa1'), status })]);
    await openReports();
    expect(within(rowOf('aaaaa1')).getByText(word).closest('[data-tone]')).toHaveAttribute('data-tone', tone);
  });

  it('shows no gaps for reports with almost no data', async () => {
    serveReports(() => [barestReport({ _id: idEndingIn('aaaaa1') })]);
    await openReports();
    expect(cellsOf('aaaaa1')[2]).toBe('Unknown—');
    expect(document.body.textContent).not.toMatch(/undefined|NaN|Invalid Date|null/);
  });

  it('shows long descriptions, right-to-left texts and markup as plain text', async () => {
    const texts = [
      'x'.repeat(5000),
      'هذا الشخص يزعجني كل يوم',
      '<script>alert(1)</script><img src=x onerror=alert(1)>',
    ];
    serveReports(() =>
      texts.map((description, index) => staffReport({ _id: idEndingIn(`aaaaa${index}`), description })),
    );
    await openReports();
    texts.forEach((description, index) => {
      const shown = within(rowOf(`aaaaa${index}`)).getByText(description);
      expect(shown).toHaveAttribute('dir', 'auto');
      expect(shown.children).toHaveLength(0);
    });
    expect(document.querySelector('main img, main script')).toBeNull();
  });

  it('shows cards on a narrow screen', async () => {
    beNarrow();
    serveReports(() => threeReports);
    await openReports();
    expect(screen.queryByRole('table')).toBeNull();
    const cards = within(screen.getByRole('list', { name: 'Reports' })).getAllByRole('listitem');
    expect(cards).toHaveLength(3);
    expect(cards[1]).toHaveTextContent('bbbbb2HighIn ProgressI was charged twice.OverdueNew answer');
    expect(within(cards[2]!).getByRole('button', { name: 'Mark resolved: report #ccccc3' })).toBeDisabled();
  });
});

describe('the reports screen while colleagues are working', () => {
  it('highlights and announces colleagues’ changes and keeps the rows through a failure', async () => {
    vi.useFakeTimers({
      toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'Date'],
      shouldAdvanceTime: true,
    });
    const [first, , third] = threeReports;
    let second = threeReports[1]!;
    serveReports(() => [first!, second, third!]);
    await openReports();
    const news = () => screen.queryByText(/^The list of reports has changed/);
    expect(news()).toBeNull();

    second = { ...second, status: 'closed', updatedAt: '2025-10-20T12:00:00.000Z' };
    await act(() => vi.advanceTimersByTimeAsync(everyTenSeconds));
    await waitFor(() => expect(cellsOf('bbbbb2')[5]).toBe('Closed'));
    expect(news()).toHaveAttribute('role', 'status');
    expect(rowOf('bbbbb2')).toHaveAttribute('data-changed');
    expect(rowOf('aaaaa1')).not.toHaveAttribute('data-changed');

    serve(listReports, () => {
      throw new CutOff();
    });
    await act(() => vi.advanceTimersByTimeAsync(everyTenSeconds));
    expect(reportRows()).toHaveLength(3);
    vi.useRealTimers();
  });

  it('stops polling while the window is hidden', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    serveReports(() => threeReports);
    await openReports();
    const asked = received(listReports).length;
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    await act(() => vi.advanceTimersByTimeAsync(everyTenSeconds * 3));
    expect(received(listReports)).toHaveLength(asked);
    vi.useRealTimers();
  });

  it('reloads on Refresh', async () => {
    serveReports(() => threeReports);
    const { person } = await openReports();
    const asked = received(listReports).length;
    serveReports(() => threeReports.slice(0, 1));
    await person.click(screen.getByRole('button', { name: 'Refresh' }));
    expect(await screen.findByText('Showing 1–1 of 1 reports')).toBeInTheDocument();
    expect(received(listReports)).toHaveLength(asked + 1);
  });
});
