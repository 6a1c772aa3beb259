import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { claimCase, getCase, getCaseTimes, handleCase, listCases } from '#contract/moderation/cases.ts';
import { received, Refusal, serve } from '../../../test/fake-server.ts';
import { administrator, moderator } from '../../../test/fixtures/people.ts';
import { caseFile, caseLine, caseTimes, serveCases, staffCase } from '../../../test/fixtures/staff/cases.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';

const hour = 3_600_000;
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const rows = () =>
  within(screen.getByRole('table', { name: 'Cases' }))
    .getAllByRole('row')
    .slice(1);

const late = caseLine({
  _id: 'late',
  person: { _id: 'cy', name: 'Cy Late', email: null, isActive: true },
  priority: 'critical',
  criticalBecause: 'second_reporter',
  due: { at: ago(2 * hour), what: 'decision' },
  isBreached: true,
  reportCount: 3,
  openReports: 2,
});
const held = caseLine({
  _id: 'held',
  person: { _id: 'di', name: 'Di Held', email: null, isActive: true },
  stage: 'claimed',
  holder: { _id: 'mo', name: 'Mo Keita', until: '2099-01-01T00:00:00.000Z' },
});
const paused = caseLine({ _id: 'paused', stage: 'waiting_reporter', isPaused: true, due: null });

