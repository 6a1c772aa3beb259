import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { getBulkAct } from '#contract/moderation/bulk.ts';
import { getStart, markStartSeen, type Start, type StartRow } from '#contract/moderation/start.ts';
import { received, serve } from '../../../test/fake-server.ts';
import { administrator, moderator } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';

const row = (changes: Partial<StartRow> = {}): StartRow => ({
  opens: 'case',
  _id: 'one',
  what: 'held',
  name: 'Bo Ek',
  by: null,
  to: null,
  types: [],
  priority: null,
  count: null,
  at: '2026-06-15T12:00:00.000Z',
  due: null,
  isPaused: false,
  ...changes,
});
const nothing = { rows: [], count: 0 };
const start = (changes: Partial<Start> = {}): Start => ({
  mine: nothing,
  due: nothing,
  waiting: nothing,
  unassigned: nothing,
  changed: nothing,
  watching: { rules: 0, people: 0 },
  since: '2026-06-08T12:00:00.000Z',
  isFirstVisit: false,
  asOf: '2026-06-15T12:00:00.000Z',
  ...changes,
});
const full = start({
  mine: {
    rows: [row({ types: ['Harassment'], due: { at: '2020-01-01T00:00:00.000Z', what: 'decision' } })],
    count: 1,
  },
  waiting: {
    rows: [
      row({ _id: 'two', opens: 'appeal', what: 'appeal', name: 'Cy Ro' }),
      row({ _id: null, opens: 'pictures', what: 'pictures', name: null, count: 3 }),
      row({ _id: 'act', opens: 'bulkAct', what: 'running', name: null, count: 40 }),
    ],
    count: 100,
  },
  changed: { rows: [row({ what: 'decided', by: 'Mo Ek', to: 'no_violation' })], count: 1 },
});
const region = async (name: string | RegExp) => within(await screen.findByRole('region', { name }));

describe('/start', () => {
  it('shows that rules only watch, and how many people they would have hit', async () => {
    serve(getStart, () => ({ data: start({ watching: { rules: 2, people: 1 } }) }));
    renderApp('/start', administrator());
    expect(await screen.findByText(/^2 automatic rules only watch: .* So far it would be one person\.$/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Automatic rules' })).toHaveAttribute('href', '/rules/automatic');
  });

  it('shows each section with its rows, its number and links to the lists', async () => {
    serve(getStart, () => ({ data: full }));
    renderApp('/start', administrator());
    const mine = await region('Mine (1)');
    expect(mine.getByText('Your case · Harassment')).toBeVisible();
    expect(mine.getByText(/Decision .* late/)).toBeVisible();
    expect(mine.getByRole('link', { name: 'All my cases' })).toHaveAttribute('href', '/cases?view=mine');
    expect((await region('Due')).getByText('Nothing is overdue or due within four hours.')).toBeVisible();
    const waiting = await region('Waiting for me (100+)');
    expect(waiting.getByText('97+ more')).toBeVisible();
    expect(mine.queryByText(/more$/)).toBeNull();
    expect(screen.queryByRole('region', { name: 'Unassigned' })).toBeNull();
    expect(waiting.getByRole('link', { name: /3 pictures/ })).toHaveAttribute('href', '/queue/pictures');
    expect((await region(/Since you left/)).getByText('Mo Ek decided: No rule was broken')).toBeVisible();
  });

  it.each(['support', 'billing'] as const)(
    'shows unassigned reports and nothing about cases for %s',
    async (staffRole) => {
      const unassigned = { rows: [row({ opens: 'report', what: 'new' })], count: 14 };
      serve(getStart, () => ({ data: start({ unassigned, isFirstVisit: true }) }));
      renderApp('/start', moderator({ staffRole }));
      const reports = await region('Unassigned (14)');
      expect(reports.getByText('13 more')).toBeVisible();
      expect(reports.getByRole('link', { name: 'All pending reports' })).toBeVisible();
      expect((await region('Mine')).getByText('You have no reports right now.')).toBeVisible();
      expect(screen.getByRole('main')).not.toHaveTextContent(/case/i);
      expect(screen.queryByRole('region', { name: /Waiting for me/ })).toBeNull();
    },
  );

  it('shows which days the changes cover on a first visit', async () => {
    serve(getStart, () => ({ data: { ...full, isFirstVisit: true } }));
    renderApp('/start', administrator());
    expect((await region(/Since you left/)).getByText('First visit: the last 7 days')).toBeVisible();
  });

  it.each(['analyst', 'auditor'] as const)(
    'has no link for an %s, and explains that they have no work here',
    async (staffRole) => {
      serve(getStart, () => ({ data: start() }));
      renderApp('/start', moderator({ staffRole }));
      expect(await screen.findByText('Your role has no queue of work')).toBeVisible();
      expect(screen.queryByRole('link', { name: 'Start' })).toBeNull();
    },
  );

  it('moves through the rows of all sections with j and k, and opens one with Enter', async () => {
    serve(getStart, () => ({ data: full }));
    const { person } = renderApp('/start', administrator());
    const [first, second] = [await screen.findByRole('link', { name: /Your case/ }), /Cy Ro/] as const;
    await person.keyboard('j');
    expect(first).toHaveFocus();
    await person.keyboard('j');
    expect(screen.getByRole('link', { name: second })).toHaveFocus();
    await person.keyboard('k');
    expect(first).toHaveFocus();
    await person.keyboard('{Enter}');
    await waitFor(() => expect(currentAddress()).toBe('/cases/one'));
  });

  it('marks what was shown as seen', async () => {
    let shown = full;
    serve(getStart, () => ({ data: shown }));
    serve(markStartSeen, () => {
      shown = start({ mine: full.mine });
      return { data: { since: full.asOf } };
    });
    const { person } = renderApp('/start', moderator());
    await person.click(await screen.findByRole('button', { name: 'Mark as seen' }));
    expect(await screen.findByText('Nothing has changed in your work.')).toBeVisible();
    expect(received(markStartSeen).map(({ body }) => body)).toEqual([{ until: full.asOf }]);
    expect(screen.queryByRole('button', { name: 'Mark as seen' })).toBeNull();
  });

  it('shows the progress of an act on many people', async () => {
    const act = { _id: 'act', kind: 'note' as const, state: 'done' as const, total: 40, done: 40, failed: 0 };
    serve(getStart, () => ({ data: full }));
    serve(getBulkAct, () => ({ data: { act: { ...act, startedAt: full.asOf, failures: [] } } }));
    const { person } = renderApp('/start', administrator());
    await person.click(await screen.findByRole('link', { name: /Act on 40 users/ }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText('Done with 40 of 40.')).toBeVisible();
    await person.click(dialog.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(currentAddress()).toBe('/start'));
  });

  it('shows that nothing is waiting', async () => {
    serve(getStart, () => ({ data: start() }));
    renderApp('/start', moderator());
    expect(await screen.findByText('Nothing is waiting for you')).toBeVisible();
  });
});
