import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { changeReportStatus, undoReportStatus } from '#contract/moderation/staff-reports.ts';
import { getReportFile } from '#contract/moderation/report-file.ts';
import { received, serve } from '../../../test/fake-server.ts';
import { administrator } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';
import { reportFile, serveReports } from '../../../test/fixtures/staff/staff-reports.ts';
import {
  idEndingIn,
  openReports,
  reportRows,
  rowOf,
  threeReports,
} from '../../../test/fixtures/staff/reports-page.tsx';

const [first] = threeReports;
const currentRows = () => reportRows().filter((row) => row.getAttribute('aria-current') === 'true');
const linkIn = (shortId: string) => within(rowOf(shortId)).getByRole('link');

beforeEach(() => {
  serveReports(() => threeReports);
  serve(changeReportStatus, () => ({ data: { report: { ...first!, status: 'resolved' as const } } }));
  serve(undoReportStatus, () => ({ data: { report: first! } }));
});

describe('single keys on the reports screen', () => {
  it('move the current row and the focus, and stop at both ends', async () => {
    const { person } = await openReports();
    expect(currentRows()).toEqual([]);
    await person.keyboard('j');
    expect(currentRows()).toEqual([rowOf('aaaaa1')]);
    expect(linkIn('aaaaa1')).toHaveFocus();
    await person.keyboard('jjj');
    expect(currentRows()).toEqual([rowOf('ccccc3')]);
    await person.keyboard('k');
    expect(linkIn('bbbbb2')).toHaveFocus();
    await person.keyboard('kkk');
    expect(linkIn('aaaaa1')).toHaveFocus();
  });

  it('open the current row, to which Back returns', async () => {
    serve(getReportFile, () => ({ data: reportFile({ report: threeReports[1]! }) }));
    const { person } = await openReports('/reports?sortBy=priority');
    await person.keyboard('jj{Enter}');
    await waitFor(() => expect(currentAddress()).toBe(`/reports/${idEndingIn('bbbbb2')}`));
    await person.click(await screen.findByRole('link', { name: 'All reports' }));
    await waitFor(() => expect(currentAddress()).toBe('/reports?sortBy=priority'));
    await waitFor(() => expect(currentRows()).toEqual([rowOf('bbbbb2')]));
  });

  it('reply to the current row and return to it', async () => {
    const { person } = await openReports();
    await person.keyboard('jr');
    const dialog = await screen.findByRole('dialog', { name: 'Reply to report #aaaaa1' });
    expect(within(dialog).getByRole('textbox', { name: /^Reply/ })).toHaveValue('');
    await person.keyboard('jerk/?');
    expect(within(dialog).getByRole('textbox', { name: /^Reply/ })).toHaveValue('jerk/?');
    expect(received(changeReportStatus)).toEqual([]);
    await person.keyboard('{Escape}');
    await waitFor(() => expect(linkIn('aaaaa1')).toHaveFocus());
  });

  it('resolve the current row and undo it, unless the step is not allowed', async () => {
    const { person } = await openReports();
    await person.keyboard('je');
    await waitFor(() => expect(received(changeReportStatus)).toHaveLength(1));
    await screen.findByText('Report #aaaaa1 resolved.');
    await person.keyboard('u');
    await waitFor(() => expect(received(undoReportStatus)).toHaveLength(1));
    await person.keyboard('jje');
    expect(currentRows()).toEqual([rowOf('ccccc3')]);
    expect(received(changeReportStatus)).toHaveLength(1);
  });

  it('focus the search field, where they type letters', async () => {
    const { person } = await openReports();
    await person.keyboard('/');
    const field = screen.getByRole('textbox', { name: 'Search' });
    expect(field).toHaveFocus();
    expect(field).toHaveValue('');
    await person.keyboard('jr?');
    expect(field).toHaveValue('jr?');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(currentRows()).toEqual([]);
  });

  it('leave combinations with Ctrl, Alt and Cmd to the browser', async () => {
    const { person } = await openReports();
    await person.keyboard('{Control>}j{/Control}{Alt>}j{/Alt}{Meta>}j{/Meta}');
    expect(currentRows()).toEqual([]);
  });

  it('are listed in a dialog where they can be switched off', async () => {
    const { person } = await openReports();
    await person.keyboard('?');
    const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
    expect(
      within(dialog)
        .getAllByRole('term')
        .map((term) => term.textContent),
    ).toEqual(['j', 'k', 'Enter', '/', 'r', 'e', 'u', '?', 'Ctrl Enter']);
    await person.click(within(dialog).getByRole('checkbox', { name: 'Single-key shortcuts' }));
    await person.keyboard('{Escape}');
    await person.keyboard('j?');
    expect(currentRows()).toEqual([]);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(localStorage.getItem('single-keys')).toBe('off');
    await person.click(screen.getByRole('button', { name: 'Keyboard shortcuts' }));
    await person.click(screen.getByRole('checkbox', { name: 'Single-key shortcuts' }));
    await person.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await person.keyboard('j');
    expect(currentRows()).toHaveLength(1);
  });

  it('can also be switched off on the settings page', async () => {
    const { person } = renderApp('/settings', administrator());
    const box = await screen.findByRole('checkbox', { name: 'Single-key shortcuts' });
    expect(box).toBeChecked();
    await person.click(box);
    expect(box).not.toBeChecked();
    expect(localStorage.getItem('single-keys')).toBe('off');
  });
});
