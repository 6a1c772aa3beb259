import { describe, expect, it } from 'vitest';
import { getProfile } from '#contract/profiles/profiles.ts';
import { listOutbox } from '#contract/system.ts';
import { eventually, serviceForTests } from './support/harness.ts';
import { joinAs, newPassword as password } from './support/joining.ts';
import { addressOf, people, see, sessionKeys, signInAt, storedSession } from './support/visitor.ts';

const service = serviceForTests({ members: 20 });

const phone = { width: 360, height: 740 };
/** Waits for the newest mail to an address. */
async function mailTo(email: string, subject: string) {
  const mails = async () => (await service.call(listOutbox, { query: { to: email } })).body.data.mails;
  await eventually(async () => (await mails())[0]?.subject).toBe(subject);
  const [mail] = await mails();
  return { code: mail?.code ?? '', link: mail?.links[0] ?? '' };
}

describe('joining on a phone', () => {
  it('leads from the emailed code to the first open step, which can be postponed', async () => {
    const { page } = await service.visitor(phone);
    await joinAs(page, 'wilma.code@example.test');
    await eventually(() => addressOf(page)).toBe('/app/verify-email');
    await see(page, /^We sent them to wilma.code@example.test/);
    expect(Object.keys(await storedSession(page)).sort()).toEqual(sessionKeys);

    const { code } = await mailTo('wilma.code@example.test', 'Your confirmation code');
    await page.getByLabel('Enter the six digits').fill(code === '000000' ? '111111' : '000000');
    await see(
      page.getByRole('alert'),
      'This code or link is wrong or no longer valid. Check it, or request a new one.',
    );
    await page.getByLabel('Enter the six digits').fill(code);
    await eventually(() => addressOf(page)).toBe('/app/welcome?step=people');
    await page.getByRole('link', { name: 'Later' }).click();
    await eventually(() => addressOf(page)).toBe('/home');
    await see(page, 'Find Your Perfect Match');

    const { token = '' } = await storedSession(page);
    const { userData } = (await service.call(getProfile, { token })).body;
    expect(userData).toMatchObject({
      requiresVerification: false,
      user: { isEmailVerified: true, age: expect.any(Number) },
    });
    await see(page.getByRole('banner'), 'Wilma', 'Logout');
  });

  it('works with the emailed link on another device after the password', async () => {
    const joining = await service.visitor(phone);
    await joinAs(joining.page, 'wilma.link@example.test');
    await eventually(() => addressOf(joining.page)).toBe('/app/verify-email');
    const { link } = await mailTo('wilma.link@example.test', 'Your confirmation code');

    const { page } = await service.visitor(phone);
    await page.goto(link);
    await page.getByRole('button', { name: 'Confirm my email address' }).click();
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.getByRole('button', { name: 'Confirm my email address' }).click();
    await eventually(() => addressOf(page)).toBe('/app/welcome?step=people');

    await page.goto(link);
    await page.getByRole('button', { name: 'Confirm my email address' }).click();
    await see(
      page.getByRole('alert'),
      'This code or link is wrong or no longer valid. Check it, or request a new one.',
    );
  });

  it('lets the owner of an address take over an account that someone else created with it', async () => {
    const stranger = await service.visitor(phone);
    await joinAs(stranger.page, 'victim@example.test');
    await eventually(() => addressOf(stranger.page)).toBe('/app/verify-email');
    const { link } = await mailTo('victim@example.test', 'Your confirmation code');

    const { page } = await service.visitor(phone);
    await page.goto(link);
    await page.getByRole('button', { name: 'Confirm my email address' }).click();
    await page.getByRole('button', { name: "I don't know the password" }).click();
    await page.getByRole('textbox', { name: 'New password' }).fill('nine slow copper kettles');
    await page.getByRole('button', { name: 'Set password and confirm' }).click();
    await eventually(() => addressOf(page)).toBe('/app/welcome?step=people');

    await stranger.page.goto('/app/sign-in');
    await eventually(() => addressOf(stranger.page)).toBe('/app/sign-in');
    await signInAt(stranger.page, { email: 'victim@example.test', password });
    await see(stranger.page.getByRole('alert'), 'Invalid email or password');
  });
});

describe('a forgotten password', () => {
  it('can be reset once with the emailed link', async () => {
    const { page } = await service.visitor(phone);
    await page.goto('/app/sign-in');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    // Both pages have such a field.
    await page.getByRole('button', { name: 'Send the link' }).waitFor();
    await page.getByLabel('Email').fill(people.bo.email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await see(page, /^If this address belongs to an account, we have sent an email/);

    const { link } = await mailTo(people.bo.email, 'Choose a new password');
    await page.goto(link);
    await eventually(() => addressOf(page)).toBe('/app/reset-password');
    const field = page.getByRole('textbox', { name: 'New password' });
    await field.fill('short');
    await page.getByRole('button', { name: 'Change password' }).click();
    await see(page, 'Use at least 10 characters');
    await field.fill(password);
    await page.getByRole('button', { name: 'Change password' }).click();
    await see(page, 'Your password was changed, and all your devices were signed out.');

    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await signInAt(page, people.bo);
    await see(page.getByRole('alert'), 'Invalid email or password');
    await signInAt(page, { email: people.bo.email, password });
    await eventually(() => addressOf(page)).toBe('/app/discover');
    await service.pool.query(
      `update account set password_hash = (select password_hash from account where email = $1) where email = $2`,
      [people.ada.email, people.bo.email],
    );
  });
});
