import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { listCases } from '#contract/moderation/case-list.ts';
import { type DecisionFigures, exportDecidedCases, getDecisionFigures } from '#contract/moderation/decided-cases.ts';
import { findUsers } from '#contract/profiles/find.ts';
import { listUsers } from '#contract/profiles/staff.ts';
import { failWith, RawAnswer, received, serve } from '../../../test/fake-server.ts';
import { administrator, moderator } from '../../../test/fixtures/people.ts';
import { caseLine, decidedLine, serveCases } from '../../../test/fixtures/staff/cases.ts';
import { listedUser } from '../../../test/fixtures/staff/users.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';

const appealed = {
  ...caseLine({ _id: 'appealed', stage: 'open', person: { _id: 'di', name: 'Di Held', email: null, isActive: true } }),
  decision: decidedLine({
    _id: 'decision-2',
    by: { _id: 'le', name: 'Lea Dahl' },
    appeal: 'overturned',
    sanctions: [],
  }),
};
const plain = { ...caseLine({ _id: 'plain', stage: 'decided', due: null }), decision: null };
const list = [{ ...caseLine({ stage: 'decided', due: null }), decision: decidedLine() }, appealed];

async function openClosed(address = '/cases?view=decided', as = administrator()) {
  serveCases({ decided: [...list, plain] }, { pageSize: 3 });
  const app = renderApp(address, as);
  await screen.findByRole('link', { name: 'Di Held' });
  await screen.findByLabelText('Person');
  return app;
}
const rowOf = (name: string) => screen.getByRole('link', { name }).closest('tr');

afterEach(() => vi.restoreAllMocks());

