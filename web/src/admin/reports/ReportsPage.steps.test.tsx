import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { reportStatuses } from '#contract/moderation/reports.ts';
import {
  type StaffReport,
  changeReportStatus,
  listReports,
  undoReportStatus,
} from '#contract/moderation/staff-reports.ts';
import { CutOff, RawAnswer, received, Refusal, serve } from '../../../test/fake-server.ts';
import { currentAddress } from '../../../test/render-app.tsx';
import { serveReports, staffReport } from '../../../test/fixtures/staff/staff-reports.ts';
import { cellsOf, idEndingIn, openReports, reportRows, rowOf } from '../../../test/fixtures/staff/reports-page.tsx';

const failed = 'Failed to update status. Please try again.';
const id = idEndingIn('aaaaa1');
const asStatus = (status: StaffReport['status']) =>
  staffReport({ _id: id, status, updatedAt: new Date().toISOString() });
const resolveButton = (shortId = 'aaaaa1') =>
  within(rowOf(shortId)).getByRole('button', { name: `Mark resolved: report #${shortId}` });
const statusOf = () => cellsOf('aaaaa1')[5];

let known: StaffReport;

beforeEach(() => {
  known = staffReport({ _id: id });
  serveReports(() => [known, staffReport({ _id: idEndingIn('bbbbb2') })]);
  serve(changeReportStatus, ({ body }) => {
    known = asStatus(body.status);
    return { data: { report: known } };
  });
  serve(undoReportStatus, () => {
    known = asStatus('pending');
    return { data: { report: known } };
  });
});

