import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { changeReportStatus, getReportStatistics, listReports } from '#contract/moderation/staff-reports.ts';
import { CutOff, RawAnswer, serve } from '../../../test/fake-server.ts';
import { openReports, reportRows, rowOf, threeReports } from '../../../test/fixtures/staff/reports-page.tsx';
import { serveReports } from '../../../test/fixtures/staff/staff-reports.ts';

const minuteMs = 60_000;
const failed = 'Error loading reports: Server error: Please try again later.';
const refresh = () => screen.getByRole('button', { name: 'Refresh' });

function breakDown() {
  serve(listReports, () => {
    throw new RawAnswer(500, '');
  });
}

describe('Refresh on the reports screen', () => {
  it('keeps the rows on a failure and offers Retry', async () => {
    serveReports(() => threeReports);
    const { person } = await openReports();
    breakDown();
    await person.click(refresh());
    expect(await screen.findByRole('alert')).toHaveTextContent(failed);
    expect(reportRows()).toHaveLength(3);
    await person.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(refresh()).not.toHaveAttribute('aria-disabled'));
    expect(screen.getByRole('alert')).toHaveTextContent(failed);
    serveReports(() => threeReports.slice(0, 2));
    await person.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(reportRows()).toHaveLength(2));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('also works with the keyboard', async () => {
    serveReports(() => threeReports);
    const { person } = await openReports();
    breakDown();
    act(() => refresh().focus());
    await person.keyboard('{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent(failed);
  });

  it('clears a failure with the next answer and shows failed polling with the age of the data', async () => {
    vi.useFakeTimers({
      toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'Date'],
      shouldAdvanceTime: true,
    });
    serveReports(() => threeReports);
    const { person } = await openReports();
    breakDown();
    await person.click(refresh());
    await screen.findByRole('alert');
    serveReports(() => threeReports);
    await act(() => vi.advanceTimersByTimeAsync(15_000));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    serve(listReports, () => {
      throw new CutOff();
    });
    await act(() => vi.advanceTimersByTimeAsync(3 * minuteMs));
    expect(await screen.findByText('Could not be updated')).toHaveAttribute('role', 'status');
    expect(screen.getByText(/^Updated [23] minutes ago$/)).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(reportRows()).toHaveLength(3);
    vi.useRealTimers();
  });

  it('shows when only the figures could not be updated', async () => {
    serveReports(() => threeReports);
    const { person } = await openReports();
    serve(getReportStatistics, () => {
      throw new RawAnswer(500, '');
    });
    await person.click(refresh());
    const figures = await screen.findByRole('region', { name: 'Key figures' });
    await waitFor(() => expect(figures.parentElement).toHaveTextContent('Could not be updated'));
    expect(within(figures).getByText('Total Reports')).toBeVisible();
  });

  it('clears the alert of a failed status change', async () => {
    serveReports(() => threeReports);
    serve(changeReportStatus, () => {
      throw new RawAnswer(500, '');
    });
    const { person } = await openReports();
    const resolve = within(rowOf('aaaaa1')).getByRole('button', { name: 'Mark resolved: report #aaaaa1' });
    await person.click(resolve);
    const word = 'Failed to update status. Please try again.';
    expect(await screen.findByText(word)).toBeVisible();
    breakDown();
    await person.click(refresh());
    await screen.findByText(failed);
    expect(screen.getByText(word)).toBeVisible();
    serveReports(() => threeReports);
    await person.click(refresh());
    await waitFor(() => expect(screen.queryByText(word)).toBeNull());
  });

  it('hides the count of new reports at zero and announces it to screen readers', async () => {
    serveReports(() => []);
    await openReports();
    expect(screen.queryByText(/0–0/)).toBeNull();
    expect(screen.getByText('No reports')).toHaveAttribute('role', 'status');
  });
});
