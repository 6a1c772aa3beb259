import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Statistics } from '#contract/statistics.ts';
import { eventually, serviceForTests } from './support/harness.ts';
import { addressOf, largestShift, people, sumShifts } from './support/visitor.ts';

const service = serviceForTests();
let page: Page;
beforeEach(async () => {
  ({ page } = await service.visitor({ as: people.administrator }));
});

const statisticsPath = '**/api/v1/admin/statistics';
const number = (value: number) => value.toLocaleString('en-US');

/** Opens the dashboard; returns the figures it received. */
async function openDashboard(): Promise<Statistics> {
  const answered = page.waitForResponse(statisticsPath);
  await page.goto('/dashboard');
  await page.getByRole('heading', { level: 1, name: 'Dashboard Overview' }).waitFor();
  const { data } = (await (await answered).json()) as { data: Statistics };
  await page.getByRole('table', { name: 'Recent Users' }).waitFor();
  return data;
}

describe('the dashboard', () => {
  it('draws three charts', async () => {
    await openDashboard();
    for (const name of ['User Growth', 'Gender Distribution', 'Age Distribution']) {
      const chart = page.getByRole('region', { name }).locator('figure > div').first();
      expect((await chart.boundingBox())?.height).toBe(300);
      await eventually(() => chart.locator('svg path').count()).toBeGreaterThanOrEqual(4);
    }
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
