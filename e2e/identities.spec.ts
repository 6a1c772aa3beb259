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
});
