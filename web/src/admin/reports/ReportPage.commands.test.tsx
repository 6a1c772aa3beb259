import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { getCase } from '#contract/moderation/cases.ts';
import {
  type StaffReport,
  changeReport,
  changeReportStatus,
  deleteReport,
  replyToReport,
  undoReportStatus,
} from '#contract/moderation/staff-reports.ts';
import { getReportFile } from '#contract/moderation/report-file.ts';
import { RawAnswer, received, Refusal, serve } from '../../../test/fake-server.ts';
import { administrator } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';
import { caseFile, serveCases } from '../../../test/fixtures/staff/cases.ts';
import { idEndingIn, openReports, rowOf } from '../../../test/fixtures/staff/reports-page.tsx';
import { reportFile, reportReply, serveReports, staffReport } from '../../../test/fixtures/staff/staff-reports.ts';

const id = idEndingIn('a1b2c3');
let known: StaffReport;

const step = (name: string) => within(screen.getByRole('group', { name: 'Status' })).getByRole('button', { name });
const current = () => within(screen.getByRole('group', { name: 'Status' })).getByRole('button', { current: 'step' });

beforeEach(() => {
  known = staffReport({ _id: id });
  serveReports(() => [known]);
  serve(getReportFile, () => ({ data: reportFile({ report: known }) }));
  serve(changeReportStatus, ({ body }) => {
    known = staffReport({ _id: id, status: body.status });
    return { data: { report: known } };
  });
  serve(undoReportStatus, () => {
    known = staffReport({ _id: id });
    return { data: { report: known } };
  });
});

async function openReport() {
  const app = renderApp(`/reports/${id}`, administrator());
  await screen.findByRole('heading', { name: 'Handling' });
  return app;
}

