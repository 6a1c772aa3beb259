import { describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { getProfile } from '#contract/profiles/profiles.ts';
import { accessibilityBreaches, overflowPx } from './axe.ts';
import { eventually, serviceForTests } from './support/harness.ts';
import { addressOf, people, see, sessionKeys, storedSession } from './support/visitor.ts';

const phone = { width: 360, height: 740 };
const { ada } = people;

/** Chooses a person on the page that stands in for the provider's sign-in page. */
async function choose(page: Page, provider: 'Google' | 'Facebook', name: string): Promise<void> {
  await see(page, `Who are you at ${provider}?`);
  await page.getByRole('link', { name }).click();
}

/** The accessibility problems of the current page. */
async function expectSound(page: Page): Promise<void> {
  expect(await accessibilityBreaches(page)).toEqual([]);
  expect(await overflowPx(page)).toBeLessThanOrEqual(0);
}

describe('signing in with the built-in issuer', () => {
  const service = serviceForTests({ members: 20 });

  const begin = (page: Page, provider: 'Google' | 'Facebook') =>
    page.getByRole('button', { name: `Continue with ${provider}` }).click();

  it('lets a new member join with Google after entering a birth date, and finds the same account later', async () => {
    const { page } = await service.visitor(phone);
    await page.goto('/app/join');
    await begin(page, 'Google');
    await choose(page, 'Google', 'Nora Newman');
    await see(page, 'Welcome, Nora');
    expect(addressOf(page)).toBe('/app/sign-in');
    await expectSound(page);
    expect(await storedSession(page)).toEqual({});
    await page.getByRole('button', { name: 'Agree and join' }).click();
    await eventually(() => addressOf(page)).toBe('/app/welcome?step=birthday');
    await page.getByLabel('Year').waitFor();
    const { token = '' } = await storedSession(page);
    expect((await service.call(getProfile, { token })).body.userData).toMatchObject({
      requiresVerification: false,
      requiresProfileCompletion: true,
      user: { email: 'nora.newman@heartwood.test', isEmailVerified: true, birthDate: null },
    });

    const later = await service.visitor(phone);
    await later.page.goto('/app/sign-in');
    await begin(later.page, 'Google');
    await choose(later.page, 'Google', 'Nora Newman');
    await eventually(() => addressOf(later.page)).toBe('/app/welcome?step=birthday');
    expect(Object.keys(await storedSession(later.page)).sort()).toEqual(sessionKeys);
    await later.page.goto('/app/discover');
    await see(later.page.getByRole('main'), 'Finish your profile');
  });

  it('lets a member link Google in the settings, sign in with it, and remove it', async () => {
    const { page } = await service.visitor({ ...phone, as: ada });
    await page.goto('/app/settings/security');
    await page.getByRole('button', { name: 'Link Google' }).click();
    await choose(page, 'Google', 'Ada Lindqvist');
    const dialog = page.getByRole('dialog', { name: 'Link Google?' });
    await dialog.getByRole('textbox', { name: 'Current password' }).fill('not this one');
    await dialog.getByRole('button', { name: 'Link account' }).click();
    await see(dialog, 'This is not your current password');
    await dialog.getByRole('textbox', { name: 'Current password' }).fill(ada.password);
    await expectSound(page);
    await dialog.getByRole('button', { name: 'Link account' }).click();
    await see(page.getByRole('list', { name: 'Sign-in methods' }), /^Linked /);
    expect(addressOf(page)).toBe('/app/settings');

    const other = await service.visitor(phone);
    await other.page.goto('/app/support');
    await begin(other.page, 'Google');
    await choose(other.page, 'Google', 'Ada Lindqvist');
    await eventually(() => addressOf(other.page)).toBe('/app/support');

    await page.getByRole('button', { name: 'Unlink Google' }).click();
    await page.getByRole('textbox', { name: 'Current password' }).last().fill(ada.password);
    await page.getByRole('button', { name: 'Unlink account' }).click();
    await page.getByRole('button', { name: 'Link Google' }).waitFor();
  });

  it('lets a member without a password confirm with Google, set one, and sign in with it', async () => {
    // A second attempt needs another person.
    const email = `vera-${crypto.randomUUID()}@example.test`;
    const { page } = await service.visitor();
    await page.goto('/app/sign-in');
    await begin(page, 'Google');
    await page.getByLabel('First name').fill('Vera');
    await page.getByLabel('Address').fill(email);
    await page.getByRole('button', { name: 'Continue as this person' }).click();
    await page.getByRole('button', { name: 'Agree and join' }).click();
    await eventually(() => addressOf(page)).toBe('/app/welcome?step=birthday');
    await service.pool.query(
      `update session set created_at = created_at - interval '1 hour'
      where account_id = (select id from account where email = $1)`,
      [email],
    );
    await page.goto('/app/settings/security');
    const own = page.getByRole('region', { name: 'Password' });
    await own.getByRole('button', { name: 'Set a password...' }).click();
    await own.getByRole('button', { name: 'Confirm with Google' }).click();
    await page.getByLabel('First name').fill('Vera');
    await page.getByLabel('Address').fill(email);
    await page.getByRole('button', { name: 'Continue as this person' }).click();
    await see(page, "Thanks, that's confirmed for the next ten minutes.");
    await expectSound(page);
    // The form opens again after the confirmation.
    await own.getByRole('textbox', { name: 'New password' }).fill('four quiet walnut trees');
    await own.getByRole('button', { name: 'Set password', exact: true }).click();
    await own.getByRole('textbox', { name: 'Current password' }).waitFor();
    const door = await service.visitor();
    await door.page.goto('/app/sign-in');
    await door.page.getByLabel('Email').fill(email);
    await door.page.getByRole('textbox', { name: 'Password' }).fill('four quiet walnut trees');
    await door.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await eventually(() => addressOf(door.page)).toBe('/app/welcome?step=birthday');
  });
});
