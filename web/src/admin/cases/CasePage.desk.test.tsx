import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { claimCase, getCase, handleCase, decideCase } from '#contract/moderation/cases.ts';
import { type Decision, listRules } from '#contract/moderation/decisions.ts';
import { listReports, replyToReport } from '#contract/moderation/staff-reports.ts';
import { listUsers } from '#contract/profiles/staff.ts';
import { received, serve } from '../../../test/fake-server.ts';
import { administrator } from '../../../test/fixtures/people.ts';
import { caseFile, caseLine, serveCases, staffCase } from '../../../test/fixtures/staff/cases.ts';
import { staffReport } from '../../../test/fixtures/staff/staff-reports.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';
import { connectSocket, receiveOverSocket, sentOverSocket } from '../../../test/test-socket.ts';

const people = ['Ann', 'Ben'].map((name) => ({ _id: name, name, email: null, isActive: true }));
const cases = people.map((person) =>
  staffCase({
    ...caseLine({ _id: `case-of-${person.name}`, person }),
    can: { steps: ['claim', 'decide'], assignOthers: true },
  }),
);

const decision: Decision = {
  _id: 'decision-1',
  kind: 'full',
  outcome: 'no_violation',
  rule: null,
  facts: null,
  source: 'notice',
  isDetectionAutomated: false,
  answer: 'Thank you.',
  by: 'Mo Keita',
  at: '2025-10-18T10:00:00.000Z',
  isUndone: false,
  reportIds: [],
  sanctions: [],
};

beforeEach(() => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('75rem') || query.includes('hover'),
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  serveCases({ open: cases });
  serve(getCase, ({ params }) => ({
    data: caseFile({ case: cases.find(({ _id }) => _id === params.id) ?? staffCase() }),
  }));
  serve(listRules, () => ({ data: { rules: [] } }));
});

async function openDesk() {
  const app = renderApp('/cases/case-of-Ann', administrator());
  await screen.findByRole('heading', { level: 1, name: 'Case about Ann' });
  await screen.findByRole('heading', { name: 'Handling' });
  return app;
}

