import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { getCards, type CardView } from '#contract/discovery.ts';
import { eventually, serviceForTests } from './support/harness.ts';
import { inSentence, people, see, type Visitor } from './support/visitor.ts';

const service = serviceForTests({ members: 300 });

const phone = { width: 360, height: 740 };

const card = (page: Page) => page.getByRole('article', { name: /, \d+$/ });
const top = (page: Page) => card(page).getByRole('heading', { level: 2 });
const topName = async (page: Page) =>
  (await top(page).textContent())?.split(',')[0]?.replaceAll(/[\u2068\u2069]/g, '') ?? '';
const startsWith = (name: string) => new RegExp(`^${name}`);
async function openDeck(page: Page): Promise<void> {
  await page.goto('/app/discover');
  await top(page).waitFor();
}

async function cardsOf({ token = '' }: Visitor): Promise<CardView[]> {
  return (await service.call(getCards, { token })).body.data.cards;
}

async function idOf({ email }: { email: string }): Promise<string> {
  const { rows } = await service.pool.query<{ id: string }>('select id from account where email = $1', [email]);
  return rows[0]?.id ?? '';
}

/** The decision of `viewer` about another member, as stored on the server. */
async function decisionAbout(viewer: string, target: string): Promise<string | null> {
  const { rows } = await service.pool.query<{ kind: string }>(
    'select kind from decision where viewer_id = $1 and target_id = $2',
    [viewer, target],
  );
  return rows[0]?.kind ?? null;
}

/** Swipes from the middle of the card to the side. */
async function swipe(page: Page, px: number): Promise<void> {
  const box = (await card(page).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const [x, y] = [box.x + box.width / 2, box.y + 120];
  const devtools = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: number) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [{ x: at, y }] });
  await touch('touchStart', x);
  for (let step = 1; step <= 8; step += 1) await touch('touchMove', x + (px * step) / 8);
  await touch('touchEnd');
  await devtools.detach();
}

describe('Discover on a phone', () => {
  it('opens from the home page, accepts swipes, and undoes the last decision even after a reload', async () => {
    const visitor = await service.visitor({ as: people.bo, ...phone });
    const { page } = visitor;
    const bo = await idOf(people.bo);
    await page.goto('/home');
    await page.getByRole('link', { name: 'Get Started' }).click();
    await top(page).waitFor();
    const [first, second] = await cardsOf(visitor);
    const [firstId, secondId] = [first?.user._id ?? '', second?.user._id ?? ''];
    expect(await topName(page)).toBe(first?.user.firstName);

    await swipe(page, -140);
    await eventually(() => decisionAbout(bo, firstId)).toBe('pass');
    await eventually(() => topName(page)).toBe(second?.user.firstName);
    await swipe(page, 40);
    expect(await decisionAbout(bo, secondId)).toBe(null);

    await page.reload();
    await top(page).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(() => decisionAbout(bo, firstId)).toBe(null);
    await eventually(() => topName(page)).toBe(first?.user.firstName);
  });
});

describe('Discover with the keyboard only', () => {
  it('lets a member like, open a profile, show reasons, pass and undo', async () => {
    const visitor = await service.visitor({ as: people.ada });
    const { page } = visitor;
    const ada = await idOf(people.ada);
    // Anyone who liked Ada would match with her.
    await service.pool.query('delete from decision where target_id = $1 and is_pending', [ada]);
    await openDeck(page);
    const [first, second, third] = await cardsOf(visitor);
    await page
      .getByRole('button', { name: /^Report or block/ })
      .first()
      .waitFor();
    await page.keyboard.press('ArrowRight');
    await eventually(() => decisionAbout(ada, first?.user._id ?? '')).toBe('like');
    await eventually(() => topName(page)).toBe(second?.user.firstName);
    await page.keyboard.press('ArrowLeft');
    await eventually(() => decisionAbout(ada, second?.user._id ?? '')).toBe('pass');
    await eventually(() => topName(page)).toBe(third?.user.firstName);
    await page.keyboard.press('Backspace');
    await eventually(() => topName(page)).toBe(second?.user.firstName);
    await eventually(() => decisionAbout(ada, second?.user._id ?? '')).toBe(null);
    await page.getByRole('button', { name: 'Why am I seeing this?' }).click();
    await page.getByRole('dialog', { name: /why/i }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('turns two likes into a match, shows it to both members, and ends it', async () => {
    const visitor = await service.visitor({ as: people.ada });
    const { page } = visitor;
    const ada = await idOf(people.ada);
    await openDeck(page);
    const [shown] = await cardsOf(visitor);
    const name = inSentence(shown?.user.firstName ?? '');
    await service.pool.query(
      `insert into decision (viewer_id, target_id, kind, decided_at, note, is_pending)
       values ($1, $2, 'like', now(), 'Soup on Sunday?', true)
       on conflict (viewer_id, target_id) do update set note = excluded.note`,
      [shown?.user._id, ada],
    );
    await page.keyboard.press('ArrowRight');
    await page.getByRole('dialog', { name: `You and ${name} like each other` }).waitFor();
    await page.getByRole('textbox', { name: `Write to ${name}` }).fill('I bring the bread.');
    await page.getByRole('button', { name: 'Send' }).click();
    await see(page.getByRole('region', { name: `Messages with ${name}` }), 'I bring the bread.');
    await page.getByRole('link', { name: 'All matches' }).click();
    const mine = page.getByRole('list', { name: 'Your matches' });
    await see(mine, startsWith(name), 'Soup on Sunday?');
    await mine
      .getByRole('button', { name: `More about ${name}` })
      .first()
      .click();
    await mine
      .getByRole('button', { name: `Unmatch ${name}` })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unmatch' }).click();
    await see(page, `You and ${name} are no longer a match.`);
    await eventually(() => decisionAbout(ada, shown?.user._id ?? '')).toBe('unmatch');
  });
});
