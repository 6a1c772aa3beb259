import { resolve } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import sharp from 'sharp';
import { demoAccounts } from '../demo/accounts.ts';

// Takes the screenshots for the landing page and the web app manifest from a running demo:
//   npm start, then: node scripts/landing-pictures.ts [http://localhost:3000]

const [, , base = 'http://localhost:3000'] = process.argv;
const web = resolve(import.meta.dirname, '../web');
const ada = demoAccounts[2];
const phone = { width: 360, height: 744 };
const desktop = { width: 1280, height: 800 };
const schemes = ['light', 'dark'] as const;
type Scheme = (typeof schemes)[number];
/** Screenshots in the manifest, which browsers show when they offer to install the app. */
const ofManifest = ['discover', 'story', 'conversation'];

interface Card {
  user: {
    _id: string;
    firstName: string;
    bio: string | null;
    prompts: unknown[];
    interests: string[];
    pictures: unknown[];
    isOnline: boolean;
  };
  compatibilityBand: string | null;
  reasons: { kind: string }[];
}

/** How complete the profile on a card is. */
function showing({ user, compatibilityBand, reasons }: Card): number {
  // The machine that takes the screenshots may not have fonts for every alphabet.
  const isReadable = /^\p{Script=Latin}+$/u.test(user.firstName) && !/\p{Extended_Pictographic}/u.test(user.bio ?? '');
  const kinds = new Set(reasons.map(({ kind }) => kind));
  return (
    (isReadable ? 4 : 0) +
    user.prompts.length +
    Math.min(user.pictures.length, 3) +
    (compatibilityBand === 'high' ? 2 : 0) +
    (kinds.has('interests') ? 2 : 0) +
    (kinds.has('premium') || kinds.has('new-here') ? -4 : 0)
  );
}

/** Makes the page show the best card first, because the deck's own order is random. */
async function sortDeck(page: Page): Promise<void> {
  await page.route(/\/api\/v1\/discovery(\?|$)/, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { data: { cards: Card[] } };
    body.data.cards.sort((one, other) => showing(other) - showing(one) || (one.user._id < other.user._id ? -1 : 1));
    await route.fulfill({ response, json: body });
  });
}

async function signedIn(browser: Browser) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${base}/app/sign-in`);
  await page.getByLabel('Email').fill(ada.email);
  await page.locator('input[type=password]').fill(ada.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => !url.pathname.includes('sign-in'));
  return await context.storageState();
}

const settled = async (page: Page) => {
  await page.waitForLoadState('networkidle');
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  await page.waitForTimeout(600);
};

const openConversation = async (page: Page, words: string) => {
  await page.goto(`${base}/app/messages`);
  await page.getByRole('link').filter({ hasText: words }).first().click();
  await page.getByRole('textbox', { name: /^Write to / }).waitFor();
};

/** The screenshots and how to open what they show. */
const scenes: Record<string, (page: Page) => Promise<unknown>> = {
  discover: (page) => page.goto(`${base}/app/discover`),
  story: async (page) => {
    await page.goto(`${base}/app/discover`);
    await page.getByRole('article').first().waitFor();
    await settled(page);
    await page
      .getByRole('button', { name: /^Like the answer/ })
      .first()
      .scrollIntoViewIfNeeded();
  },
  conversation: (page) => openConversation(page, 'Are you free on Saturday?'),
  warning: (page) => openConversation(page, 'My card is blocked'),
  messages: (page) => page.goto(`${base}/app/messages`),
};

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] || '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const storageState = await signedIn(browser);

async function shoot(scheme: Scheme, viewport: typeof phone, open: (page: Page) => Promise<unknown>): Promise<Buffer> {
  const context = await browser.newContext({
    ...{ storageState, viewport, colorScheme: scheme, reducedMotion: 'reduce', serviceWorkers: 'block' },
    ...{ deviceScaleFactor: viewport === phone ? 2 : 1, isMobile: viewport === phone, hasTouch: viewport === phone },
  });
  const page = await context.newPage();
  await sortDeck(page);
  await open(page);
  await settled(page);
  const picture = await page.screenshot();
  await context.close();
  return picture;
}

for (const [name, open] of Object.entries(scenes)) {
  for (const scheme of schemes) {
    const picture = sharp(await shoot(scheme, phone, open));
    await picture.avif({ quality: 52, effort: 6 }).toFile(resolve(web, `landing/${name}-${scheme}.avif`));
    if (scheme === 'light' && ofManifest.includes(name))
      await picture.webp({ quality: 78 }).toFile(resolve(web, `public/screenshots/${name}.webp`));
  }
}
const wide = await shoot('light', desktop, scenes['discover'] ?? settled);
await sharp(wide).webp({ quality: 78 }).toFile(resolve(web, 'public/screenshots/desktop.webp'));
// The first screen of the landing page, for link previews. It contains the pictures of the last build.
const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
await page.goto(`${base}/app`);
await settled(page);
await sharp(await page.screenshot())
  .jpeg({ quality: 84, mozjpeg: true })
  .toFile(resolve(web, 'public/og.jpg'));
await browser.close();
