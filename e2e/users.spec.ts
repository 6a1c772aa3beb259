import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { exportUsers, listUsers } from '#contract/profiles/staff.ts';
import type { QueryInput } from '#contract/endpoint.ts';
import { eventually, serviceForTests } from './support/harness.ts';
import { columns, usersScreen, type UsersScreen } from './users-screen.ts';
import { addressOf, hasFocus, people, see } from './support/visitor.ts';

const service = serviceForTests();
let page: Page;
let token: string;
let screen: UsersScreen;
let all: number;

beforeEach(async () => {
  const visitor = await service.visitor({ as: people.administrator });
  ({ page, token = '' } = visitor);
  screen = usersScreen(page);
  all = await countOf({});
});

/** Exports all columns of what the list shows, with a reason. */
async function exportList(): Promise<string[]> {
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: /^Export/ });
  await dialog.getByRole('button', { name: 'All' }).click();
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('For the yearly figures');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.csv$/);
  return (await readFile(await download.path(), 'utf8')).replace('\uFEFF', '').trimEnd().split('\r\n');
}

/** The server's count of matching users. */
async function countOf(query: QueryInput<typeof listUsers>): Promise<number> {
  return (await service.call(listUsers, { token, query })).body.data.pagination.total;
}

async function openUsers(search = ''): Promise<void> {
  await page.goto(`/users${search}`);
  await screen.table.waitFor();
}

describe('the list of users', () => {
  it('requests page 1 with limit 1000 and shows every column', async () => {
    const asked = page.waitForRequest('**/api/v1/auth/users?*');
    await openUsers();
    const query = new URL((await asked).url()).searchParams;
    expect(Object.fromEntries(query)).toEqual({ page: '1', limit: '1000' });
    await page.getByRole('heading', { level: 1, name: 'Users Management' }).waitFor();
    expect((await screen.table.getByRole('columnheader').allInnerTexts()).map((text) => text.trim())).toEqual([
      'User',
      'Contact',
      'Join Date',
      'Last Active',
      'Status',
      'Subscription',
      'Actions',
    ]);
    await screen.shows(all, all);
    expect(await screen.table.getAttribute('aria-rowcount')).toBe(String(all + 1));

    await screen.search.fill(people.bo.email);
    await screen.shows(1, all);
    const cells = await screen.row('Bo Hansen').locator('td').allInnerTexts();
    const { _id: id } =
      (await service.call(listUsers, { token, query: { search: people.bo.email } })).body.data.users[0] ?? {};
    expect(cells[columns.user]).toMatch(/Bo Hansen/);
    expect(cells[columns.user]).toContain(id?.slice(0, 8));
    expect(cells[columns.user]).toMatch(/Verified/);
    expect(cells[columns.contact]).toMatch(/bo@heartwood\.test\s+London/);
    expect(cells[columns.lastActive]).toMatch(/^\d+h ago$/);
    expect(cells[columns.status]).toBe('Offline');
    expect(cells[columns.subscription]).toBe('Premium');
    const action = (name: string) => screen.table.getByRole('button', { name, exact: true });
    expect(await action('View Bo Hansen').isEnabled()).toBe(true);
    expect(await action('Activate Bo Hansen').isDisabled()).toBe(true);
    expect(await action('Deactivate Bo Hansen').isEnabled()).toBe(true);
  });

  it('filters immediately by status and type, with the server’s counts', async () => {
    await openUsers();
    await screen.status.selectOption('Inactive');
    await screen.shows(await countOf({ status: 'inactive' }), all);
    expect(new Set(await screen.column(columns.status))).toEqual(new Set(['Inactive']));
    await screen.status.selectOption('Verified');
    await screen.shows(await countOf({ status: 'verified' }), all);
    expect((await screen.column(columns.user)).join()).not.toMatch(/Unverified/);
    await screen.type.selectOption('VIP');
    await screen.shows(await countOf({ status: 'verified', type: 'vip' }), all);
    expect(new Set(await screen.column(columns.subscription))).toEqual(new Set(['Premium']));
    await screen.type.selectOption('Free');
    await screen.status.selectOption('All Status');
    await screen.shows(await countOf({ type: 'free' }), all);
    expect(new Set(await screen.column(columns.subscription))).toEqual(new Set(['Free']));
  });

  it('searches names and addresses ignoring case, and searches on the server on Enter', async () => {
    await openUsers();
    await screen.search.fill('O’HARA nobody');
    await see(page, 'No users found matching your criteria');
    await screen.shows(0, all);
    await page.getByRole('button', { name: 'Clear search' }).click();
    await screen.shows(all, all);
    await eventually(() => hasFocus(screen.search)).toBe(true);

    await screen.search.fill('lIndQ');
    await screen.shows(await countOf({ search: 'lindq' }), all);
    await screen.row('Ada Lindqvist').waitFor();
    const answered = page.waitForResponse((response) => response.url().includes('/auth/users?search=lIndQ'));
    await page.keyboard.press('Enter');
    expect((await answered).status()).toBe(200);
    await eventually(() => addressOf(page)).toBe('/users?search=lIndQ');
    await screen.row('Ada Lindqvist').waitFor();
    await page.getByRole('button', { name: 'Search', exact: true }).waitFor();
  });

  it('offers to clear the filters when nothing matches', async () => {
    await page.goto('/users?search=nobody-at-all&status=online');
    await see(page, 'No users found matching your criteria');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await screen.shows(all, all);
    expect(addressOf(page)).toBe('/users');
    expect(await screen.search.inputValue()).toBe('');
    expect(await screen.status.inputValue()).toBe('all');
  });

  it('keeps filters, order and the open user in the URL across reload and Back', async () => {
    await openUsers();
    await screen.status.selectOption('Active');
    await eventually(() => addressOf(page)).toBe('/users?status=active');
    await screen.table.getByRole('button', { name: 'User', exact: true }).click();
    await eventually(() => addressOf(page)).toBe('/users?status=active&sortBy=name');
    // The previous rows stay until the response arrives.
    const { users } = (
      await service.call(listUsers, { token, query: { status: 'active', sortBy: 'name', sortOrder: 'asc' } })
    ).body.data;
    const top = async () => (await screen.column(columns.user))[0];
    await eventually(top).toContain(users[0]?._id.slice(0, 8));
    const sorted = await screen.column(columns.user);
    const header = screen.table.getByRole('columnheader', { name: 'User', exact: true });
    expect(await header.getAttribute('aria-sort')).toBe('ascending');

    await screen.rows
      .first()
      .getByRole('button', { name: /^View / })
      .click();
    const dialog = page.getByRole('dialog', { name: 'User Details' });
    await dialog.waitFor();
    const opened = addressOf(page);
    expect(opened).toMatch(/user=/);
    await page.reload();
    await dialog.waitFor();
    expect(addressOf(page)).toBe(opened);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await screen.status.inputValue()).toBe('active');
    await eventually(() => screen.column(columns.user)).toEqual(sorted);

    await page.getByRole('link', { name: 'Dashboard' }).click();
    await page.getByRole('heading', { level: 1, name: 'Dashboard Overview' }).waitFor();
    await page.goBack();
    await screen.table.waitFor();
    expect(await screen.status.inputValue()).toBe('active');
    expect(await header.getAttribute('aria-sort')).toBe('ascending');
  });

  it('shows an error, keeps the figures, and retries on request', async () => {
    const refused = { success: false, message: 'Not today', code: 'FORBIDDEN', requestId: 'r' };
    const listPath = /\/auth\/users\?/;
    await page.route(listPath, (route) => route.fulfill({ status: 403, json: refused }));
    await page.goto('/users');
    await see(page.getByRole('alert'), 'Error loading users: Not today');
    await see(page.getByRole('region', { name: 'Key figures' }), 'Engagement Rate');
    await page.unroute(listPath);
    await page.getByRole('button', { name: 'Retry' }).click();
    await screen.shows(all, all);
  });

  it('shows a loading state', async () => {
    await page.route(/\/auth\/users\?/, () => undefined);
    await page.goto('/users');
    await page.getByRole('status').filter({ hasText: 'Loading users data...' }).waitFor();
  });
});

