import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { getStatistics, type Statistics } from '#contract/statistics.ts';
import { eventually, serviceForTests } from './support/harness.ts';
import { addressOf, largestShift, people, see, sumShifts } from './support/visitor.ts';

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

/** Each status and how many users have it. */
const statusTexts = ({ totals }: Statistics) => [
  'Active Users',
  number(totals.active),
  'Online Users',
  number(totals.online),
  'VIP Users',
  number(totals.vip),
  'New This Month',
  number(totals.newThisMonth),
  'Profile Completion',
  `${number(totals.profileComplete)} / ${number(totals.users)}`,
  'Email Verified',
  `${number(totals.emailVerified)} / ${number(totals.users)}`,
];

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

  it('lists how many users have each status', async () => {
    await openDashboard();
    const lines = page.getByRole('region', { name: 'User Status Overview' }).locator('dl > div');
    const differing = async () => {
      const texts = (await lines.locator('dt, dd').allTextContents()).map((text) => text.replaceAll(/\s+/g, ' '));
      return JSON.stringify(texts) === JSON.stringify(newest && statusTexts(newest)) ? [] : texts;
    };
    await eventually(differing).toEqual([]);
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

  it('lists the five newest users with links', async () => {
    const { recentUsers } = await openDashboard();
    expect(recentUsers).toHaveLength(5);
    const dates = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
    expect(await rowsOf('Recent Users')).toEqual(
      recentUsers.map(({ firstName, lastName, name, email, createdAt, isActive, isVIP, isOnline }) => [
        [firstName, lastName].filter(Boolean).join(' ') || (name ?? 'Unknown'),
        email,
        dates.format(new Date(createdAt)),
        isActive ? 'Active' : 'Inactive',
        isVIP ? 'Premium' : 'Free',
        isOnline ? 'Online' : 'Offline',
      ]),
    );
    await page.getByRole('table', { name: 'Recent Users' }).getByRole('link').first().click();
    await eventually(() => addressOf(page)).toBe(`/users/${recentUsers[0]?._id ?? ''}`);
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

  it('shows an error and retries on request', async () => {
    // A socket event would reload before the button is pressed.
    await page.routeWebSocket('**/realtime/**', (socket) => socket.close());
    const refused = { success: false, message: 'The counters are being repaired', code: 'FORBIDDEN', requestId: 'r' };
    await page.route(statisticsPath, (route) => route.fulfill({ status: 403, json: refused }));
    await page.goto('/dashboard');
    await see(page.getByRole('alert'), 'Error loading dashboard data: The counters are being repaired');
    await page.getByRole('link', { name: 'Users', exact: true }).waitFor();
    await page.unroute(statisticsPath);
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('table', { name: 'Recent Users' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('sends three requests before it reports an unreachable server', async () => {
    // Live updates would send further requests.
    await page.routeWebSocket('**/realtime/**', (socket) => socket.close());
    let tries = 0;
    await page.route(statisticsPath, (route) => {
      tries += 1;
      return route.abort();
    });
    await page.goto('/dashboard');
    const unreachable = 'Network error: Unable to connect to server. Please check your internet connection.';
    await see(page.getByRole('alert'), `Error loading dashboard data: ${unreachable}`);
    expect(tries).toBe(3);
  });

  it('is the same for a moderator, without the audit log', async () => {
    const { page: own, token = '' } = await service.visitor({ as: people.moderator });
    await own.goto('/dashboard');
    await own.getByRole('table', { name: 'Recent Users' }).waitFor();
    const links = await own.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents();
    expect(links.map((text) => text.replace(/^Queue.*/, 'Queue'))).toEqual([
      'Dashboard',
      'Users',
      'Reports',
      'Start',
      'Queue',
      'Rules',
      'Insights',
      'My account',
    ]);
    expect((await service.call(getStatistics, { token })).status).toBe(200);
  });
});