describe('the desk on a wide screen', () => {
  it('shows the queue, the case and its evidence next to each other', async () => {
    const { person } = await openDesk();
    const queue = within(screen.getByRole('navigation', { name: 'Queue' }));
    expect(await queue.findByRole('link', { name: /Ann/ })).toHaveAttribute('aria-current', 'true');
    expect(within(screen.getByRole('region', { name: 'Evidence' })).getByText('Sailing and soup.')).toBeVisible();
    expect(within(screen.getByRole('button', { name: 'Claim' })).getByText('c')).toBeVisible();
    await person.click(queue.getByRole('link', { name: /Ben/ }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Case about Ben' })).toBeVisible();
    expect(currentAddress()).toBe('/cases/case-of-Ben');
  });

  it('moves through the queue with keys', async () => {
    const { person } = await openDesk();
    await screen.findByRole('link', { name: /Ben/ });
    await person.keyboard('j');
    expect(await screen.findByRole('heading', { level: 1, name: 'Case about Ben' })).toHaveFocus();
    await person.keyboard('k');
    expect(await screen.findByRole('heading', { level: 1, name: 'Case about Ann' })).toBeVisible();
  });

  it('comes back to what it passed over for another kind of case, and not to what was left', async () => {
    const line = (name: string, isSensitive: boolean) =>
      staffCase({ ...caseLine({ _id: `case-of-${name}`, person: { ...people[0]!, name }, isSensitive }) });
    serveCases({ open: [line('Ann', true), line('Ben', true), line('Cleo', false), line('Dan', false)] });
    serve(getCase, ({ params }) => ({
      data: caseFile({ case: line(params.id.replace('case-of-', ''), false) }),
    }));
    const { person } = await openDesk();
    await screen.findByRole('link', { name: /Dan/ });
    for (const [key, name] of ['j Cleo', 'j Ben', 'j Dan', 'k Cleo', 'k Ben', 'j Cleo'].map((step) =>
      step.split(' '),
    )) {
      await person.keyboard(key ?? '');
      expect(await screen.findByRole('heading', { level: 1, name: `Case about ${name}` })).toBeVisible();
    }
  });

  it('moves to the next case after a decision, and can reopen the decided one with a reason', async () => {
    const decided = staffCase({ ...cases[0], stage: 'decided', can: { steps: ['reopen'], assignOthers: true } });
    serve(decideCase, () => ({ data: { case: decided, decision } }));
    serve(handleCase, () => ({ data: { case: decided } }));
    const { person } = await openDesk();
    await screen.findByRole('link', { name: /Ben/ });
    await person.keyboard('d');
    const found = await screen.findByRole('combobox', { name: 'What did you find?' });
    expect(found).toHaveFocus();
    await person.selectOptions(found, 'no_violation');
    await person.keyboard('{Control>}{Enter}{/Control}');
    expect(await screen.findByRole('heading', { level: 1, name: 'Case about Ben' })).toBeVisible();
    expect(screen.getByText('Decided: the case about Ann.')).toBeVisible();
    await person.keyboard('u');
    await person.type(await screen.findByRole('textbox', { name: 'Reason' }), 'Wrong person');
    await person.keyboard('{Control>}{Enter}{/Control}');
    expect(await screen.findByRole('heading', { level: 1, name: 'Case about Ann' })).toBeVisible();
    expect(received(handleCase)).toMatchObject([
      { params: { id: 'case-of-Ann' }, body: { step: 'reopen', reason: 'Wrong person' } },
    ]);
  });

  it('opens the decision form next to the usable evidence and keeps typed text when it is closed', async () => {
    const { person } = await openDesk();
    await person.keyboard('d');
    const panel = within(await screen.findByRole('dialog', { name: 'Decide the case' }));
    await person.click(panel.getByRole('textbox', { name: /^Facts/ }));
    await person.keyboard('Kept sending insults');
    const evidence = screen.getByRole('region', { name: 'Evidence' });
    await person.click(within(evidence).getByText('Sailing and soup.'));
    evidence.focus();
    await person.keyboard('d');
    expect(panel.getByRole('combobox', { name: 'What did you find?' })).toHaveFocus();
    evidence.focus();
    await person.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    screen.getByRole('button', { name: 'Decide' }).focus();
    await person.keyboard('d');
    expect(await screen.findByRole('textbox', { name: /^Facts/ })).toHaveValue('Kept sending insults');
    await person.keyboard('{Escape}');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Decide' })).toHaveFocus());
  });

  it('can undo a claim and offers only steps that the server accepts', async () => {
    const mine = staffCase({
      ...cases[0],
      stage: 'claimed',
      isMine: true,
      can: { steps: ['release'], assignOthers: true },
    });
    serve(claimCase, () => ({ data: { case: mine } }));
    serve(handleCase, () => ({ data: { case: cases[0]! } }));
    const { person } = await openDesk();
    await person.keyboard('c');
    expect(await screen.findByRole('button', { name: 'Undo' })).toBeVisible();
    await person.keyboard('u');
    await waitFor(() => expect(received(handleCase).map(({ body }) => body)).toEqual([{ step: 'release' }]));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
  });

  it('hides the confirmation when another case is opened', async () => {
    serve(claimCase, () => ({ data: { case: { ...staffCase(), ...cases[0], isMine: true } } }));
    const { person } = await openDesk();
    await person.keyboard('c');
    expect(await screen.findByText(/^Claimed\./)).toBeVisible();
    await person.keyboard('j');
    expect(await screen.findByRole('heading', { level: 1, name: 'Case about Ben' })).toBeVisible();
    await screen.findByRole('heading', { name: 'Handling' });
    expect(screen.queryByText(/^Claimed\./)).toBeNull();
  });

  it('shows how a hold ended', async () => {
    const ended = { kind: 'hold_ended' as const, from: null, to: 'expired' };
    const [moment] = caseFile().timeline;
    if (moment === undefined) throw new Error('no moment');
    serve(getCase, () => ({ data: caseFile({ timeline: [{ ...moment, ...ended }] }) }));
    renderApp('/cases/case-1', administrator());
    const timeline = await screen.findByRole('region', { name: 'Timeline' });
    expect(timeline).toHaveTextContent(/The hold ended: no one decided within three days/);
  });

  it('opens the internal note with a key', async () => {
    serve(replyToReport, () => ({ data: { report: staffReport() } }));
    const { person } = await openDesk();
    await person.keyboard('n');
    expect(await screen.findByRole('textbox', { name: /Internal notes/ })).toHaveFocus();
    expect(screen.queryByRole('textbox', { name: /^Reply/ })).toBeNull();
    await person.keyboard('Seen this before.{Control>}{Enter}{/Control}');
    await waitFor(() =>
      expect(received(replyToReport).map(({ body }) => body)).toEqual([
        { message: 'Seen this before.', isInternal: true },
      ]),
    );
  });

  it('shows which colleagues have the case open and reports that it is open here', async () => {
    await openDesk();
    await connectSocket();
    expect(sentOverSocket()).toContainEqual({ name: 'openCase', payload: { caseId: 'case-of-Ann' } });
    await receiveOverSocket({ kind: 'caseViewer', caseId: 'case-of-Ben', viewer: { _id: 'x', name: 'Someone' } });
    await receiveOverSocket({ kind: 'caseViewer', caseId: 'case-of-Ann', viewer: { _id: 'mo', name: 'Mo Keita' } });
    expect(await screen.findByText('Also looking at this case: Mo Keita')).toBeVisible();
  });

  it('announces once how many cases colleagues assigned to the viewer', async () => {
    await openDesk();
    await connectSocket();
    await receiveOverSocket({ kind: 'assigned', caseId: 'case-of-Ben', by: 'Mo Keita' });
    expect(await screen.findByText('A case was assigned to you by Mo Keita.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Open the case' })).toHaveAttribute('href', '/cases/case-of-Ben');
    await receiveOverSocket({ kind: 'assigned', caseId: 'case-of-Cy', by: 'Mo Keita' });
    expect(await screen.findByText('2 cases were assigned to you by Mo Keita.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Show my cases' })).toHaveAttribute('href', '/cases?view=mine');
  });

  it('switches between form and evidence with a key, restores the focus and keeps typed text', async () => {
    const { person } = await openDesk();
    await person.keyboard('d');
    const facts = await screen.findByRole('textbox', { name: /^Facts/ });
    await person.type(facts, 'Half a sent');
    await person.keyboard('{Alt>}e{/Alt}');
    const evidence = screen.getByRole('region', { name: 'Evidence' });
    expect(evidence).toHaveFocus();
    await person.keyboard('{Alt>}e{/Alt}');
    expect(facts).toHaveFocus();
    await person.keyboard('ence');
    expect(facts).toHaveValue('Half a sentence');
    await person.keyboard('{Alt>}e{/Alt}');
    expect(evidence).toHaveFocus();
  });

  it('has a command palette that finds cases, reports and people and runs commands', async () => {
    const report = staffReport({ case: { _id: 'case-of-Ben', handledBy: null, needsDecision: null } });
    serve(listReports, () => ({ data: { reports: [report], pagination: { page: 1, limit: 5, total: 1, pages: 1 } } }));
    serve(listUsers, () => ({ data: { users: [], pagination: { page: 1, limit: 5, total: 0, pages: 0 } } }));
    const { person } = await openDesk();
    await person.keyboard('{Control>}k{/Control}');
    const field = await screen.findByRole('combobox', { name: 'Name, id or command' });
    expect(field).toHaveFocus();
    expect(screen.getByRole('option', { name: /^Second looks/ })).toBeVisible();
    await person.keyboard('bo');
    expect(await screen.findByRole('option', { name: /^Case about Bo Ek/, selected: true })).toBeVisible();
    await person.clear(field);
    await person.keyboard('case about');
    await screen.findByRole('option', { name: /^Case about Bo Ek/ });
    await person.keyboard('{Enter}');
    expect(await screen.findByRole('heading', { level: 1, name: 'Case about Ben' })).toBeVisible();
    await person.keyboard('/');
    await screen.findByRole('combobox', { name: 'Name, id or command' });
    await person.keyboard('deci{Enter}');
    expect(await screen.findByRole('dialog', { name: 'Decide the case' })).toBeVisible();
  });
});
