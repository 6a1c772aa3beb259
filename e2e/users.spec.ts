import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { listUsers } from '#contract/profiles/staff.ts';
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
    const lines = await exportList();
    expect(lines[0]).toMatch(/^"?User ID"?,"?First name"?,"?Last name"?,"?Email"?/);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(`"'=cmd|' /C calc'!A0"`);
    expect(lines[1]).toContain(`"'+1-1"`);
  });
});
