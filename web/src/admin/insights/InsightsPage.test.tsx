import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { funnelSteps, getFunnel, getRetention } from '#contract/insights/cohorts.ts';
import {
  getGrowth,
  getRevenueSeries,
  getSafetySeries,
  growthMeasures,
  revenueMeasures,
  safetyMeasures,
} from '#contract/insights/series.ts';
import { getWeeklyMail, putWeeklyMail } from '#contract/insights/weekly-mail.ts';
import { getRevenue } from '#contract/subscriptions/subscriptions.ts';
import { loadTexts, speak } from '../../ui/text/catalogues.ts';
import { failWith, RawAnswer, received, serve } from '../../../test/fake-server.ts';
import { administrator, moderator } from '../../../test/fixtures/people.ts';
import { revenue as revenueNow } from '../../../test/fixtures/premium.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';

const counted = { countedAt: '2026-06-15T11:07:00.000Z', progress: null, visitsSince: null };
const periods = ['2026-06-13', '2026-06-14'].map((day) => ({ from: day, to: day, days: 1, isOver: true }));
const valuesOf = (measures: object, values: number[]) =>
  Object.fromEntries(Object.keys(measures).map((name) => [name, values]));
const series = (measures: object, rest: object = {}) => ({
  ...{ periods, values: valuesOf(measures, [4, 6]), before: { periods, values: valuesOf(measures, [2, 3]) } },
  ...{ by: 'day', isHidden: false, countries: ['Czechia'], ...counted, ...rest },
});
/** The other figure in the sentence besides sign-ups, with the value of the earlier periods. */
const unchanged = { dailyActive: [2, 3], likes: [2, 3], matches: [2, 3], messages: [2, 3], conversations: [2, 3] };
const windows = (week: number | null) => ({ week, month: week, ever: week });
const funnel = (month = '2026-06') => ({
  ...{ month, months: ['2026-06', '2026-05'], unfinished: ['month', 'ever'], ...counted },
  steps: funnelSteps.map((step) => ({
    step,
    all: { week: step === 'joined' ? 60 : 15, month: 20, ever: 25 },
    genders: [
      { gender: 'woman', week: step === 'joined' ? 40 : 12, month: 14, ever: 16 },
      { gender: 'man', ...windows(null) },
    ],
  })),
});

beforeEach(() => {
  vi.setSystemTime(new Date('2026-06-15T12:00:00Z'));
  serve(getGrowth, () => ({ data: series(growthMeasures) as never }));
  serve(getFunnel, ({ query }) => ({ data: funnel(query.month) as never }));
  serve(getRetention, () => ({
    data: {
      cohorts: [
        { month: '2026-06', joined: 60, active: [{ people: 45, isOver: false }] },
        {
          month: '2026-05',
          joined: null,
          active: [
            { people: null, isOver: true },
            { people: null, isOver: false },
          ],
        },
      ],
      ...counted,
    },
  }));
  serve(getWeeklyMail, () => ({ data: { isWanted: false } }));
});

const open = async (address = '/insights', user = administrator()) => {
  const app = renderApp(address, user);
  await screen.findByRole('heading', { level: 1, name: 'Insights' });
  return app;
};
const tile = async (name: string) => within(await screen.findByRole('region', { name }));

