import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { listOutbox } from '#contract/system.ts';
import { draw } from '../server/test/pictures.ts';
import { eventually, serviceForTests } from './support/harness.ts';
import { addressOf, hasFocus, people, see, tabTo } from './support/visitor.ts';

const service = serviceForTests({ members: 40 });

const phone = { width: 360, height: 740 };
const password = 'four quiet walnut trees';

/** How the test uses a page: by touch or only with the keyboard. */
interface Hand {
  press(target: Locator): Promise<void>;
  write(target: Locator, text: string): Promise<void>;
  tick(target: Locator): Promise<void>;
  choose(target: Locator, label: string): Promise<void>;
}

const finger: Hand = {
  press: (target) => target.click(),
  write: (target, text) => target.fill(text),
  tick: (target) => target.click(),
  choose: async (target, label) => void (await target.selectOption({ label })),
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
    const isDate = (await target.getAttribute('type')) === 'date';
    // Dates are typed part by part in the order of the locale.
    const [year = '', month = '', day = ''] = text.split('-');
    await target.page().keyboard.type(isDate ? `${month}${day}${year}` : text);
  },
  tick: async (target) => {
    await reach(target);
    await target.page().keyboard.press('Space');
  },
  choose: async (target, label) => {
    await reach(target);
    await target.page().keyboard.type(label.slice(0, 3));
  },
};

async function codeFor(email: string): Promise<string> {
  const newest = async () => (await service.call(listOutbox, { query: { to: email } })).body.data.mails[0];
  await eventually(async () => (await newest())?.code ?? '').not.toBe('');
  return (await newest())?.code ?? '';
}

async function join(page: Page, hand: Hand, email: string): Promise<void> {
  await page.goto('/app/join');
  await hand.write(page.getByLabel('First name'), 'Wilma');
  await hand.write(page.getByLabel('Email'), email);
  await hand.write(page.getByLabel('Birth date'), '1991-04-12');
  await hand.choose(page.getByLabel('Gender'), 'Woman');
  await hand.write(page.getByRole('textbox', { name: 'Password' }), password);
  await hand.tick(page.getByRole('checkbox'));
  await hand.press(page.getByRole('main').getByRole('button', { name: 'Join' }));
  await eventually(() => addressOf(page)).toBe('/app/verify-email');
  await hand.write(page.getByLabel('Six-digit code'), await codeFor(email));
  await see(page, 'Thanks, your email address is confirmed.');
  await hand.press(page.getByRole('link', { name: 'Continue' }));
}

async function addPicture(page: Page, hand: Hand): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  const add = page.getByLabel('Add pictures');
  await (hand === keyboard ? hand.tick(add) : page.getByText('Add pictures').click());
  const buffer = await draw({ width: 900, height: 1200 });
  await (await chooser).setFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer });
  await hand.press(page.getByRole('button', { name: 'Use this part' }));
  await see(page, 'Waiting for review');
}

/** The steps after registration, filling in only required fields. */
async function finishProfile(page: Page, hand: Hand): Promise<void> {
  await eventually(() => addressOf(page)).toBe('/app/welcome?step=seeking');
  await hand.tick(page.getByRole('checkbox', { name: 'Men', exact: true }));
  await hand.press(page.getByRole('button', { name: 'Save and continue' }));
  await eventually(() => addressOf(page)).toBe('/app/welcome?step=place');
  await hand.write(page.getByLabel('City'), 'Prague');
  await hand.write(page.getByLabel('Country'), 'Czechia');
  await hand.press(page.getByRole('button', { name: 'Save and continue' }));
  await eventually(() => addressOf(page)).toBe('/app/welcome?step=pictures');
  await addPicture(page, hand);
  await hand.press(page.getByRole('button', { name: 'Continue' }));
  for (const title of ['What do you like?', 'What are you looking for?', 'In your own words']) {
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await hand.press(page.getByRole('button', { name: 'Skip' }));
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
    await hand.write(own.getByLabel(/password/i).first(), password);
    await hand.press(own.getByRole('button', { name: 'Prepare my data' }));
    const download = page.waitForEvent('download');
    await hand.press(own.getByRole('button', { name: 'Download my data' }));
    const archive = unzipSync(await readFile(await (await download).path()));
    expect(Object.keys(archive)).toEqual(expect.arrayContaining(['profile.json', 'account.json', 'pictures/1.webp']));

    await page.goto('/app/settings/account');
    await hand.press(page.getByRole('button', { name: 'Delete my account...' }));
    const leaving = page.getByRole('dialog', { name: 'Delete your account?' });
    await hand.write(leaving.getByLabel(/password/i).first(), password);
    await hand.press(leaving.getByRole('button', { name: 'Delete my account' }));
    await eventually(() => addressOf(page)).toMatch(/^\/app\/sign-in/);
    await theirs.reload();
    await see(theirs, "This profile isn't available.");
    await context.close();
  });
});
