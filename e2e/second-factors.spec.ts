import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { codeAt } from '../server/test/factors.ts';
import { accessibilityBreaches } from './axe.ts';
import { eventually, serviceForTests } from './support/harness.ts';
import { addressOf, people, see, signInAt, storedSession, type Credentials, type Visitor } from './support/visitor.ts';

const { ada, bo, administrator } = people;

/** Gives the visitor's browser an authenticator that always approves. */
async function giveDevice({ context, page }: Visitor, { offersThem = false } = {}): Promise<void> {
  const device = await context.newCDPSession(page);
  await device.send('WebAuthn.enable');
  const how = { hasResidentKey: true, hasUserVerification: true, isUserVerified: true };
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', ...how, automaticPresenceSimulation: true },
  });
  // Otherwise it would accept the first request before any button is pressed.
  if (!offersThem)
    await context.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false)');
}

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** Turns on two-step verification when the page asks for it; returns the authenticator key. */
async function turnOn(page: Page): Promise<{ secret: string; codes: string[] }> {
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  const groups = await page.getByText(/^([A-Z2-7]{4} ?){8}$/).textContent();
  const secret = (groups ?? '').replaceAll(' ', '');
  await page.getByLabel('Code from your app').fill(codeAt(secret, new Date()));
  const list = page.getByRole('list', { name: 'Recovery codes' });
  await list.waitFor();
  const codes = await list.getByRole('listitem').allTextContents();
  await page.getByRole('button', { name: "I've saved them" }).click();
  return { secret, codes };
}

async function signInAgain(page: Page, person: Credentials, button: 'Sign in' | 'Sign In'): Promise<void> {
  await page.getByLabel('Email').fill(person.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password);
  await page.getByRole('button', { name: button, exact: true }).click();
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Logout' }).click();
  await eventually(() => storedSession(page)).toEqual({});
}

async function removePasskey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Remove Chrome on Linux' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove passkey' }).click();
  await page.getByRole('list', { name: 'Passkeys' }).waitFor({ state: 'detached' });
}

describe('a member with a second factor', () => {
  const service = serviceForTests({ host: 'localhost' });

  it('can create a passkey in the settings and sign in with only the passkey', async () => {
    const visitor = await service.visitor({ as: ada });
    const { page } = visitor;
    await giveDevice(visitor);
    await page.goto('/app/settings/security');
    await page.getByRole('button', { name: 'Add a passkey...' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
    await dialog.getByRole('textbox', { name: 'Current password' }).fill(ada.password);
    expect(await accessibilityBreaches(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create passkey' }).click();
    await see(page.getByRole('list', { name: 'Passkeys' }), 'Chrome on Linux', 'Not used yet');
    await logOut(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await eventually(() => addressOf(page)).toBe('/app/discover');
    await page.goto('/app/settings/security');
    await see(page.getByRole('list', { name: 'Passkeys' }), /^Last used/);
    await removePasskey(page);
    await logOut(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('alert').waitFor();
    expect(await storedSession(page)).toEqual({});
  });

  it('sees the passkey as a suggestion in the email field', async () => {
    const visitor = await service.visitor({ as: ada });
    const { page } = visitor;
    await giveDevice(visitor, { offersThem: true });
    await page.goto('/app/settings/security');
    await page.getByRole('button', { name: 'Add a passkey...' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Current password' }).fill(ada.password);
    await page.getByRole('dialog').getByRole('button', { name: 'Create passkey' }).click();
    await page.getByRole('list', { name: 'Passkeys' }).waitFor();
    await page.getByRole('button', { name: 'Logout' }).click();
    // The authenticator in this test accepts immediately.
    await eventually(() => addressOf(page)).toBe('/app/discover');
    expect(Object.keys(await storedSession(page)).sort()).toEqual(['refreshToken', 'token', 'user']);
    await page.goto('/app/settings/security');
    await removePasskey(page);
  });

  it('can set up two-step verification and sign in with a code or a recovery code', async () => {
    const { page } = await service.visitor({ as: bo });
    await page.goto('/app/settings/security');
    await page.getByRole('button', { name: 'Set up two-step verification' }).click();
    const step = part(page, 'Two-step verification');
    await step.getByRole('textbox', { name: 'Current password' }).fill(bo.password);
    await step.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
    expect(await accessibilityBreaches(page)).toEqual([]);
    const { secret, codes } = await turnOn(page);
    await see(step, '10 recovery codes left');
    await logOut(page);

    await signInAgain(page, bo, 'Sign in');
    await see(page, 'One more step');
    expect(await storedSession(page)).toEqual({});
    expect(await accessibilityBreaches(page)).toEqual([]);
    await page.getByLabel('Code from your app').fill(codeAt(secret, new Date(), 1).replace(/^(...)/, '$1 '));
    await eventually(() => addressOf(page)).toBe('/app/discover');
    await logOut(page);
    await page.goto('/app/sign-in');

    await signInAgain(page, bo, 'Sign in');
    await page.getByRole('button', { name: 'Use a recovery code instead' }).click();
    await page.getByLabel('Recovery code').fill(codes[0] ?? '');
    await page.getByRole('button', { name: 'Continue' }).click();
    await eventually(() => addressOf(page)).toBe('/app/discover');
    await page.goto('/app/settings/security');
    await see(part(page, 'Two-step verification'), '9 recovery codes left');
  });
});

describe('a staff member who must use two-step verification', () => {
  const service = serviceForTests({ host: 'localhost', environment: { STAFF_MFA: 'on' } });

  it('sets it up at sign-in and uses it from then on', async () => {
    const { page } = await service.visitor();
    await page.goto('/users?status=inactive');
    await eventually(() => addressOf(page)).toBe('/login');
    await signInAt(page, administrator);
    await see(page, 'Set up two-step verification', 'Welcome Back', 'Sign in to your admin account');
    await see(page, 'Contact system administrator for access credentials');
    expect(await accessibilityBreaches(page)).toEqual([]);
    await page.getByRole('button', { name: 'Use an authenticator app' }).click();
    await page.getByRole('button', { name: 'Show the QR code' }).click();
    const { secret } = await turnOn(page);
    await eventually(() => addressOf(page)).toBe('/users?status=inactive');
    await page.getByRole('table', { name: 'Users' }).waitFor();
    await page.getByRole('button', { name: 'Logout' }).click();

    await signInAgain(page, administrator, 'Sign In');
    await see(page, 'One more step', 'Welcome Back');
    expect(await accessibilityBreaches(page)).toEqual([]);
    await page.getByLabel('Code from your app').fill(codeAt(secret, new Date(), 1));
    await eventually(() => addressOf(page)).toBe('/dashboard');
    await page.getByRole('table', { name: 'Recent Users' }).waitFor();
  });
});