describe('the actions on the page of one report', () => {
  it('show a status change at once, reload the page and can undo it', async () => {
    const { person } = await openReport();
    await person.click(step('Rejected'));
    await waitFor(() => expect(current()).toHaveTextContent('Rejected'));
    expect(screen.getByText('Report #a1b2c3 is now: Rejected.')).toBeVisible();
    await waitFor(() => expect(received(getReportFile)).toHaveLength(2));
    await person.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(received(undoReportStatus)).toHaveLength(1));
    await waitFor(() => expect(current()).toHaveTextContent('Pending'));
  });

  it('show an alert when a status change is no longer allowed', async () => {
    serve(changeReportStatus, () => {
      known = staffReport({ _id: id, status: 'closed' });
      throw new Refusal('ILLEGAL_STEP', 'Not possible', { data: { report: known } });
    });
    const { person } = await openReport();
    await person.click(step('Resolved'));
    expect((await screen.findByRole('alert')).textContent).toBe('Failed to update status. Please try again.');
    expect(screen.getByText('Report #a1b2c3 is now Closed.')).toBeVisible();
    await waitFor(() => expect(current()).toHaveTextContent('Closed'));
    expect(step('Resolved')).toBeDisabled();
  });

  it.each([
    ['notice', ['Resolved', 'Rejected'], ['Closed']],
    ['automatic', ['Resolved', 'Rejected', 'Closed'], []],
  ] as const)('leave outcomes to the case that has to decide a report (%s)', async (source, refused, possible) => {
    known = staffReport({
      _id: id,
      source,
      case: { _id: 'case', handledBy: null, needsDecision: 'Decide with reasons.' },
    });
    await openReport();
    for (const name of refused) expect(step(name)).toBeDisabled();
    for (const name of possible) expect(step(name)).toBeEnabled();
    expect(screen.getByText('Case about Bo Ek')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Open the case' })).toBeVisible();
  });

  it('can send a reply, which appears in the conversation', async () => {
    serve(replyToReport, ({ body }) => {
      known = { ...known, replies: [reportReply({ message: body.message })], replyCount: 1 };
      return { data: { report: known } };
    });
    const { person } = await openReport();
    await person.click(screen.getByRole('button', { name: 'Reply' }));
    const dialog = await screen.findByRole('dialog', { name: 'Reply to report #a1b2c3' });
    await person.type(within(dialog).getByRole('textbox', { name: /^Reply/ }), 'We are on it.');
    await person.click(within(dialog).getByRole('button', { name: 'Send' }));
    const said = await screen.findByRole('list', { name: 'Replies' });
    expect(said).toHaveTextContent('We are on it.');
  });

  it('can change the priority with a required reason', async () => {
    serve(changeReport, ({ body }) => {
      known = { ...known, priority: body.priority };
      return { data: { report: known } };
    });
    const { person } = await openReport();
    await person.click(screen.getByRole('button', { name: 'Change priority' }));
    const dialog = await screen.findByRole('dialog', { name: 'Change the priority of report #a1b2c3' });
    const send = within(dialog).getByRole('button', { name: 'Save' });
    expect(send).toBeDisabled();
    await person.selectOptions(within(dialog).getByRole('combobox', { name: 'Priority' }), 'critical');
    await person.click(send);
    const reason = within(dialog).getByRole('textbox', { name: /^Reason/ });
    expect(reason).toHaveAccessibleDescription(/Please give a reason/);
    expect(reason).toHaveFocus();
    await person.type(reason, ' Threats of violence ');
    await person.click(send);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(received(changeReport).map(({ params, body }) => [params.id, body])).toEqual([
      [id, { priority: 'critical', reason: 'Threats of violence' }],
    ]);
    expect(screen.getByText('Critical')).toBeVisible();
  });

  it('show a failed priority change and keep the reason', async () => {
    serve(changeReport, () => {
      throw new RawAnswer(500, '');
    });
    const { person } = await openReport();
    await person.click(screen.getByRole('button', { name: 'Change priority' }));
    await person.selectOptions(screen.getByRole('combobox', { name: 'Priority' }), 'other');
    await person.type(screen.getByRole('textbox', { name: /^Reason/ }), 'A joke{Control>}{Enter}{/Control}');
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Failed to change the priority: Server error: Please try again later.',
    );
    expect(screen.getByRole('textbox', { name: /^Reason/ })).toHaveValue('A joke');
  });

  it('ask before deleting and then open the list with a confirmation', async () => {
    serve(deleteReport, () => ({ data: { deleted: true } }));
    const { person } = await openReport();
    await person.click(screen.getByRole('button', { name: 'Delete report' }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete report #a1b2c3?' });
    expect(received(deleteReport)).toEqual([]);
    await person.click(within(dialog).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(currentAddress()).toBe('/reports'));
    expect(received(deleteReport).map(({ params }) => params)).toEqual([{ id }]);
    expect(await screen.findByText('Report #a1b2c3 deleted.')).toHaveAttribute('role', 'status');
  });

  it('show a failed deletion in the dialog', async () => {
    serve(deleteReport, () => {
      throw new Refusal('FORBIDDEN', 'Not for you');
    });
    const { person } = await openReport();
    await person.click(screen.getByRole('button', { name: 'Delete report' }));
    await person.click(screen.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to delete the report: Not for you');
  });

  it('have the keys r to reply, e to resolve, u to undo and ? for help', async () => {
    const { person } = await openReport();
    await person.keyboard('r');
    expect(await screen.findByRole('dialog', { name: 'Reply to report #a1b2c3' })).toBeVisible();
    await person.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await person.keyboard('e');
    await waitFor(() => expect(received(changeReportStatus)[0]?.body).toEqual({ status: 'resolved' }));
    await person.keyboard('u');
    await waitFor(() => expect(received(undoReportStatus)).toHaveLength(1));
    await person.keyboard('?');
    expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  });

  it('are reached from a row and lead back to the list with its filters', async () => {
    const { person } = await openReports('/reports?status=pending&sortBy=dueAt');
    await person.click(within(rowOf('a1b2c3')).getByRole('link'));
    expect(await screen.findByRole('heading', { level: 1, name: 'Report #a1b2c3' })).toHaveFocus();
    const back = screen.getByRole('link', { name: 'All reports' });
    expect(back).toHaveAttribute('href', '/reports?status=pending&sortBy=dueAt');
    await person.click(back);
    expect(await screen.findByText('Showing 1–1 of 1 reports')).toBeInTheDocument();
    expect(currentAddress()).toBe('/reports?status=pending&sortBy=dueAt');
  });

  it('lead to the case and back, step by step, to the list with its filters', async () => {
    known = staffReport({ _id: id, case: { _id: 'case-of-bo', handledBy: 'Olga', needsDecision: null } });
    serveCases({ open: [] });
    serve(getCase, () => ({ data: caseFile({ reports: [known] }) }));
    const { person } = await openReports('/reports?status=pending');
    const follow = async (name: string) => await person.click(await screen.findByRole('link', { name }));

    await follow('a1b2c3');
    await follow('Open the case');
    await follow('a1b2c3');
    expect(await screen.findByRole('heading', { level: 1, name: 'Report #a1b2c3' })).toBeVisible();
    await follow('Back to the case');
    expect(await screen.findByRole('heading', { level: 1, name: 'Case about Bo Ek' })).toBeVisible();
    await follow('Back to the report');
    await follow('All reports');
    expect(currentAddress()).toBe('/reports?status=pending');

    await person.click(within(rowOf('a1b2c3')).getByRole('button', { name: 'Open the case of report #a1b2c3' }));
    await follow('All reports');
    expect(currentAddress()).toBe('/reports?status=pending');
  });
});
