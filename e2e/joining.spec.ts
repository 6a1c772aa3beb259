import { describe, expect, it } from 'vitest';
import { getProfile } from '#contract/profiles/profiles.ts';
import { listOutbox } from '#contract/system.ts';
import { eventually, serviceForTests } from './support/harness.ts';
import { joinAs, newPassword as password } from './support/joining.ts';
import { addressOf, see, sessionKeys, storedSession } from './support/visitor.ts';

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
});
