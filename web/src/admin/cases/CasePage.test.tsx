import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { askForAge } from '#contract/moderation/age.ts';
import {
  heartbeatSeconds,
  type StaffCase,
  claimCase,
  getCase,
  handleCase,
  releaseHold,
  type CaseFile,
  renewClaim,
} from '#contract/moderation/cases.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { administrator, moderator } from '../../../test/fixtures/people.ts';
import { caseFile, caseLink, caseMoment, staffCase } from '../../../test/fixtures/staff/cases.ts';
import { reportReply, staffReport } from '../../../test/fixtures/staff/staff-reports.ts';
import { renderApp } from '../../../test/render-app.tsx';

const id = staffCase()._id;
const panel = (name: string) => within(screen.getByRole('region', { name }));

/** Serves the case, and applies the changes of every command to it. */
function serveCase(start: Partial<StaffCase> = {}, changes: Partial<StaffCase> = {}) {
  let current = staffCase(start);
  const change = () => {
    current = { ...current, ...changes };
    return { data: { case: current } };
  };
  serve(getCase, () => ({ data: caseFile({ case: current }) }));
  serve(claimCase, change);
  serve(handleCase, change);
  serve(renewClaim, change);
}

async function openCase(person = administrator()) {
  const app = renderApp(`/cases/${id}`, person);
  await screen.findByRole('heading', { name: 'Handling' });
  return app;
}

const mine: Partial<StaffCase> = {
  stage: 'claimed',
  isMine: true,
  holder: { _id: 'me', name: 'Olga Ivanova', until: '2099-01-01T00:00:00.000Z' },
  can: { steps: ['claim', 'release', 'escalate', 'waitForReporter'], assignOthers: true },
};

afterEach(() => {
  vi.useRealTimers();
});

