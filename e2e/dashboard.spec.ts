import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Statistics } from '#contract/statistics.ts';
import { eventually, serviceForTests } from './support/harness.ts';
import { addressOf, largestShift, people, sumShifts } from './support/visitor.ts';

const service = serviceForTests();
let page: Page;
/** The newest figures that the page received: the number of people online changes during a test. */
let newest: Statistics | undefined;
beforeEach(async () => {
  ({ page } = await service.visitor({ as: people.administrator }));
  newest = undefined;
  page.on('response', (answer) => {
    if (answer.url().endsWith('/admin/statistics'))
      // An answer that arrives while the page closes has no body.
      void answer.json().then(
        ({ data }: { data: Statistics }) => (newest = data),
        () => undefined,
      );
  });
});

const statisticsPath = '**/api/v1/admin/statistics';
const number = (value: number) => value.toLocaleString('en-US');
const percent = (value: number) => `${number(value)}%`;
const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Opens the dashboard; returns the figures it received. */
async function openDashboard(): Promise<Statistics> {
  const answered = page.waitForResponse(statisticsPath);
  await page.goto('/dashboard');
  await page.getByRole('heading', { level: 1, name: 'Dashboard Overview' }).waitFor();
  const { data } = (await (await answered).json()) as { data: Statistics };
  await page.getByRole('table', { name: 'Recent Users' }).waitFor();
  return data;
}

/** The cells of a table, row by row, without the header. */
async function rowsOf(name: string): Promise<string[][]> {
  const rows = await page.getByRole('table', { name, exact: true }).locator('tbody tr').all();
  return await Promise.all(rows.map((row) => row.locator('th, td').allTextContents()));
}

const card = (label: string) =>
  page
    .getByRole('region', { name: 'Key figures' })
    .locator('dl > div')
    .filter({ has: page.getByText(label, { exact: true }) });

const change = (value: number | 'N/A' | undefined) =>
  typeof value === 'number' ? `${value > 0 ? '+' : ''}${percent(value)}` : 'N/A';

/** Each card's name, figure and notes. */
function cardTexts(of: Statistics): [label: string, figure: string, ...notes: string[]][] {
  const { totals, vipRate } = of;
  return [
    ['Total Users', number(totals.users), `${number(totals.newThisMonth)} new this month`],
    ['VIP Users', number(totals.vip), `${percent(vipRate)} VIP rate`],
    ['Active Users', number(totals.active), `${number(totals.online)} online now`],
    [
      'New This Month',
      number(totals.newThisMonth),
      `${change(of.growthPercent)} growth`,
      `${change(of.sameDaysGrowthPercent)} vs. same days of last month`,
    ],
  ];
}

describe('the dashboard', () => {
  it('shows the server’s figures on its cards', async () => {
    const { totals } = await openDashboard();
    expect(totals.users).toBeGreaterThan(150);
    expect(totals.online).toBeGreaterThan(0);
    const differing = async () => {
      const texts = newest === undefined ? [] : cardTexts(newest);
      const shown = texts.map(([label]) => card(label).locator('dd').allTextContents());
      return (await Promise.all(shown)).filter((words, at) => words.join() !== texts[at]?.slice(1).join());
    };
    await eventually(() => newest !== undefined).toBe(true);
    await eventually(differing).toEqual([]);
  });

  it('draws three charts and shows the same data in tables', async () => {
    const { growth, genders, ages, totals } = await openDashboard();
    expect(growth).toHaveLength(6);
    expect(ages.map(({ bucket }) => bucket)).toEqual(['18-25', '26-35', '36-45', '46-55', '56+']);
    for (const name of ['User Growth', 'Gender Distribution', 'Age Distribution']) {
      const chart = page.getByRole('region', { name }).locator('figure > div').first();
      expect((await chart.boundingBox())?.height).toBe(300);
      await eventually(() => chart.locator('svg path').count()).toBeGreaterThanOrEqual(4);
    }
    const months = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
    expect(await rowsOf('User Growth')).toEqual(
      growth.map(({ month, users, vip }) => [months.format(new Date(`${month}-01`)), number(users), number(vip)]),
    );
    expect(await rowsOf('Age Distribution')).toEqual(ages.map(({ bucket, count }) => [bucket, number(count)]));
    const shares = await rowsOf('Gender Distribution');
    expect(shares.map(([gender, count]) => [gender, count])).toEqual(
      genders.map(({ gender, count }) => [capitalised(gender ?? 'not-specified'), number(count)]),
    );
    expect(shares.map(([gender]) => gender)).toContain('Not-specified');
    expect(genders.reduce((sum, { count }) => sum + count, 0)).toBe(totals.users);
  });

  it('opens the list behind a slice with the keyboard, with as many users', async () => {
    const { genders } = await openDashboard();
    const women = genders.find(({ gender }) => gender === 'woman')?.count ?? 0;
    const slice = page.getByRole('link', { name: `Gender Distribution, Woman: ${number(women)}` });
    await slice.focus();
    await page.keyboard.press('Enter');
    await eventually(() => addressOf(page)).toBe('/users?gender=woman');
    await page.getByText(new RegExp(`^Showing ${number(women)} of`)).waitFor();
  });

  it('shows a loading state without layout shifts', async () => {
    await page.addInitScript(sumShifts);
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route(statisticsPath, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto('/dashboard');
    const status = page.getByRole('status').filter({ hasText: 'Loading dashboard data...' });
    await status.waitFor();
    answer();
    await page.getByRole('table', { name: 'Recent Users' }).waitFor();
    await status.waitFor({ state: 'detached' });
    expect(await page.evaluate('shifts')).toBeLessThanOrEqual(largestShift);
  });
});