describe('/insights', () => {
  it('shows each figure with its change, its definition and its chart as a table', async () => {
    await open();
    const signUps = await tile('Sign-ups');
    expect(signUps.getByText('Joined', { selector: 'dt' }).nextSibling).toHaveTextContent('10 +100%, before: 5');
    expect(signUps.getByRole('button', { name: 'What is Sign-ups?' })).toHaveAccessibleDescription(
      /^People who joined/,
    );
    const rows = within(signUps.getByRole('table', { name: 'Sign-ups' })).getAllByRole('row');
    expect(rows.map((row) => row.textContent)).toEqual(['DayJoinedBefore', 'Jun 13, 202642', 'Jun 14, 202663']);
    expect(received(getGrowth).map(({ query }) => query)).toContainEqual({
      ...{ from: '2026-03-30', to: '2026-06-14', by: 'week', compare: 'previous' },
    });
  });

  it.each([
    [{}, '5 more people joined than before; more active members.'],
    [{ ...unchanged, signUps: [1, 1], matches: [0, 0] }, '3 fewer people joined than before; fewer matches.'],
    [{ ...unchanged, signUps: [2, 3] }, 'As many people joined as before.'],
  ])('states the biggest change in one sentence (case %#)', async (changed, sentence) => {
    const values = { ...valuesOf(growthMeasures, [4, 6]), ...changed };
    serve(getGrowth, () => ({ data: series(growthMeasures, { values }) as never }));
    await open();
    expect((await tile('At a glance')).getByText(sentence)).toBeVisible();
  });

  it('keeps the range, the comparison and the group in its address', async () => {
    const { person } = await open();
    await person.selectOptions(await screen.findByRole('combobox', { name: 'Range' }), '12m');
    await person.selectOptions(screen.getByRole('combobox', { name: 'Gender' }), 'woman');
    await person.selectOptions(screen.getByRole('combobox', { name: 'Country' }), 'Czechia');
    expect(currentAddress()).toBe('/insights?range=12m&gender=woman&country=Czechia');
    await waitFor(() =>
      expect(received(getGrowth).at(-1)?.query).toEqual({
        ...{ from: '2025-07-15', to: '2026-06-14', by: 'month', compare: 'previous' },
        ...{ gender: 'woman', country: 'Czechia' },
      }),
    );
    await person.click(screen.getByRole('link', { name: 'Safety' }));
    expect(currentAddress()).toBe('/insights/safety?range=12m&gender=woman&country=Czechia');
  });

  it('combines a gender with an age or a country', async () => {
    const { person } = await open('/insights?gender=woman');
    await person.selectOptions(await screen.findByRole('combobox', { name: 'Age' }), '18-25');
    expect(currentAddress()).toBe('/insights?gender=woman&ageBand=18-25');
    await person.selectOptions(screen.getByRole('combobox', { name: 'Country' }), 'Czechia');
    expect(currentAddress()).toBe('/insights?gender=woman&country=Czechia');
  });

  it('saves the rows of a tile as a file', async () => {
    const made = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:heartwood');
    const names: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download);
    });
    const { person } = await open();
    await person.click((await tile('Sign-ups')).getByRole('button', { name: 'Sign-ups: save as CSV' }));
    expect(names).toEqual(['heartwood-sign-ups.csv']);
    const blob = made.mock.calls[0]?.[0] as Blob | undefined;
    expect(
      (await blob?.text())
        ?.replaceAll(/["\uFEFF]/g, '')
        .split('\r\n')
        .slice(0, 2),
    ).toEqual([
      'From,To,Joined,Joined before,Members in total,Members in total before',
      '2026-06-13,2026-06-13,4,2,4,2',
    ]);
  });

  it('saves the retention as numbers, with months in ISO 8601', async () => {
    const made = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:heartwood');
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const { person } = await open();
    await person.click((await tile('Retention')).getByRole('button', { name: 'Retention: save as CSV' }));
    const blob = made.mock.calls[0]?.[0] as Blob | undefined;
    expect((await blob?.text())?.split('\r\n')).toEqual([
      '\uFEFF"Joined in","People","Month 0 (%)","Month 1 (%)"',
      '"2026-06",60,75,',
      '"2026-05",,,',
      '',
    ]);
  });

  it('saves the retention with a header row in the reader’s language', async () => {
    const made = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:heartwood');
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const { person } = await open();
    await loadTexts('staff');
    await act(() => speak('de'));
    await person.click(await screen.findByRole('button', { name: 'Retention: als CSV speichern' }));
    const blob = made.mock.calls[0]?.[0] as Blob | undefined;
    expect((await blob?.text())?.split('\r\n')[0]).toBe('\uFEFF"Registriert im","Leute","Monat 0 (%)","Monat 1 (%)"');
  });

  it('shows how many women and men of a month wrote within a week', async () => {
    const { person } = await open();
    await person.selectOptions(await screen.findByRole('combobox', { name: 'Joined in' }), '2026-05');
    await person.click(screen.getByRole('button', { name: 'A week' }));
    const row = within(screen.getByRole('table', { name: 'Steps by gender' })).getByRole('row', { name: /^Message/ });
    expect([...row.children].map((cell) => cell.textContent)).toEqual(['Message', '0', '15 · 25%', '12 · 30%', '–']);
    expect(await screen.findByText('Members who joined in May 2026')).toBeVisible();
  });

  it('shows everyone together if only one gender may be shown', async () => {
    await open();
    const drawn = within(await screen.findByRole('table', { name: 'From joining to premium' }));
    expect(drawn.getAllByRole('columnheader').map((cell) => cell.textContent)).toEqual(['Step', 'Everyone']);
  });

  it('marks incomplete months of the retention', async () => {
    await open();
    const grid = within((await tile('Retention')).getByRole('table'));
    expect(grid.getAllByRole('row').map((row) => row.textContent)).toEqual([
      'Joined inPeople+0+1',
      'June 20266075% so far',
      'May 2026––– so far',
    ]);
  });

  it('shows that a group can’t be shown, and clears it', async () => {
    serve(getGrowth, ({ query }) => ({
      data: series(growthMeasures, { isHidden: query.gender !== undefined }) as never,
    }));
    const { person } = await open('/insights?gender=non-binary');
    expect(await screen.findByText('This group can’t be shown')).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(await screen.findByRole('region', { name: 'Sign-ups' })).toBeVisible();
  });

  it('shows how far earlier days are counted, and an error that can be retried', async () => {
    serve(getGrowth, () => ({
      data: series(growthMeasures, { countedAt: null, progress: { done: 40, total: 180 } }) as never,
    }));
    const { unmount } = await open();
    expect(await screen.findByText(/^Counting earlier days: 40 of 180/)).toBeVisible();
    unmount();
    failWith(getGrowth, new RawAnswer(409, ''));
    await open('/insights?range=7d');
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Error loading insights: /);
  });

  it('turns the Monday email on', async () => {
    serve(putWeeklyMail, ({ body }) => ({ data: body }));
    const { person } = await open();
    await person.click(await screen.findByRole('button', { name: 'Email me each Monday' }));
    expect(await screen.findByRole('button', { name: 'Stop the Monday email' })).toBeVisible();
    expect(received(putWeeklyMail).at(-1)?.body).toEqual({ isWanted: true });
  });
});

