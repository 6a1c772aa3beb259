import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { getFunnel, getRetention } from '#contract/insights/cohorts.ts';
import { eventually, serviceForTests } from './support/harness.ts';
import { spokenOn } from './support/spoken.ts';
import { people } from './support/visitor.ts';

const service = serviceForTests({ members: 300 });
/** Counting all days of the demo takes long on a busy machine. */
const countedWithinMs = 300_000;

/** Counts clicks, pressed keys and chosen options in a page. */
async function countPresses(page: Page): Promise<() => Promise<number>> {
  const listen = `globalThis.presses = 0;
    for (const kind of ['pointerdown', 'keydown', 'change']) addEventListener(kind, () => globalThis.presses++, true);`;
  await page.evaluate(listen);
  return () => page.evaluate('presses');
}

describe('/insights', () => {
  it('shows how many women and men who joined in a month wrote within a week, in at most ten key presses or clicks', async () => {
    const { page, token = '' } = await service.visitor({ as: people.administrator });
    const funnel = async (month?: string) =>
      (await service.call(getFunnel, { token, query: month === undefined ? {} : { month } })).body.data;
    await expect.poll(async () => (await funnel()).countedAt, { timeout: countedWithinMs }).not.toBeNull();
    const [, last = ''] = (await funnel()).months;
    const { steps } = await funnel(last);
    const wrote = steps.find(({ step }) => step === 'messaged');
    await page.goto('/dashboard');
    await page.getByRole('heading', { level: 1 }).waitFor();
    const presses = await countPresses(page);
    const link = page.getByRole('link', { name: 'Insights', exact: true }).filter({ visible: true });
    if ((await link.count()) === 0) await page.getByRole('button', { name: 'Open menu' }).click();
    await link.first().click();
    await page.getByRole('combobox', { name: 'Joined in' }).selectOption(last);
    await page.getByRole('button', { name: 'A week' }).click();
    const row = page.getByRole('table', { name: 'Steps by gender' }).getByRole('row', { name: /^Message/ });
    const shown = [wrote?.all, ...(wrote?.genders ?? [])].map((each) => (each?.week == null ? '–' : String(each.week)));
    await eventually(async () =>
      (await row.locator('td').allTextContents()).slice(1).map((text) => text.split(' · ')[0]),
    ).toEqual(shown);
    expect(await presses()).toBeLessThanOrEqual(10);
  });

  it.each(['en', 'de'])(
    'shows thirteen months of retention without scrolling at 1280 px in the language %s',
    async (language) => {
      const { page, token = '' } = await service.visitor({ as: people.administrator });
      const { body } = await service.call(getRetention, { token, query: {} });
      const cohorts = Array.from({ length: 13 }, (_, ago) => ({
        month: new Date(Date.UTC(2025, 11 - ago)).toISOString().slice(0, 7),
        joined: 12_345,
        active: Array.from({ length: ago + 1 }, (_, after) => ({ people: 12_222, isOver: after < ago })),
      }));
      const json = { ...body, data: { ...body.data, cohorts, visitsSince: '2026-01-01' } };
      await page.route('**/admin/insights/cohorts*', (route) => route.fulfill({ json }));
      const speak = await spokenOn(page);
      await page.goto('/insights');
      const grid = '[tabindex]:has(> table th:nth-child(15))';
      await page.locator(grid).waitFor();
      await speak(language);
      const hiddenPx = `((region) => region.scrollWidth - region.clientWidth)(document.querySelector('${grid}'))`;
      expect(await page.evaluate(hiddenPx)).toBeLessThanOrEqual(0);
    },
  );

  it('saves a picture of a chart', async () => {
    const { page } = await service.visitor({ as: people.administrator, scheme: 'dark' });
    await page.goto('/insights');
    const save = page.getByRole('button', { name: 'Sign-ups: save as PNG' });
    await save.waitFor({ timeout: countedWithinMs });
    const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
    expect(download.suggestedFilename()).toBe('heartwood-sign-ups.png');
  });
});
