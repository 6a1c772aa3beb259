import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { getReportFile } from '#contract/moderation/report-file.ts';
import { serve } from '../../../test/fake-server.ts';
import { administrator } from '../../../test/fixtures/people.ts';
import { picture } from '../../../test/fixtures/pictures.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { readMessageLinks } from '../../features/moderation/user-file/message-links.ts';
import { openReport, panel, report } from '../../../test/fixtures/staff/report-page.tsx';
import {
  evidence,
  frozenMessage,
  reportFile,
  reportHistory,
  reportLine,
  timelineEntry,
} from '../../../test/fixtures/staff/staff-reports.ts';

beforeEach(() => serve(getReportFile, () => ({ data: reportFile({ report }) })));

describe('evidence, timeline and people', () => {
  it('shows the copy, when it was taken, and that it is unaltered', async () => {
    await openReport();
    const frozen = panel('Evidence');
    expect(frozen).toHaveTextContent('Profile as it was on Oct 18, 2025');
    expect(within(frozen).getByText('SHA-256 9f86d081884c…')).toHaveAttribute('title', evidence().hash);
    expect(within(frozen).getByText('Unaltered')).toBeVisible();
    expect(frozen).toHaveTextContent('Age34GenderManPlaceUmeå, SwedenPictures0BioSailing and soup.');
  });

  it("has the profile's pictures at that time, which enlarge and page with the arrow keys", async () => {
    const pictures = [picture('first'), picture('second')];
    serve(getReportFile, () => ({ data: reportFile({ report, evidence: [evidence({ pictures })] }) }));
    const { person } = await openReport();
    expect(panel('Evidence')).toHaveTextContent('Pictures2');
    const list = within(screen.getByRole('list', { name: 'Pictures of the profile' }));
    const cover = screen.getByRole('list', { name: 'Pictures of the profile' }).closest('[inert]');
    expect(cover).not.toBeNull();
    await person.keyboard('v');
    expect(cover).not.toHaveAttribute('inert');
    expect(panel('Evidence')).toHaveTextContent('2 pictures and messages shown today.');
    await person.click(screen.getByRole('button', { name: 'Hide' }));
    expect(cover).toHaveAttribute('inert');
    await person.click(screen.getByRole('button', { name: 'Show 2 pictures' }));
    await person.click(list.getByRole('button', { name: 'Enlarge picture 1' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Pictures of the profile' }));
    expect(dialog.getByRole('img', { name: 'Picture 1 of 2' })).toHaveAttribute('src', pictures[0]!.url);
    await person.keyboard('{ArrowRight}{ArrowRight}');
    expect(dialog.getByRole('img', { name: 'Picture 2 of 2' })).toHaveAttribute('src', pictures[1]!.url);
    expect(dialog.getByRole('button', { name: 'Next' })).toHaveAttribute('aria-disabled', 'true');
    await person.click(dialog.getByRole('button', { name: 'Previous' }));
    expect(dialog.getByRole('img', { name: 'Picture 1 of 2' })).toBeVisible();
    await person.keyboard('{Escape}');
    await waitFor(() => expect(list.getByRole('button', { name: 'Enlarge picture 1' })).toHaveFocus());
  });

  it('shows a reported picture alone', async () => {
    const alone = evidence({ type: 'picture', profile: null, pictures: [picture('alone')] });
    serve(getReportFile, () => ({ data: reportFile({ report, evidence: [alone] }) }));
    await openReport();
    expect(screen.getByRole('heading', { name: 'Reported picture' })).toBeVisible();
    expect(panel('Evidence')).toHaveTextContent('Picture as it was on Oct 18, 2025');
    expect(panel('Evidence')).not.toHaveTextContent(/Bio|Age|Gender/);
    expect(within(panel('Evidence')).getByRole('button', { name: 'Enlarge picture 1' })).toBeVisible();
  });

  it('shows reported messages as a conversation with authors, edits and deletions', async () => {
    const at = '2025-10-18T10:00:00.000Z';
    const messages = [
      frozenMessage(4, { by: 'reporter', readAt: at }),
      frozenMessage(5, { editedAt: at, before: [{ text: 'Send me money', until: at }] }),
      frozenMessage(6, { isReported: true, text: null, deletedAt: at, before: [{ text: 'Or else', until: at }] }),
    ];
    const copy = evidence({ _id: 'evidence-2', type: 'message', profile: null, messages });
    serve(getReportFile, () => ({ data: reportFile({ report, evidence: [copy, evidence()] }) }));
    const { person } = await openReport();
    expect(screen.getByRole('heading', { name: 'Reported messages' })).toBeVisible();
    expect(panel('Evidence')).toHaveTextContent('Messages as they were on Oct 18, 2025');
    const list = screen.getByRole('list', { name: 'Copied messages' });
    const shown = [...list.children].map(({ textContent }) => textContent.replace(/Oct 18, 2025, [\d:]+\s[AP]M/g, '@'));
    expect(shown).toEqual([
      'Reporter@Message 4Read @Copy link',
      'Reported personChanged@Message 5Until @ it saidSend me moneyNot readCopy link',
      'Reported personReported messageDeleted@Until @ it saidOr elseDeleted @Not readCopy link',
    ]);
    expect(within(panel('Evidence')).getAllByText('Unaltered')).toHaveLength(2);
    // The link names the message where a case is opened.
    await person.click(within(list).getAllByRole('button', { name: 'Copy link' })[1]!);
    expect(await within(list).findByText('Copied')).toBeVisible();
    expect(readMessageLinks(await navigator.clipboard.readText())).toEqual([{ reportId: report._id, seq: 5 }]);
  });

  it('says how many versions of a message are not in the copy', async () => {
    const before = Array.from({ length: 20 }, (_, n) => ({ text: `Version ${n}`, until: '2025-10-18T10:00:00.000Z' }));
    const copy = evidence({ type: 'message', profile: null, messages: [frozenMessage(1, { before, leftOut: 12 })] });
    serve(getReportFile, () => ({ data: reportFile({ report, evidence: [copy] }) }));
    await openReport();
    const versions = within(screen.getByRole('list', { name: 'Earlier versions' })).getAllByRole('listitem');
    expect(versions[10]).toHaveTextContent('12 versions in between are not in the copy.');
    expect(versions[11]).toHaveTextContent('Version 10');
  });

  it('warns when the copy was altered, and says when there is none', async () => {
    serve(getReportFile, () => ({ data: reportFile({ report, evidence: [evidence({ isIntact: false })] }) }));
    const { unmount } = await openReport();
    expect(screen.getByRole('alert')).toHaveTextContent('This copy no longer matches its hash');
    expect(screen.queryByText('Unaltered')).toBeNull();
    unmount();
    serve(getReportFile, () => ({ data: reportFile({ report: { ...report, _id: 'other' }, evidence: [] }) }));
    renderApp('/reports/other', administrator());
    expect(await screen.findByText(/Nothing was copied/)).toBeVisible();
  });

  it('shows the timeline as sentences', async () => {
    const olga = { name: 'Olga Ivanova', role: 'admin' as const };
    const system = { name: 'System', role: 'system' as const };
    const entries = [
      timelineEntry(),
      timelineEntry({ kind: 'raised', actor: system, from: 'high', to: 'critical', reason: 'A second reporter' }),
      timelineEntry({ kind: 'status', actor: olga, from: 'pending', to: 'in_progress' }),
      timelineEntry({ kind: 'undone', actor: olga, from: 'in_progress', to: 'pending' }),
      timelineEntry({ kind: 'priority', actor: olga, from: 'critical', to: 'high', reason: 'Not that urgent' }),
      timelineEntry({ kind: 'reply', actor: olga }),
      timelineEntry({ kind: 'note', actor: olga }),
    ].map((entry, index) => ({ ...entry, _id: String(index) }));
    serve(getReportFile, () => ({ data: reportFile({ report, timeline: entries }) }));
    await openReport();
    const timeline = within(panel('Timeline'))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent.replace(/Oct.*$/, ''));
    expect(timeline).toEqual([
      'Ada Byron filed the report',
      'The priority was raised from High to CriticalA second reporter',
      'Olga Ivanova changed the status from Pending to In Progress',
      'Olga Ivanova undid a change: from In Progress to Pending',
      'Olga Ivanova changed the priority from Critical to HighNot that urgent',
      'Olga Ivanova replied',
      'Olga Ivanova left an internal note',
    ]);
  });

  it('shows earlier reports by and about both people, and sanctions', async () => {
    const earlier = reportLine();
    serve(getReportFile, () => ({
      data: reportFile({
        report,
        reported: reportHistory({
          person: report.reportedUser!,
          about: { total: 12, newest: [earlier] },
          sanctions: [
            { at: '2025-09-02T09:00:00.000Z', action: 'user.deactivated', by: 'Olga Ivanova', reason: 'Threats' },
            { at: '2025-09-09T09:00:00.000Z', action: 'user.activated', by: 'Mo Keita', reason: null },
          ],
        }),
      }),
    }));
    await openReport();
    const reported = within(panel('Reported person'));
    expect(reported.getByRole('link', { name: 'Bo Ek' })).toHaveAttribute('href', '/users/bo');
    expect(reported.getByRole('heading', { name: 'Reports about them 12' })).toBeVisible();
    expect(reported.getByRole('link', { name: 'ea71e5' })).toHaveAttribute('href', `/reports/${earlier._id}`);
    expect(reported.getByText('The newest 1 are shown.')).toBeVisible();
    expect(panel('Reported person')).toHaveTextContent('Deactivated by Olga Ivanova · Sep 2, 2025Threats');
    expect(panel('Reported person')).toHaveTextContent('Activated again by Mo Keita · Sep 9, 2025');
    expect(panel('Reporter')).toHaveTextContent('SanctionsNone');
  });
});
