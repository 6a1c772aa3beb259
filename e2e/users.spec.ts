import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { login } from '#contract/auth/session.ts';
import { listUsers } from '#contract/profiles/staff.ts';
import type { QueryInput } from '#contract/endpoint.ts';
import { eventually, serviceForTests } from './support/harness.ts';
import { columns, usersScreen, type UsersScreen } from './users-screen.ts';
import { addressOf, hasFocus, people, see, storedSession, tabTo } from './support/visitor.ts';

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

/** The server's count of matching users. */
async function countOf(query: QueryInput<typeof listUsers>): Promise<number> {
  return (await service.call(listUsers, { token, query })).body.data.pagination.total;
}

async function openUsers(): Promise<void> {
  await page.goto('/users');
  await screen.table.waitFor();
}

describe('the list of users', () => {
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
});

describe('the export', () => {
  it('contains exactly the matching users, safe to open in a spreadsheet', async () => {
    await openUsers();
    await screen.search.fill('spreadsheet');
    await screen.row('=cmd').waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const dialog = page.getByRole('dialog', { name: /^Export/ });
    await dialog.getByRole('button', { name: 'All' }).click();
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('For the yearly figures');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.csv$/);
    const lines = (await readFile(await download.path(), 'utf8')).replace('\uFEFF', '').trimEnd().split('\r\n');
    expect(lines[0]).toMatch(/^"?User ID"?,"?First name"?,"?Last name"?,"?Email"?/);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(`"'=cmd|' /C calc'!A0"`);
    expect(lines[1]).toContain(`"'+1-1"`);
  });
});

describe('deactivating a user', () => {
  it('works with the keyboard from sign-in to Logout', async () => {
    ({ page } = await service.visitor());
    screen = usersScreen(page);
    await page.goto('/users');
    await see(page, 'Welcome Back');
    await tabTo(page, page.getByLabel('Email'));
    await page.keyboard.type(people.administrator.email);
    await tabTo(page, page.getByRole('textbox', { name: 'Password' }));
    await page.keyboard.type(people.administrator.password);
    await page.keyboard.press('Enter');
    await screen.table.waitFor();
    await tabTo(page, screen.search);
    await page.keyboard.type('bo@heartwood');
    await screen.row(people.bo.email).waitFor();
    await tabTo(page, screen.row(people.bo.email).getByRole('button', { name: /^Deactivate / }));
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: /^Deactivate / });
    await eventually(() => hasFocus(dialog.getByLabel('Reason'))).toBe(true);
    await page.keyboard.type('Without a mouse');
    await tabTo(page, dialog.getByRole('button', { name: 'Deactivate', exact: true }));
    await page.keyboard.press('Space');
    await see(screen.row(people.bo.email), 'Inactive');
    await see(page, /is deactivated\.$/);
    expect((await service.call(login, { body: people.bo })).status).toBe(403);
    await eventually(() => screen.row(people.bo.email).locator(':focus').count()).toBe(1);
    await tabTo(page, page.getByRole('button', { name: 'Logout' }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await eventually(() => addressOf(page)).toBe('/login');
    expect(await storedSession(page)).toEqual({});
  });
});