describe('the export', () => {
  it('contains exactly the matching users, safe to open in a spreadsheet', async () => {
    await openUsers();
    await screen.search.fill('spreadsheet');
    await screen.row('=cmd').waitFor();
    const lines = await exportList();
    expect(lines[0]).toMatch(/^"?User ID"?,"?First name"?,"?Last name"?,"?Email"?/);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(`"'=cmd|' /C calc'!A0"`);
    expect(lines[1]).toContain(`"'+1-1"`);
  });

  it('contains the whole list without filters', async () => {
    await openUsers('?type=vip');
    expect(await exportList()).toHaveLength(1 + (await countOf({ type: 'vip' })));
  });
});

describe('the users screen of a moderator', () => {
  it('shows masked addresses and no edit, export or audit log', async () => {
    const moderator = await service.visitor({ as: people.moderator });
    const own = usersScreen(moderator.page);
    const asked = moderator.page.waitForRequest('**/api/v1/auth/users?*');
    await moderator.page.goto('/users');
    expect(new URL((await asked).url()).searchParams.get('limit')).toBe('1000');
    await own.table.waitFor();
    const contacts = (await own.column(columns.contact)).map((text) => text.split('\n')[0] ?? '');
    expect(contacts.length).toBeGreaterThan(5);
    for (const contact of contacts) expect(contact).toMatch(/^[^@]{1,4}@[^@.]{1,4}\.[a-z]+$/);
    expect(await own.rows.getByRole('button', { name: /^(Activate|Deactivate) / }).count()).toBe(0);
    expect(await moderator.page.getByRole('button', { name: 'Export' }).count()).toBe(0);
    expect(await moderator.page.getByRole('link', { name: 'Audit' }).count()).toBe(0);

    await own.rows
      .first()
      .getByRole('button', { name: /^View / })
      .click();
    const dialog = moderator.page.getByRole('dialog', { name: 'User Details' });
    await dialog.getByText('User ID').waitFor();
    await dialog.getByRole('button', { name: 'Close', exact: true }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Edit User' }).count()).toBe(0);
    const refused = await service.call(exportUsers, { token: moderator.token ?? '' });
    expect(refused.status).toBe(403);
  });
});
