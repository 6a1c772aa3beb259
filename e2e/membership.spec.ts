import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { listOutbox } from '#contract/system.ts';
import { draw } from '../server/test/pictures.ts';
import { eventually, serviceForTests } from './support/harness.ts';
import { newPassword } from './support/joining.ts';
import { addressOf, hasFocus, people, see, tabTo } from './support/visitor.ts';

const service = serviceForTests({ members: 40 });

const phone = { width: 360, height: 740 };

/** How the test uses a page: by touch or only with the keyboard. */
interface Hand {
  press(target: Locator): Promise<void>;
  write(target: Locator, text: string): Promise<void>;
  tick(target: Locator): Promise<void>;
}

const finger: Hand = {
  press: (target) => target.click(),
  write: (target, text) => target.fill(text),
  tick: (target) => target.click(),
};

async function reach(target: Locator): Promise<void> {
  await target.waitFor();
  if (!(await hasFocus(target))) await tabTo(target.page(), target);
}

const keyboard: Hand = {
  press: async (target) => {
    await reach(target);
    await target.page().keyboard.press('Enter');
  },
  write: async (target, text) => {
    await reach(target);
    await target.page().keyboard.type(text);
  },
  tick: async (target) => {
    await reach(target);
    await target.page().keyboard.press('Space');
  },
};

async function codeFor(email: string): Promise<string> {
  const newest = async () => (await service.call(listOutbox, { query: { to: email } })).body.data.mails[0];
  await eventually(async () => (await newest())?.code ?? '').not.toBe('');
  return (await newest())?.code ?? '';
}

async function join(page: Page, hand: Hand, email: string): Promise<void> {
  const go = (name = 'Continue') => hand.press(page.getByRole('main').getByRole('button', { name, exact: true }));
  await page.goto('/app/join');
  await hand.write(page.getByLabel("What's your email?"), email);
  await go();
  await hand.write(page.getByLabel("What's your first name?"), 'Wilma');
  await go();
  await hand.write(page.getByLabel('Month'), '04');
  await hand.write(page.getByLabel('Day'), '12');
  await hand.write(page.getByLabel('Year'), '1991');
  await go('Yes');
  await hand.write(page.getByRole('textbox', { name: 'Choose a password' }), newPassword);
  await go('Agree and join');
  await eventually(() => addressOf(page)).toBe('/app/verify-email');
  await hand.write(page.getByLabel('Enter the six digits'), await codeFor(email));
}

async function addPicture(page: Page, hand: Hand): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  const add = page.getByLabel('You', { exact: true });
  await (hand === keyboard ? hand.tick(add) : page.getByText('You', { exact: true }).click());
  const buffer = await draw({ width: 900, height: 1200 });
  await (await chooser).setFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer });
  await hand.press(page.getByRole('button', { name: 'Use this part' }));
  await page.getByRole('button', { name: 'Delete picture 1' }).waitFor();
}

/** The steps after registration, filling in only required fields. */
async function finishProfile(page: Page, hand: Hand): Promise<void> {
  const go = (name = 'Continue') => hand.press(page.getByRole('main').getByRole('button', { name }));
  await eventually(() => addressOf(page)).toBe('/app/welcome?step=people');
  await hand.tick(page.getByRole('radio', { name: 'Woman' }));
  await hand.tick(page.getByRole('checkbox', { name: 'Men', exact: true }));
  await go();
  await eventually(() => addressOf(page)).toBe('/app/welcome?step=ages');
  await go();
  await eventually(() => addressOf(page)).toBe('/app/welcome?step=place');
  await hand.write(page.getByLabel('City'), 'Prague');
  await hand.write(page.getByLabel('Country'), 'Czechia');
  await go();
  await eventually(() => addressOf(page)).toBe('/app/welcome?step=pictures');
  await addPicture(page, hand);
  await go();
  for (const title of ['In your own words', 'Three questions']) {
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await go('Skip');
  }
  await eventually(() => addressOf(page)).toBe('/app/discover');
}

/** A moderator approves her only picture in the queue with the keyboard. */
async function approve(name: string): Promise<void> {
  const { page } = await service.visitor({ as: people.moderator });
  await page.goto('/queue/pictures');
  const queue = page.getByRole('region', { name: 'Pending pictures' });
  const card = queue.getByRole('listitem').filter({ hasText: name });
  await card.waitFor();
  const decided = page.waitForResponse((response) => response.url().endsWith('/decision'));
  await card.getByRole('button', { name: /^Approve/ }).click();
  await card.waitFor({ state: 'detached' });
  expect((await decided).status()).toBe(200);
}

describe.each([
  ['with a finger', finger, 'wilma.finger@example.test'],
  ['without a mouse', keyboard, 'wilma.keys@example.test'],
])('a membership on a phone, %s', (_, hand, email) => {
  it('leads from joining through approved pictures to account deletion', async () => {
    const { page, context } = await service.visitor(phone);
    await join(page, hand, email);
    await finishProfile(page, hand);
    const { user } = JSON.parse(
      await page.evaluate<string>('JSON.stringify({ user: JSON.parse(localStorage.user) })'),
    ) as {
      user: { _id: string };
    };

    const other = await service.visitor({ ...phone, as: people.bo });
    const theirs = other.page;
    await theirs.goto(`/app/members/${user._id}`);
    await theirs.getByRole('heading', { level: 1, name: /^Wilma/ }).waitFor();
    expect(await theirs.getByRole('img', { name: /Wilma/ }).count()).toBe(0);
    await approve('Wilma');
    await theirs.reload();
    const picture = theirs.getByRole('img', { name: /Wilma/ }).first();
    await picture.waitFor();
    await eventually(() => picture.evaluate((image) => Number(Reflect.get(image, 'naturalWidth')))).toBeGreaterThan(
      300,
    );
    await see(theirs, /^Online$/);

    await page.goto('/app/settings/privacy');
    const shows = page.getByRole('checkbox', { name: 'Show others when I was last active' });
    await hand.tick(shows);
    await eventually(() => shows.isChecked()).toBe(false);
    await theirs.reload();
    await picture.waitFor();
    expect(await theirs.getByText(/^Online$/).count()).toBe(0);
    expect(await theirs.getByText(/Last active/).count()).toBe(0);

    await page.goto('/app/settings/data');
    const own = page.getByRole('region', { name: 'Your data' });
    await hand.write(own.getByLabel(/password/i).first(), newPassword);
    await hand.press(own.getByRole('button', { name: 'Prepare my data' }));
    const download = page.waitForEvent('download');
    await hand.press(own.getByRole('button', { name: 'Download my data' }));
    const archive = unzipSync(await readFile(await (await download).path()));
    expect(Object.keys(archive)).toEqual(expect.arrayContaining(['profile.json', 'account.json', 'pictures/1.webp']));

    await page.goto('/app/settings/account');
    await hand.press(page.getByRole('button', { name: 'Delete my account...' }));
    const leaving = page.getByRole('dialog', { name: 'Delete your account?' });
    await hand.write(leaving.getByLabel(/password/i).first(), newPassword);
    await hand.press(leaving.getByRole('button', { name: 'Delete my account' }));
    await eventually(() => addressOf(page)).toMatch(/^\/app\/sign-in/);
    await theirs.reload();
    await see(theirs, "This profile isn't available.");
    await context.close();
  });
});
