import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { listCases, listCaseViews } from '#contract/moderation/case-list.ts';
import { saveCaseView } from '#contract/moderation/case-views.ts';
import {
  claimCase,
  getCase,
  getCaseTimes,
  handleCase,
  listColleagues,
  noteOnCase,
} from '#contract/moderation/cases.ts';
import { queryClient } from '../../api/query-client.ts';
import { applyEvent } from '../../api/realtime/realtime-cache.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { administrator, moderator } from '../../../test/fixtures/people.ts';
import { caseFile, caseLine, caseTimes, savedList, serveCases, staffCase } from '../../../test/fixtures/staff/cases.ts';
import { currentAddress, currentState, renderApp } from '../../../test/render-app.tsx';

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
  due: { at: '2026-01-01T00:00:00.000Z', what: 'decision' },
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
const unheld = caseLine({ _id: 'unheld', person: { _id: 'ed', name: 'Ed Free', email: null, isActive: true } });
const paused = caseLine({ _id: 'paused', stage: 'waiting_reporter', isPaused: true, due: null });

describe('the queue of cases', () => {
  it('shows the reported person, the reason, the urgency, the time left and the handler', async () => {
    serveCases({ open: [{ ...late, due: { at: ago(2 * hour), what: 'decision' } }, held] });
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

  it('has lists with their sizes and keeps the list in the address', async () => {
    serveCases({ open: [late, held], waiting: [paused] });
    const { person } = renderApp('/cases', administrator());
    await screen.findByRole('link', { name: 'Cy Late' });
    await person.click(screen.getByRole('link', { name: 'Waiting 1' }));
    expect(await screen.findByText('Paused')).toBeVisible();
    expect(currentAddress()).toBe('/cases?view=waiting');
    expect(received(listCases).at(-1)?.query).toMatchObject({ view: 'waiting' });
    expect(screen.getByRole('link', { name: 'Waiting 1' })).toHaveAttribute('aria-current', 'page');
  });

  it('shows how long answers and decisions took, and on request by priority', async () => {
    serveCases({ open: [late] });
    const { person } = renderApp('/cases', administrator());
    const line = await screen.findByText('First answer: median 42m, 9 of 10 within 3h 0m, average 1h 30m');
    expect(screen.getByText('Closed: none yet')).toBeVisible();
    // /reports shows another average, which counts reports.
    expect(screen.getByText('Times per case, last 30 days, without pauses')).toBeVisible();
    await person.click(line);
    const table = within(screen.getByRole('table', { name: 'Times by priority' }));
    expect(table.getByRole('row', { name: /High/ })).toHaveTextContent('3 of 20 took longer than 4 h');
  });

  it('warns when no one can review an appeal and marks a case about a banned person', async () => {
    serve(listCases, () => ({
      data: {
        cases: [caseLine({ types: [], openReports: 0, reportCount: 0, openLinks: 1 })],
        counts: {
          open: 1,
          mine: 0,
          unclaimed: 1,
          due_soon: 0,
          breached: 0,
          escalated: 0,
          waiting: 0,
          held: 0,
          appealed: 0,
          decided: 0,
        },
        lateAppeals: 0,
        nextCursor: null,
        hasSecondReviewer: false,
      },
    }));
    serve(getCaseTimes, () => ({ data: caseTimes() }));
    serve(listCaseViews, () => ({ data: { views: [] } }));
    const { unmount } = renderApp('/cases', administrator());
    expect(await screen.findByText(/^Appeals need a second administrator/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Open the team page' })).toHaveAttribute('href', '/team');
    expect(screen.getByText('May be a banned person who came back')).toBeVisible();
    unmount();
    renderApp('/cases', moderator());
    expect(await screen.findByText(/^Appeals need a second administrator/)).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Open the team page' })).toBeNull();
  });

  it('can be filtered and sorted, and keeps filters and order in the address', async () => {
    serveCases({ open: [late, held] });
    const { person } = renderApp('/cases', administrator());
    await screen.findByRole('link', { name: 'Cy Late' });
    await person.selectOptions(screen.getByLabelText('Priority'), 'Critical');
    await person.selectOptions(screen.getByLabelText('Priority'), 'High');
    await person.selectOptions(screen.getByLabelText('Sort'), 'Newest first');
    expect(currentAddress()).toBe('/cases?priority=critical,high&order=newest');
    await waitFor(() =>
      expect(received(listCases).at(-1)?.query).toMatchObject({ priority: ['critical', 'high'], order: 'newest' }),
    );
    const chosen = within(screen.getByRole('group', { name: 'Chosen filters' }));
    await person.click(chosen.getByRole('button', { name: 'Remove filter: Critical' }));
    expect(currentAddress()).toBe('/cases?priority=high&order=newest');
    await person.click(chosen.getByRole('button', { name: 'Remove filter: High' }));
    expect(currentAddress()).toBe('/cases?order=newest');
    await person.click(screen.getByRole('link', { name: 'Closed 0' }));
    expect(screen.queryByLabelText('Priority')).toBeNull();
  });

  it('lets moderators save filters as a list and share it', async () => {
    const list = savedList({ isShared: true, sharedBy: 'Ada Quinn' });
    serveCases({ open: [late], [list._id]: [held] });
    serve(saveCaseView, () => {
      serveCases({ open: [late], [list._id]: [held] }, { saved: [list] });
      return { data: { view: list } };
    });
    const { person } = renderApp('/cases?priority=critical', administrator());
    await person.click(await screen.findByRole('button', { name: 'Save list' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Save list' }));
    await person.type(dialog.getByLabelText(/^Name/), 'Critical first');
    await person.click(dialog.getByLabelText('Share with the team'));
    await person.click(dialog.getByRole('button', { name: 'Save' }));
    const link = await screen.findByRole('link', { name: 'Critical first (Shared by Ada Quinn) 1' });
    expect(await screen.findByRole('link', { name: 'Di Held' })).toBeVisible();
    expect(link).toHaveAttribute('aria-current', 'page');
    expect(currentAddress()).toBe(`/cases?view=${list._id}`);
    expect(received(saveCaseView).map(({ body }) => body)).toEqual([
      { name: 'Critical first', isShared: true, filters: { list: 'open', priority: ['critical'], order: 'due' } },
    ]);
  });

  it('requests the sizes of saved lists once after many changes, and never while hidden', async () => {
    serveCases({ open: [late] });
    renderApp('/cases', administrator());
    await screen.findByRole('link', { name: 'Cy Late' });
    const asked = () => received(listCaseViews).length;
    await waitFor(() => expect(asked()).toBe(1));
    vi.useFakeTimers();
    try {
      for (let count = 0; count < 5; count += 1) applyEvent({ kind: 'reports' });
      await act(() => vi.advanceTimersByTimeAsync(9000));
      expect(asked()).toBe(1);
      await act(() => vi.advanceTimersByTimeAsync(6000));
      expect(asked()).toBe(2);
      vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
      applyEvent({ kind: 'reports' });
      await act(() => vi.advanceTimersByTimeAsync(20_000));
      expect(asked()).toBe(2);
    } finally {
      vi.useRealTimers();
      vi.restoreAllMocks();
    }
  });

  it('shows when a saved list no longer exists', async () => {
    serveCases({});
    failWith(listCases, new Refusal('NOT_FOUND', 'Not found'));
    renderApp(`/cases?view=${savedList()._id}`, moderator());
    expect(await screen.findByText('This list no longer exists.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'All open 0' })).toHaveAttribute('href', '/cases');
  });

  it('opens lists with number keys', async () => {
    serveCases({ open: [late] });
    const { person } = renderApp('/cases', administrator());
    await screen.findByRole('link', { name: 'Cy Late' });
    await person.keyboard('4');
    expect(currentAddress()).toBe('/cases?view=due_soon');
    await person.keyboard('1');
    expect(currentAddress()).toBe('/cases');
  });

  it('can be navigated with keys', async () => {
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

  it('selects all visible cases or none with a key or the command palette', async () => {
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

  it('lets moderators assign several cases to a colleague, except those about or by that colleague', async () => {
    serveCases({ open: [late, unheld] });
    const colleague = { _id: 'mo', name: 'Mo Keita', role: 'moderator' as const };
    serve(listColleagues, ({ query }) => ({
      data: { colleagues: query.search === 'zoe' ? [] : [colleague], isMore: false },
    }));
    serve(handleCase, ({ params }) => {
      if (params.id === 'late') return { data: { case: staffCase({ _id: 'late' }) } };
      throw new Refusal('NOT_FOUND', 'Not found');
    });
    const { person } = renderApp('/cases', administrator());
    await screen.findByRole('link', { name: 'Cy Late' });
    await person.keyboard('X');
    await person.click(screen.getByRole('button', { name: 'Assign to…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Assign: 2 cases' }));
    await person.click(dialog.getByRole('button', { name: 'Assign' }));
    expect(dialog.getByText('Choose a colleague', { selector: 'p' })).toBeVisible();
    await dialog.findByRole('option', { name: 'Mo Keita · Moderator' });
    await person.selectOptions(dialog.getByLabelText(/^Colleague/), 'mo');
    await person.click(dialog.getByRole('button', { name: 'Assign' }));
    expect(await dialog.findByText('This colleague can’t handle this case')).toBeVisible();
    expect(dialog.getByText('Done')).toBeVisible();
    expect(received(handleCase)[0]?.body).toEqual({ step: 'assign', assigneeId: 'mo' });
    await person.click(dialog.getByRole('button', { name: 'Undo' }));
    expect(await dialog.findByText('Undone')).toBeVisible();
  });

  it('lets moderators add one note to several cases', async () => {
    serveCases({ open: [late, held] });
    serve(noteOnCase, ({ params }) => ({ data: { case: staffCase({ _id: params.id }) } }));
    const { person } = renderApp('/cases', moderator());
    await screen.findByRole('link', { name: 'Cy Late' });
    await person.keyboard('X');
    expect(screen.queryByRole('button', { name: 'Assign to…' })).toBeNull();
    await person.click(screen.getByRole('button', { name: 'Add note' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add note: 2 cases' }));
    await person.type(dialog.getByLabelText(/^Internal note/), 'One ring of scammers.');
    await person.click(dialog.getByRole('button', { name: 'Add note' }));
    await waitFor(() => expect(dialog.getAllByText('Done')).toHaveLength(2));
    expect(received(noteOnCase).map(({ params, body }) => [params.id, body.text])).toEqual([
      ['late', 'One ring of scammers.'],
      ['held', 'One ring of scammers.'],
    ]);
    expect(dialog.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  describe('working through selected cases one by one', () => {
    const many = Array.from({ length: 60 }, (_, index) =>
      caseLine({
        _id: `c${index}`,
        person: { _id: `p${index}`, name: `Person ${index}`, email: null, isActive: true },
      }),
    );
    const open = [late, ...many];
    const headingOf = (name: string) => screen.findByRole('heading', { level: 1, name: `Case about ${name}` });

    /** Selects all cases of all pages and opens the first. */
    async function openAll() {
      serveCases({ open }, { pageSize: 31 });
      serve(getCase, ({ params }) => ({
        data: caseFile({ case: staffCase(open.find(({ _id }) => _id === params.id)) }),
      }));
      const app = renderApp('/cases', administrator());
      await screen.findByRole('link', { name: 'Cy Late' });
      await app.person.click(screen.getByRole('button', { name: 'Show more' }));
      await waitFor(() => expect(rows()).toHaveLength(open.length));
      await app.person.keyboard('X');
      await app.person.click(screen.getByRole('button', { name: 'Open one by one' }));
      await headingOf('Cy Late');
      return app;
    }

    it('opens every selected case, even after a reload, without listing them in the address', async () => {
      const { person, unmount } = await openAll();
      expect(currentAddress()).toBe('/cases/late');
      expect(await screen.findByText('1 of 61')).toBeVisible();
      await person.keyboard('j');
      await headingOf('Person 0');
      expect(screen.getByText('2 of 61')).toBeVisible();
      const state = currentState();
      unmount();
      queryClient.clear();
      renderApp({ pathname: '/cases/c54', state }, administrator());
      await headingOf('Person 54');
      expect(await screen.findByText('56 of 61')).toBeVisible();
      await waitFor(() => expect(screen.getByRole('button', { name: 'Next case' })).toBeEnabled());
      await person.keyboard('j');
      await headingOf('Person 55');
      await person.keyboard('kk');
      await headingOf('Person 53');
    });

    it('skips cases that colleagues closed or claimed meanwhile, but not those of the viewer', async () => {
      const { person } = await openAll();
      const taken = open.map((line, index) =>
        index === 0 || index === 1
          ? { ...line, stage: 'decided' as const }
          : index === 2
            ? { ...line, stage: 'claimed' as const, holder: { _id: 'mo', name: 'Mo Keita', until: null } }
            : line,
      );
      serveCases({ open: taken });
      await act(() => queryClient.invalidateQueries({ queryKey: [listCases.path] }));
      expect(
        await screen.findByText('2 cases are left out because a colleague closed or claimed them in the meantime.'),
      ).toBeVisible();
      await person.keyboard('j');
      await headingOf('Person 2');
      expect(screen.getByText('4 of 61')).toBeVisible();
      await person.keyboard('k');
      await headingOf('Cy Late');
    });
  });

  it('performs one step on several cases, shows each result, and can undo it', async () => {
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
