import { describe, expect, it } from 'vitest';
import { login } from '#contract/auth/session.ts';
import { changeAdminUser, listUsers } from '#contract/profiles/staff.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { eventually, serviceForTests } from './support/harness.ts';
import { usersScreen } from './users-screen.ts';
import { addressOf, hasFocus, people, see, signInAt, storedSession, tabTo } from './support/visitor.ts';

const service = serviceForTests({ members: 60 });

const { administrator, ada, bo } = people;

async function idOf(token: string, email: string): Promise<string> {
  const { users } = (await service.call(listUsers, { token, query: { search: email } })).body.data;
  return users[0]?._id ?? '';
}

describe('the details of a user', () => {
  it('open above the list with every specified field, and return the focus on closing', async () => {
    const { page, token = '' } = await service.visitor({ as: administrator });
    const screen = usersScreen(page);
    const id = await idOf(token, ada.email);
    await page.goto('/users?search=lindqvist');
    const opener = screen.row('Ada Lindqvist').getByRole('button', { name: 'View Ada Lindqvist' });
    await opener.click();
    const dialog = page.getByRole('dialog', { name: 'User Details' });
    await dialog.waitFor();
    expect(await dialog.locator('dt').allTextContents()).toEqual([
      'Email',
      'User ID',
      'Join Date',
      'Last Active',
      'Age',
      'Gender',
      'Location',
      'Profile Complete',
      'Photo verified',
      'Bio',
    ]);
    await see(dialog, ada.email, id, 'Woman', /^London, /, /wooden boats/);
    await dialog.getByRole('button', { name: 'Edit User' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await eventually(() => hasFocus(opener)).toBe(true);
    await opener.click();
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(addressOf(page)).toBe('/users?search=lindqvist');
  });

  it('can be edited with a reason, which the audit log stores with the change', async () => {
    const { page } = await service.visitor({ as: administrator });
    const screen = usersScreen(page);
    await page.goto('/users?search=hansen');
    await screen.row('Bo Hansen').getByRole('button', { name: 'View Bo Hansen' }).click();
    await page.getByRole('button', { name: 'Edit User' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit Bo Hansen' });
    await dialog.getByLabel('Last name').fill('Hansen-Holm');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await eventually(() => dialog.getByLabel('Reason').getAttribute('aria-invalid')).toBe('true');
    await dialog.getByLabel('Reason').fill('Married, asked us by mail');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await see(page.getByRole('dialog', { name: 'User Details' }), 'The changes are saved.', 'Bo Hansen-Holm');
    await page.keyboard.press('Escape');
    await screen.row('Bo Hansen-Holm').waitFor();

    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Audit' }).click();
    const trail = page.getByRole('table', { name: 'Audit trail' });
    const event = trail.getByRole('row').filter({ hasText: 'Married, asked us by mail' });
    await event.waitFor();
    await see(event, /Iris Calder.* edited user /, 'Last name', 'Hansen', 'Hansen-Holm');
    await trail
      .getByRole('row')
      .filter({ hasText: /viewed user/ })
      .first()
      .waitFor();
  });
});

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

  it('is reverted on the screen with an error message if the server fails', async () => {
    const { page } = await service.visitor({ as: administrator });
    const screen = usersScreen(page);
    await page.goto('/users?search=hansen');
    await page.route('**/api/v1/admin/users/*', (route) =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 500, json: {} }) : route.continue(),
    );
    await screen
      .row(bo.email)
      .getByRole('button', { name: /^Deactivate / })
      .click();
    const dialog = page.getByRole('dialog', { name: /^Deactivate / });
    await dialog.getByLabel('Reason').fill('Only a try');
    await dialog.getByRole('button', { name: 'Deactivate', exact: true }).click();
    await see(page.getByRole('alert'), 'Failed to update status. Please try again.');
    await see(screen.row(bo.email), /^(Online|Offline)$/);
    await page.getByRole('button', { name: 'Try again' }).click();
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('Only a try');
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

  it('is refused for the last administrator', async () => {
    const { token = '' } = await service.visitor({ as: administrator });
    const id = await idOf(token, administrator.email);
    const refused = await service.call(changeAdminUser, {
      token,
      params: { id },
      body: { isActive: false, reason: 'x' },
    });
    expect(refused.status).toBeGreaterThanOrEqual(400);
  });
});