describe('Mark resolved', () => {
  it.each(reportStatuses)('is only offered if the step is allowed: %s', async (status) => {
    known = asStatus(status);
    await openReports();
    const isLegal = status === 'pending' || status === 'in_progress';
    expect(resolveButton().matches(':disabled')).toBe(!isLegal);
  });

  it('changes the row at once, sends one update and reloads the list', async () => {
    let answer = () => {};
    serve(changeReportStatus, () => {
      return new Promise((resolve) => {
        answer = () => {
          known = asStatus('resolved');
          resolve({ data: { report: known } });
        };
      });
    });
    const { person } = await openReports();
    const asked = received(listReports).length;
    await person.dblClick(resolveButton());
    await waitFor(() => expect(statusOf()).toBe('Resolved'));
    expect(resolveButton()).toBeDisabled();
    expect(received(listReports)).toHaveLength(asked);
    await waitFor(() => expect(received(changeReportStatus)).toHaveLength(1));
    answer();
    await waitFor(() => expect(received(listReports)).toHaveLength(asked + 1));
    expect(received(changeReportStatus).map(({ params, body }) => [params.id, body])).toEqual([
      [id, { status: 'resolved' }],
    ]);
    expect(statusOf()).toBe('Resolved');
    expect(screen.queryByText(/^The list of reports has changed/)).toBeNull();
  });

  it('ignores the second click of a double click', async () => {
    const { person } = await openReports('/reports?status=pending');
    await person.pointer([{ target: resolveButton() }, { keys: '[MouseLeft]' }]);
    await waitFor(() => expect(reportRows()).toHaveLength(1));
    fireEvent.click(resolveButton('bbbbb2'), { detail: 2 });
    await waitFor(() => expect(received(changeReportStatus).map(({ params }) => params.id)).toEqual([id]));
  });

  it.each([
    ['a broken server', () => new RawAnswer(500, '')],
    ['no answer', () => new CutOff()],
    ['a refusal', () => new Refusal('FORBIDDEN', 'Not for you')],
  ])('undoes the change after %s, with an alert', async (_case, failure) => {
    serve(changeReportStatus, () => {
      throw failure();
    });
    const { person } = await openReports();
    await person.click(resolveButton());
    expect((await screen.findByRole('alert')).textContent).toBe(failed);
    expect(statusOf()).toBe('Pending');
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
    expect(received(changeReportStatus)).toHaveLength(1);
  });

  it('shows the current report when a colleague was faster', async () => {
    serve(changeReportStatus, () => {
      known = asStatus('closed');
      throw new Refusal('ILLEGAL_STEP', 'Not possible', { data: { report: known } });
    });
    const { person } = await openReports();
    await person.click(resolveButton());
    expect((await screen.findByRole('alert')).textContent).toBe(failed);
    expect(screen.getByText('Report #aaaaa1 is now Closed.')).toBeVisible();
    expect(statusOf()).toBe('Closed');
    await person.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('moves to the next row when the resolved one leaves the list', async () => {
    const { person } = await openReports('/reports?status=pending');
    await person.keyboard('je');
    await waitFor(() => expect(reportRows()).toHaveLength(1));
    await waitFor(() => expect(rowOf('bbbbb2')).toHaveAttribute('aria-current', 'true'));
    expect(within(rowOf('bbbbb2')).getByRole('link')).toHaveFocus();
  });
});

describe('a report that its case decides', () => {
  const needsDecision = "The person may be under 18, so it can't be closed with one click.";

  it.each([
    ['the outcome needs reasons', { handledBy: null, needsDecision }, needsDecision],
    ['a colleague has the case', { handledBy: 'Olga', needsDecision: null }, 'Olga is handling this case right now.'],
  ])('opens the case instead of a failing step if %s', async (_case, state, reason) => {
    known = staffReport({ _id: id, case: { _id: 'case-of-bo', ...state } });
    const { person } = await openReports();
    const open = within(rowOf('aaaaa1')).getByRole('button', { name: 'Open the case of report #aaaaa1' });
    expect(open).toHaveAttribute('title', reason);
    await person.click(open);
    expect(currentAddress()).toBe('/cases/case-of-bo');
    expect(received(changeReportStatus)).toHaveLength(0);
  });

  it('opens the case by its key', async () => {
    known = staffReport({ _id: id, case: { _id: 'case-of-bo', handledBy: null, needsDecision } });
    const { person } = await openReports();
    await person.keyboard('je');
    expect(currentAddress()).toBe('/cases/case-of-bo');
  });
});

describe('Undo', () => {
  it('undoes the change at once', async () => {
    const { person } = await openReports();
    await person.click(resolveButton());
    expect(screen.getByText('Report #aaaaa1 resolved.')).toHaveAttribute('role', 'status');
    await waitFor(() => expect(received(changeReportStatus)).toHaveLength(1));
    await person.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(statusOf()).toBe('Pending'));
    await waitFor(() => expect(received(undoReportStatus).map(({ params }) => params.id)).toEqual([id]));
    await waitFor(() => expect(resolveButton()).toBeEnabled());
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  it('waits until the server confirms the change', async () => {
    let answer = () => {};
    serve(changeReportStatus, () => {
      return new Promise((resolve) => (answer = () => resolve({ data: { report: asStatus('resolved') } })));
    });
    const { person } = await openReports();
    await person.click(resolveButton());
    await person.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(statusOf()).toBe('Pending'));
    await waitFor(() => expect(received(changeReportStatus)).toHaveLength(1));
    expect(received(undoReportStatus)).toHaveLength(0);
    answer();
    await waitFor(() => expect(received(undoReportStatus)).toHaveLength(1));
  });

  it('receives the focus after a change by keyboard and returns it', async () => {
    const { person } = await openReports();
    act(() => resolveButton().focus());
    await person.keyboard('{Enter}');
    expect(await screen.findByRole('button', { name: 'Undo' })).toHaveFocus();
    await person.keyboard('{Enter}');
    await waitFor(() => expect(statusOf()).toBe('Pending'));
    await waitFor(() => expect(within(rowOf('aaaaa1')).getByRole('link')).toHaveFocus());
  });

  it('shows when it is too late, and the current status', async () => {
    serve(undoReportStatus, () => {
      throw new Refusal('ILLEGAL_STEP', 'Too late', { data: { report: known } });
    });
    const { person } = await openReports();
    await person.click(resolveButton());
    await person.click(screen.getByRole('button', { name: 'Undo' }));
    expect((await screen.findByRole('alert')).textContent).toBe(failed);
    expect(screen.getByText('Report #aaaaa1 is now Resolved.')).toBeVisible();
    expect(statusOf()).toBe('Resolved');
  });

  it('is offered for five seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const { person } = await openReports();
    await person.click(resolveButton());
    await act(() => vi.advanceTimersByTimeAsync(4000));
    expect(screen.getByRole('button', { name: 'Undo' })).toBeVisible();
    await act(() => vi.advanceTimersByTimeAsync(1100));
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
    vi.useRealTimers();
  });
});