describe('the page of one case', () => {
  it('shows the content of every outsider report in a report', async () => {
    const notices = [{ type: 'scam' as const, text: 'Asked me for gift cards.', at: '2026-06-15T12:00:00.000Z' }];
    const report = staffReport({ source: 'outsider', description: 'Uses my pictures.', notices });
    serve(getCase, () => ({ data: caseFile({ reports: [report] }) }));
    await openCase();
    expect(panel('Reports').getByText('Uses my pictures.')).toBeVisible();
    expect(panel('Reports').getByText('Asked me for gift cards.')).toBeVisible();
    expect(panel('Reports').getByText(/Fraud or extortion/)).toBeVisible();
  });

  it('shows the replies to a report, and a new answer from the start', async () => {
    const replies = [
      reportReply(),
      reportReply({ _id: 'reply-2', message: 'Here is more.', repliedBy: { name: 'Ada' } }),
    ];
    const report = staffReport({ replies, replyCount: 3, awaitsStaff: true });
    serve(getCase, () => ({ data: caseFile({ reports: [report] }) }));
    const { person } = await openCase();
    expect(panel('Reports').getByText('Here is more.')).toBeVisible();
    expect(panel('Reports').getByRole('link', { name: 'All replies' })).toBeVisible();
    await person.click(panel('Reports').getByRole('button', { name: '3 replies' }));
    expect(panel('Reports').getByText('Here is more.')).not.toBeVisible();
  });

  it('shows the reports with their evidence, the people and the timeline', async () => {
    serveCase();
    const raised = caseMoment({ _id: 'case 2', kind: 'raised_critical', to: 'second_reporter' });
    const filed = caseMoment({
      _id: 'report 1',
      kind: 'filed',
      reportId: '018f3a52-0000-7000-8000-000000a1b2c3',
      actor: { name: 'Ada Byron', role: 'reporter' },
    });
    serve(getCase, () => ({ data: caseFile({ timeline: [raised, filed] }) }));
    const { person } = await openCase();
    expect(screen.getByRole('heading', { level: 1, name: 'Case about Bo Ek' })).toBeVisible();
    expect(panel('Reports').getByText('He keeps writing to me after I asked him to stop.')).toBeVisible();
    expect(panel('Reports').getByRole('link', { name: 'a1b2c3' })).toHaveAttribute(
      'href',
      '/reports/018f3a52-0000-7000-8000-000000a1b2c3',
    );
    await person.click(screen.getByRole('button', { name: 'Evidence of report a1b2c3' }));
    expect(screen.getByText('Sailing and soup.')).toBeVisible();
    expect(panel('Reporters').getByText('1 in this case, 3 in total')).toBeVisible();
    expect(panel('Timeline').getByText('Several reporters')).toBeVisible();
    expect(panel('Timeline').getByText('Ada Byron')).toBeVisible();
    expect(panel('Timeline').getByText('Ada Byron').closest('li')).toHaveTextContent(
      'Ada Byron filed the report · report a1b2c3',
    );
    expect(screen.getByRole('link', { name: 'Open in the audit trail' })).toHaveAttribute(
      'href',
      `/audit?targetId=${id}`,
    );
  });

  it('shows what is held back and both people with their messages, and delivers it after a reason', async () => {
    const hold = { since: '2025-10-18T09:00:00.000Z', endsAt: '2025-10-21T09:00:00.000Z', cause: 'ban_trace' as const };
    const heldBack = { likes: 3, messages: 12, receivers: 14, texts: [{ text: 'Send me gift cards', count: 12 }] };
    let current = staffCase({ hold });
    const { user } = staffReport();
    const face = { location: null, isPhotoVerified: true, profilePicture: null };
    const comparedPeople = [
      { ...face, _id: 'bo', firstName: 'Bo', name: 'Bo', age: 34, joinedAt: hold.since },
      { ...face, _id: user._id!, firstName: 'Ada', name: 'Ada', age: 31, joinedAt: hold.since },
    ];
    serve(getCase, () => ({ data: caseFile({ case: current, heldBack: current.hold && heldBack, comparedPeople }) }));
    serve(releaseHold, () => {
      current = staffCase();
      return { data: { case: current } };
    });
    const { person } = await openCase();
    const held = within(await screen.findByRole('region', { name: 'Held back' }));
    expect(held.getByText('Strong link to a banned account')).toBeVisible();
    expect(held.getByText('3 likes and 12 messages to 14 people')).toBeVisible();
    const [bo, ada] = screen.getByRole('list', { name: 'The two people' }).children;
    expect(bo).toHaveTextContent(/Bo, 34.*Held.*Photo verified.*Send me gift cards.*Sent 12 times/);
    expect(ada).toHaveTextContent(/Ada, 31.*Reporter.*asked him to stop/);
    await person.click(held.getByRole('button', { name: 'Release the hold' }));
    const dialog = within(await screen.findByRole('dialog'));
    await person.type(dialog.getByRole('textbox'), 'Known from a video call');
    await person.click(dialog.getByRole('button', { name: 'Deliver now' }));
    await waitFor(() => expect(received(releaseHold).at(-1)?.body).toEqual({ reason: 'Known from a video call' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Held back' })).toBeNull());
  });

  it('asks a person who may be a minor for age assurance', async () => {
    let age: CaseFile['age'] = { state: 'declared', since: null, askedOn: null, canAsk: true };
    serve(getCase, () => ({ data: caseFile({ age }) }));
    serve(askForAge, () => {
      age = { state: 'declared', since: '2025-10-20', askedOn: '2025-10-20', canAsk: false };
      return {};
    });
    const { person } = await openCase();
    const shown = within(await screen.findByRole('region', { name: 'Age' }));
    expect(shown.getByText('Only the birth date they gave')).toBeVisible();
    await person.click(shown.getByRole('button', { name: 'Ask for age assurance' }));
    expect(await shown.findByText('Asked by mail')).toBeVisible();
    await waitFor(() => expect(shown.queryByRole('button', { name: 'Ask for age assurance' })).toBeNull());
    expect(received(askForAge)).toHaveLength(1);
  });

  it('shows what the person has in common with banned people and how certain that is', async () => {
    serve(getCase, () => ({ data: caseFile({ links: [caseLink()], reports: [], parties: [] }) }));
    await openCase();
    const linked = panel('Linked accounts');
    expect(linked.getByText('Same card as a banned account')).toBeVisible();
    expect(linked.getByText('Strong')).toBeVisible();
    expect(linked.getByRole('link', { name: 'Ben Ott' })).toHaveAttribute('href', '/cases/other');
    expect(screen.queryByRole('region', { name: 'Reporters' })).toBeNull();
  });

  it('links a banned account without a case to its profile', async () => {
    const link = caseLink({ caseId: null });
    serve(getCase, () => ({ data: caseFile({ links: [link], reports: [], parties: [] }) }));
    await openCase();
    const account = panel('Linked accounts').getByRole('link', { name: 'Ben Ott' });
    expect(account).toHaveAttribute('href', `/users/${link.person._id}`);
  });

  it('does not claim that there are no pictures when the viewer may not see them', async () => {
    serve(getCase, () => ({ data: caseFile() }));
    const { person, unmount } = await openCase(administrator({ staffRole: 'auditor' }));
    await person.click(await screen.findByRole('button', { name: /^Evidence of report/ }));
    expect(
      screen.getByText('Your role does not allow you to see pictures and messages in the evidence.'),
    ).toBeVisible();
    expect(screen.queryByText('Pictures')).toBeNull();
    unmount();
    await openCase();
    await person.click(await screen.findByRole('button', { name: /^Evidence of report/ }));
    expect(screen.getByText('Pictures')).toBeVisible();
  });

  it('hides the audit trail from moderators', async () => {
    serveCase();
    await openCase(moderator());
    expect(screen.queryByRole('link', { name: 'Open in the audit trail' })).toBeNull();
  });

  it('shows an error when there is no such case', async () => {
    failWith(getCase, new Refusal('NOT_FOUND', 'Not found'));
    renderApp(`/cases/${id}`, administrator());
    expect(await screen.findByRole('heading', { level: 1, name: 'Case not found' })).toBeVisible();
  });

  it('can be claimed with a click or a key, and then offers only the possible steps', async () => {
    serveCase({}, mine);
    const { person } = await openCase();
    // The button would do the same as claiming.
    expect(screen.queryByRole('button', { name: 'Assign to me' })).toBeNull();
    await person.keyboard('c');
    expect(await screen.findByRole('button', { name: 'Release' })).toBeVisible();
    expect(received(claimCase).map(({ params }) => params)).toEqual([{ id }]);
    expect(screen.queryByRole('button', { name: 'Claim' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Reopen' })).toBeNull();
    await person.keyboard('c');
    expect(received(claimCase)).toHaveLength(1);
  });

  it('shows which colleague was faster', async () => {
    serveCase();
    failWith(
      claimCase,
      new Refusal('CASE_CLAIMED', 'Mo Keita is handling this case', {
        data: { holder: { _id: 'mo', name: 'Mo Keita', until: null } },
      }),
    );
    const { person } = await openCase();
    await person.click(screen.getByRole('button', { name: 'Claim' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Mo Keita is handling this case');
  });

  it('shows who handles the case and offers no steps meanwhile', async () => {
    serveCase({
      stage: 'claimed',
      holder: { _id: 'mo', name: 'Mo Keita', until: '2099-01-01T00:00:00.000Z' },
      can: { steps: [], assignOthers: true },
    });
    await openCase();
    expect(screen.getByText('Mo Keita is handling this case right now.')).toBeVisible();
    expect(screen.queryByRole('button', { name: /^(Claim|Decide|Reply|Note|Escalate)/ })).toBeNull();
  });

  it('requires a reason to escalate', async () => {
    serveCase(mine, { stage: 'escalated', isMine: false, holder: null, can: { steps: [], assignOthers: false } });
    const { person } = await openCase();
    await person.click(screen.getByRole('button', { name: 'Escalate' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Escalate' }));
    await person.type(dialog.getByRole('textbox', { name: 'Reason' }), 'A threat');
    await person.click(dialog.getByRole('button', { name: 'Escalate' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(received(handleCase).map(({ body }) => body)).toEqual([{ step: 'escalate', reason: 'A threat' }]);
    expect(panel('Handling').getByText('Escalated')).toBeVisible();
  });

  it('performs a step without a reason immediately', async () => {
    serveCase(mine, {
      stage: 'waiting_reporter',
      isPaused: true,
      due: null,
      can: { steps: ['resume'], assignOthers: true },
    });
    const { person } = await openCase();
    await person.click(screen.getByRole('button', { name: 'Wait for the reporter' }));
    expect(await screen.findByText('Paused')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Resume' })).toBeVisible();
  });

  it('renews its claim while it is open', async () => {
    serveCase(mine);
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await openCase();
    await act(() => vi.advanceTimersByTimeAsync(heartbeatSeconds * 2000));
    await waitFor(() => expect(received(renewClaim)).toHaveLength(2));
  });
});