describe('the queue of cases', () => {
  it('shows who is reported, for what, how urgent, how late, and who handles it', async () => {
    serveCases({ open: [late, held] });
    renderApp('/cases', administrator());
    expect(await screen.findByRole('link', { name: 'Cy Late' })).toHaveAttribute('href', '/cases/late');
    const [first, second] = rows();
    expect(first).toHaveTextContent('Harassment');
    expect(first).toHaveTextContent('Several reporters');
    expect(first).toHaveTextContent('Decision 2h 0m late');
    expect(first).toHaveTextContent('2 of 3');
    expect(second).toHaveTextContent('Claimed');
    expect(second).toHaveTextContent('Mo Keita');
    expect(second).toHaveTextContent('left to answer');
  });

  it('has lists with their sizes, in the address', async () => {
    serveCases({ open: [late, held], waiting: [paused] });
    const { person } = renderApp('/cases', administrator());
    await screen.findByRole('link', { name: 'Cy Late' });
    await person.click(screen.getByRole('link', { name: 'Waiting 1' }));
    expect(await screen.findByText('Paused')).toBeVisible();
    expect(currentAddress()).toBe('/cases?view=waiting');
    expect(received(listCases).at(-1)?.query).toMatchObject({ view: 'waiting' });
    expect(screen.getByRole('link', { name: 'Waiting 1' })).toHaveAttribute('aria-current', 'page');
  });

  it('shows how long answers and decisions took, by priority on request', async () => {
    serveCases({ open: [late] });
    const { person } = renderApp('/cases', administrator());
    const line = await screen.findByText('First answer: median 42m, 9 of 10 within 3h 0m, average 1h 30m');
    expect(screen.getByText('Decision: none yet')).toBeVisible();
    await person.click(line);
    const table = within(screen.getByRole('table', { name: 'Times by priority' }));
    expect(table.getByRole('row', { name: /High/ })).toHaveTextContent('3 of 20 later than 4 h');
  });

  it('says when appeals have no one to review them, and which case is about a banned person', async () => {
    serve(listCases, () => ({
      data: {
        cases: [caseLine({ types: [], openReports: 0, reportCount: 0, openLinks: 1 })],
        counts: { open: 1, mine: 0, unclaimed: 1, breached: 0, escalated: 0, waiting: 0, decided: 0 },
        lateAppeals: 0,
        nextCursor: null,
        hasSecondReviewer: false,
      },
    }));
    serve(getCaseTimes, () => ({ data: caseTimes() }));
    const { unmount } = renderApp('/cases', administrator());
    expect(await screen.findByText(/^Appeals need a second administrator/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Open the team page' })).toHaveAttribute('href', '/team');
    expect(screen.getByText('May be a banned person who came back')).toBeVisible();
    unmount();
    renderApp('/cases', moderator());
    expect(await screen.findByText(/^Appeals need a second administrator/)).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Open the team page' })).toBeNull();
  });

  it('shows more on request', async () => {
    serveCases({ open: [late, held, paused] });
    const { person } = renderApp('/cases', administrator());
    await person.click(await screen.findByRole('button', { name: 'Show more' }));
    expect(await screen.findByRole('link', { name: 'Bo Ek' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  it('says when there are none, and when they cannot be loaded', async () => {
    serveCases({});
    const { unmount } = renderApp('/cases?view=mine', administrator());
    expect(await screen.findByText('No cases here.')).toBeVisible();
    unmount();
    serve(listCases, () => {
      throw new Refusal('FORBIDDEN', 'Not for you');
    });
    renderApp('/cases?view=escalated', administrator());
    expect(await screen.findByRole('alert')).toHaveTextContent('Error loading cases: Not for you');
  });

  it('is walked through by keys', async () => {
    serveCases({ open: [late, held] });
    serve(getCase, () => ({ data: caseFile() }));
    const { person } = renderApp('/cases', administrator());
    await screen.findByRole('link', { name: 'Cy Late' });
    await person.keyboard('jj');
    expect(screen.getByRole('link', { name: 'Di Held' })).toHaveFocus();
    await person.keyboard('k');
    expect(screen.getByRole('link', { name: 'Cy Late' })).toHaveFocus();
    await person.keyboard('?');
    expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await person.keyboard('{Escape}');
    screen.getByRole('link', { name: 'Cy Late' }).focus();
    await person.keyboard('{Enter}');
    expect(await screen.findByRole('heading', { level: 1, name: 'Case about Bo Ek' })).toBeVisible();
  });

  it('selects all shown cases, or none, by a key and from the command palette', async () => {
    serveCases({ open: [late, held] });
    const { person } = renderApp('/cases', administrator());
    await screen.findByRole('link', { name: 'Cy Late' });
    await person.keyboard('X');
    expect(screen.getByText('2 selected')).toBeVisible();
    await person.keyboard('X');
    expect(screen.queryByText('2 selected')).toBeNull();
    await person.keyboard('j{Control>}k{/Control}');
    expect(await screen.findByRole('option', { name: /^Select or unselect the marked case/ })).toBeVisible();
    await person.keyboard('select all{Enter}');
    expect(await screen.findByText('2 selected')).toBeVisible();
  });

  it('takes one step with several cases, says how each went, and takes it back', async () => {
    serveCases({ open: [late, held] });
    serve(claimCase, ({ params }) => {
      if (params.id === 'late') return { data: { case: staffCase({ _id: 'late' }) } };
      throw new Refusal('CASE_CLAIMED', 'Mo Keita is handling this case');
    });
    serve(handleCase, () => ({ data: { case: staffCase({ _id: 'late' }) } }));
    const { person } = renderApp('/cases', administrator());
    await screen.findByRole('link', { name: 'Cy Late' });
    await person.keyboard('jxjx');
    const bar = within(screen.getByRole('group', { name: 'Selected cases' }));
    expect(bar.getByText('2 selected')).toBeVisible();
    expect(bar.queryByRole('button', { name: /Decide/ })).toBeNull();
    await person.click(bar.getByRole('button', { name: 'Escalate' }));
    await person.click(await screen.findByRole('button', { name: 'Cancel' }));
    expect(bar.getByText('2 selected')).toBeVisible();
    await person.click(bar.getByRole('button', { name: 'Claim' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Claim: 2 cases' }));
    await person.click(dialog.getByRole('button', { name: 'Claim' }));
    expect(await dialog.findByText('Mo Keita is handling this case')).toBeVisible();
    expect(dialog.getByText('Done')).toBeVisible();
    await person.click(dialog.getByRole('button', { name: 'Undo' }));
    expect(await dialog.findByText('Undone')).toBeVisible();
    expect(received(handleCase)).toMatchObject([{ params: { id: 'late' }, body: { step: 'release' } }]);
  });
});