describe('/insights/safety', () => {
  it('computes rates from the periods in which both figures are shown', async () => {
    const values = { ...valuesOf(safetyMeasures, [0, 0]), reports: [4, null], dailyActive: [2000, 3000] };
    serve(getSafetySeries, () => ({ data: series(safetyMeasures, { values, before: null }) as never }));
    await open('/insights/safety?gender=woman');
    const reports = await tile('Reports per 1,000 active members');
    expect(reports.getByText(/^Per 1,000 active/, { selector: 'dt' }).nextSibling).toHaveTextContent(/^2$/);
  });
});

describe('/insights/revenue', () => {
  it('shows premium, churn, money, and what recurs each month', async () => {
    const money = [{ currency: 'USD', paidMinor: [1000, 2000], refundedMinor: [0, 500], payments: [1, 2] }];
    serve(getRevenueSeries, () => ({ data: series(revenueMeasures, { money }) as never }));
    serve(getRevenue, () => ({ data: revenueNow({ monthlyRecurring: { amountMinor: 123_450, currency: 'USD' } }) }));
    await open('/insights/revenue');
    const recurring = await screen.findByText('Monthly recurring revenue, now');
    await waitFor(() => expect(recurring.nextSibling).toHaveTextContent('$1,234.50 Active and past due'));
    const revenue = await tile('Revenue in USD');
    expect(revenue.getByText('Paid', { selector: 'dt' }).nextSibling).toHaveTextContent('$30.00');
    expect((await tile('Churn')).getByText('A day, on average', { selector: 'dt' }).nextSibling).toHaveTextContent(
      '100%',
    );
  });

  it('is closed to moderators, like its tab', async () => {
    serve(getSafetySeries, () => ({ data: series(safetyMeasures) as never }));
    const { unmount } = await open('/insights/safety', moderator());
    expect((await tile('Repeat rate')).getByText('Repeated', { selector: 'dt' }).nextSibling).toHaveTextContent('100%');
    const tabs = within(screen.getByRole('navigation', { name: 'Insights' })).getAllByRole('link');
    expect(tabs.map(({ textContent }) => textContent)).toEqual(['Growth', 'Safety']);
    unmount();
    renderApp('/insights/revenue', moderator());
    await waitFor(() => expect(currentAddress()).toBe('/dashboard'));
  });
});
