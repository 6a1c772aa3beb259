import { describe, expect, it } from 'vitest';
import { login } from '#contract/auth/session.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { eventually, serviceForTests } from './support/harness.ts';
import { usersScreen } from './users-screen.ts';
import { addressOf, hasFocus, people, see, signInAt, storedSession, tabTo } from './support/visitor.ts';

const service = serviceForTests({ members: 60 });

const { administrator, ada, bo } = people;

describe('deactivating a user', () => {
  it('asks for a reason, ends the sessions and shows the member why, until access is restored', async () => {
    const staff = await service.visitor({ as: administrator });
    const member = await service.visitor({ as: ada });
    const screen = usersScreen(staff.page);
    await member.page.goto('/home');
    await see(member.page, 'Find Your Perfect Match');
    await staff.page.goto('/users?search=lindqvist');
    await screen.row('Ada Lindqvist').getByRole('button', { name: 'Deactivate Ada Lindqvist' }).click();
    const dialog = staff.page.getByRole('dialog', { name: 'Deactivate Ada Lindqvist?' });
    await dialog.getByRole('button', { name: 'Deactivate', exact: true }).click();
    await see(dialog, 'Please give a reason');
    await dialog.getByLabel('Reason').fill('Asked others for money');
    const answered = staff.page.waitForResponse('**/api/v1/admin/users/*');
    await dialog.getByRole('button', { name: 'Deactivate', exact: true }).click();
    await answered;
    await eventually(async () => (await service.call(getProfile, { token: member.token ?? '' })).status).toBe(401);
    await see(staff.page, 'Ada Lindqvist is deactivated.');
    await see(screen.row('Ada Lindqvist'), 'Inactive');

    await member.page.reload();
    await eventually(() => addressOf(member.page)).toBe('/login');
    await eventually(() => storedSession(member.page)).toEqual({});
    await member.page.goto('/app/sign-in');
    await signInAt(member.page, ada);
    await see(member.page.getByRole('alert'), 'Your account was deactivated: Asked others for money');

    await screen.row('Ada Lindqvist').getByRole('button', { name: 'Activate Ada Lindqvist', exact: true }).click();
    const back = staff.page.getByRole('dialog', { name: 'Activate Ada Lindqvist?' });
    await back.getByLabel('Reason').fill('It was a misunderstanding');
    await back.getByRole('button', { name: 'Activate', exact: true }).click();
    await see(staff.page, 'Ada Lindqvist is active again.');
    await signInAt(member.page, ada);
    await eventually(() => addressOf(member.page)).toBe('/app/discover');
  });

  it('works with the keyboard from sign-in to Logout', async () => {
    const { page } = await service.visitor();
    const screen = usersScreen(page);
    await page.goto('/users');
    await see(page, 'Welcome Back');
    await tabTo(page, page.getByLabel('Email'));
    await page.keyboard.type(administrator.email);
    await tabTo(page, page.getByRole('textbox', { name: 'Password' }));
    await page.keyboard.type(administrator.password);
    await page.keyboard.press('Enter');
    await screen.table.waitFor();
    await tabTo(page, screen.search);
    await page.keyboard.type('bo@heartwood');
    await screen.row(bo.email).waitFor();
    await tabTo(page, screen.row(bo.email).getByRole('button', { name: /^Deactivate / }));
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: /^Deactivate / });
    await eventually(() => hasFocus(dialog.getByLabel('Reason'))).toBe(true);
    await page.keyboard.type('Without a mouse');
    await tabTo(page, dialog.getByRole('button', { name: 'Deactivate', exact: true }));
    await page.keyboard.press('Space');
    await see(screen.row(bo.email), 'Inactive');
    await see(page, /is deactivated\.$/);
    expect((await service.call(login, { body: bo })).status).toBe(403);
    await eventually(() => screen.row(bo.email).locator(':focus').count()).toBe(1);
    await tabTo(page, page.getByRole('button', { name: 'Logout' }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await eventually(() => addressOf(page)).toBe('/login');
    expect(await storedSession(page)).toEqual({});
  });
});
