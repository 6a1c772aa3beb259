import { describe, expect, it } from 'vitest';
import { listUsers } from '#contract/profiles/staff.ts';
import { eventually, serviceForTests } from './support/harness.ts';
import { usersScreen } from './users-screen.ts';
import { addressOf, people, see } from './support/visitor.ts';

const service = serviceForTests({ members: 1250 });

const mostRowsInDocument = 80;

describe('a list of users that needs several responses', () => {
  it('loads more while scrolling and keeps only the visible rows in the document', async () => {
    const { page, token = '' } = await service.visitor({ as: people.administrator });
    const screen = usersScreen(page);
    const { total } = (await service.call(listUsers, { token })).body.data.pagination;
    expect(total).toBeGreaterThan(1000);
    await page.goto('/users');
    await screen.shows(total, total);
    await eventually(() => screen.table.getAttribute('aria-rowcount')).toBe(String(total + 1));
    const region = page.getByRole('region', { name: 'Users table' });
    await region.focus();
    const lastRow = screen.table.locator(`tr[aria-rowindex="${total + 1}"]`);
    await eventually(async () => {
      await page.keyboard.press('End');
      return lastRow.count();
    }).toBe(1);
    expect(await screen.rows.count()).toBeLessThan(mostRowsInDocument);
    await lastRow.scrollIntoViewIfNeeded();
    await screen.shows(total, total);

    await lastRow.getByRole('button', { name: /^View / }).click();
    const dialog = page.getByRole('dialog', { name: 'User Details' });
    await dialog.waitFor();
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    await lastRow.waitFor();
  });

  it('is filtered by the server on Enter or Search', async () => {
    const { page, token = '' } = await service.visitor({ as: people.administrator });
    const screen = usersScreen(page);
    const counted = async (query: { search?: string; status?: 'inactive' }) =>
      (await service.call(listUsers, { token, query })).body.data.pagination.total;
    const total = await counted({});
    await page.goto('/users');
    await screen.shows(total, total);
    await screen.search.fill('heartwood.test');
    await see(page, 'Press Enter or Search to apply the filters');
    await screen.shows(total, total);
    await page.keyboard.press('Enter');
    await screen.shows(await counted({ search: 'heartwood.test' }), total);
    await eventually(() => addressOf(page)).toBe('/users?search=heartwood.test');
    await page.getByRole('button', { name: 'Clear search' }).click();
    await screen.shows(total, total);
    await screen.status.selectOption('Inactive');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await screen.shows(await counted({ status: 'inactive' }), total);
  });
});