describe('the list of closed cases', () => {
  it('shows each case with its decision as it was', async () => {
    await openClosed();
    const [first, , third] = within(screen.getByRole('table', { name: 'Cases' }))
      .getAllByRole('row')
      .slice(1);
    expect(first).toHaveTextContent('Warning');
    expect(first).toHaveTextContent('2. Respect (version 3)');
    expect(first).toHaveTextContent('A report');
    expect(rowOf('Di Held')).toHaveTextContent('Rules were broken');
    expect(rowOf('Di Held')).toHaveTextContent('Overturned');
    expect(third).toHaveTextContent('Closed without a decision');
    expect(screen.queryByRole('checkbox')).toBeNull();
  });

  it('is searched by rule, outcome, decider, source, appeal and days, all of them in the address', async () => {
    const { person } = await openClosed();
    await person.selectOptions(screen.getByLabelText('Rule'), '2. Respect');
    await person.selectOptions(screen.getByLabelText('Outcome'), 'Rules were broken');
    await person.selectOptions(screen.getByLabelText('Decided by'), 'Lea Dahl');
    await person.selectOptions(screen.getByLabelText('Discovered through'), 'An authority');
    await person.selectOptions(screen.getByLabelText('Appeal'), 'Appealed, not overturned');
    await person.type(screen.getByLabelText('Decided from (UTC)'), '2025-10-01');
    await person.type(screen.getByLabelText('Decided until (UTC)'), '2025-10-31');
    const address = new URL(currentAddress(), 'https://heartwood.test');
    expect(Object.fromEntries(address.searchParams)).toEqual({
      view: 'decided',
      rule: '2',
      outcome: 'actioned',
      decider: 'le',
      source: 'authority',
      appealed: 'true',
      overturned: 'false',
      decidedFrom: '2025-10-01',
      decidedTo: '2025-10-31',
    });
    await waitFor(() =>
      expect(received(listCases).at(-1)?.query).toMatchObject({
        view: 'decided',
        rule: '2',
        appealed: true,
        overturned: false,
        decidedTo: '2025-10-31',
      }),
    );
    const opened = (await screen.findByRole('link', { name: 'Di Held' })).getAttribute('href') ?? '';
    expect(opened).toMatch(/^\/cases\/appealed\?view=decided&rule=2&.*&overturned=false/);
    await person.selectOptions(screen.getByLabelText('Appeal'), 'Any');
    expect(currentAddress()).not.toContain('overturned');
  });

  it('is searched by a person, who is found by name, and by clicking a decider', async () => {
    const { person } = await openClosed();
    serve(listUsers, () => ({
      data: {
        users: [listedUser({ _id: 'bo', name: 'Bo Ek', firstName: 'Bo', lastName: 'Ek' })],
        pagination: { page: 1, limit: 8, total: 1, pages: 1 },
      },
    }));
    await person.type(screen.getByLabelText('Person'), 'Bo');
    await person.click(await screen.findByRole('option', { name: /^Bo Ek/ }));
    expect(currentAddress()).toBe('/cases?view=decided&person=bo');
    await person.click(await screen.findByRole('button', { name: 'Remove filter: About Bo Ek' }));
    expect(currentAddress()).toBe('/cases?view=decided');
    await person.click(await screen.findByRole('link', { name: 'Lea Dahl' }));
    expect(currentAddress()).toBe('/cases?view=decided&decider=le');
    expect(screen.getByLabelText('Decided by')).toHaveValue('le');
  });

  it('looks a person up by a whole address, which is sent in the body only', async () => {
    const { person } = await openClosed();
    serve(findUsers, () => ({
      data: { found: [{ term: 0, user: listedUser({ _id: 'bo' }) }], notFound: [], remaining: 59 },
    }));
    await person.type(screen.getByLabelText('Person'), 'bo@example.test');
    expect(await screen.findByText('Press Enter to look up the whole address.')).toBeVisible();
    await person.keyboard('{Enter}');
    await waitFor(() => expect(currentAddress()).toBe('/cases?view=decided&person=bo'));
    expect(received(findUsers)[0]?.body).toEqual({ terms: ['bo@example.test'] });
    expect(received(listUsers).filter(({ query }) => query.search?.includes('@'))).toEqual([]);
  });

  it('is searched by appeal or by a colleague, but not by both, unless the viewer leads the team', async () => {
    const { person, unmount } = await openClosed('/cases?view=appealed&decider=le&overturned=true', moderator());
    expect(received(listCases)[0]?.query).toMatchObject({ view: 'decided', decider: 'le' });
    expect(received(listCases)[0]?.query).not.toHaveProperty('overturned');
    const choices = () => within(screen.getByLabelText('Appeal')).getAllByRole('option').length;
    expect(choices()).toBe(1);
    await person.selectOptions(screen.getByLabelText('Decided by'), 'Me');
    expect(choices()).toBe(5);
    unmount();
    await openClosed('/cases?view=decided&decider=le');
    expect(choices()).toBe(5);
  });

  it('is exported with a reason by leads of the team only', async () => {
    const { person, unmount } = await openClosed('/cases?view=decided&rule=2');
    // Following the link to the file would leave the page.
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:heartwood');
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    failWith(exportDecidedCases, new RawAnswer(200, 'csv'));
    await person.click(screen.getByRole('button', { name: 'Export' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Export closed cases' }));
    await person.type(dialog.getByLabelText(/^Reason/), 'For the yearly report');
    await person.click(dialog.getByRole('button', { name: 'Export' }));
    await waitFor(() =>
      expect(received(exportDecidedCases)[0]?.query).toEqual({
        view: 'decided',
        rule: '2',
        reason: 'For the yearly report',
      }),
    );
    unmount();
    await openClosed('/cases?view=decided', moderator());
    expect(screen.queryByRole('button', { name: 'Export' })).toBeNull();
  });
});

const some = { decided: 20, appealed: 5, overturned: 1, averageMs: 7_200_000 };
const few = { decided: 3, appealed: null, overturned: null, averageMs: null };
const figures: DecisionFigures = {
  all: { total: { ...some, decided: 23 }, months: [{ month: '2025-10', ...some }] },
  rules: [
    { rule: { clause: '2', title: 'Respect' }, total: some, months: [{ month: '2025-10', ...few }] },
    { rule: null, total: few, months: [{ month: '2025-10', ...few }] },
  ],
  people: [{ _id: 'mo', name: 'Mo Keita', isOwn: true, ...some }],
};

describe('the figures of decisions', () => {
  const tableRows = (name: string) =>
    within(screen.getByRole('table', { name }))
      .getAllByRole('row')
      .slice(1)
      .map((row) => [...row.children].map((cell) => cell.textContent));

  it('are loaded when they are opened, with links to the cases and no shares of small groups', async () => {
    serve(getDecisionFigures, () => ({ data: figures }));
    const { person } = await openClosed();
    expect(received(getDecisionFigures)).toEqual([]);
    await person.click(screen.getByText('Decisions of the last 12 months'));
    await screen.findByRole('table', { name: 'Decisions by rule' });
    expect(tableRows('Decisions by rule')).toEqual([
      ['All rules', '23', '22%', '4%', '2h 0m'],
      ['2. Respect', '20', '25%', '5%', '2h 0m'],
      ['No rule', '3', '—', '—', '—'],
    ]);
    expect(screen.getByRole('link', { name: 'October 2025' })).toHaveAttribute(
      'href',
      '/cases?view=decided&decidedFrom=2025-10-01&decidedTo=2025-10-31',
    );
    expect(screen.getByRole('link', { name: 'Mo Keita (you)' })).toHaveAttribute(
      'href',
      '/cases?view=decided&decider=mo',
    );
    await person.click(screen.getByRole('link', { name: '2. Respect' }));
    expect(currentAddress()).toBe('/cases?view=decided&rule=2');
    expect(await screen.findByRole('table', { name: 'Decisions by month: 2. Respect' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'October 2025' })).toHaveAttribute(
      'href',
      '/cases?view=decided&rule=2&decidedFrom=2025-10-01&decidedTo=2025-10-31',
    );
  });

  it('are downloaded as CSV, without formulas', async () => {
    const saved: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      saved.push(blob as Blob);
      return 'blob:heartwood';
    });
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const people = [{ _id: 'mo', name: '=Mo, K', isOwn: false, ...few }];
    serve(getDecisionFigures, () => ({ data: { ...figures, people } }));
    const { person } = await openClosed();
    await person.click(screen.getByText('Decisions of the last 12 months'));
    await person.click(await screen.findByRole('button', { name: 'Download CSV' }));
    expect((await saved[0]?.text())?.split('\r\n')).toEqual([
      '\uFEFF"Rule","Month","Colleague","Decisions","Appealed","Overturned","Average hours"',
      '"All rules","Total","",23,5,1,2',
      '"All rules","2025-10","",20,5,1,2',
      '"2. Respect","Total","",20,5,1,2',
      '"2. Respect","2025-10","",3,,,',
      '"No rule","Total","",3,,,',
      '"No rule","2025-10","",3,,,',
      `"","","'=Mo, K",3,,,`,
      '',
    ]);
  });
});
