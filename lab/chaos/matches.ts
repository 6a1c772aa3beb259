import { type Browser, chromium, type Page } from 'playwright-core';
import pg from 'pg';
import { likeUser } from '#contract/connections.ts';
import { buildWebApp } from '../../launcher/web-build.ts';
import { findChromium, noChromium } from '../../scripts/chromium.ts';
import { mustCall } from '../../server/test/proofs/http.ts';
import { createProduct } from '../../server/test/proofs/product.ts';
import { quantile } from '../bench/report.ts';
import { findMembers, jobsDone, signIn } from '../product.ts';
import { figure, type Proof } from './proof.ts';

const members = '100';
const rounds = 50;
const withinMs = 1000;

/** Lets two members with open pages like each other again and again. */
export const matches: Proof = {
  name: 'matches',
  about: 'a match on the screens of both people',
  async run(stage) {
    const executablePath = await findChromium();
    if (executablePath === null) throw new Error(noChromium);
    await buildWebApp();
    const product = await createProduct(stage.folder, { SEED: 'demo', SEED_MEMBERS: members });
    const browser = await chromium.launch({ executablePath, chromiumSandbox: false, args: ['--disable-gpu'] });
    await product.start();
    const db = new pg.Pool({ connectionString: product.databaseUrl('postgres') });
    try {
      const ids = await findMembers(db, 2);
      const sessions = await signIn(db, product.origin, ids);
      const [waiting, liking] = sessions;
      if (waiting === undefined || liking === undefined) throw new Error('Both are signed in');
      const [there, here] = [
        await openPage(browser, product.origin, waiting),
        await openPage(browser, product.origin, liking),
      ];
      await there.goto('/app/discover');
      await jobsDone(db);
      const name = `Like ${(waiting.user as { firstName: string }).firstName}`;
      const times: number[] = [];
      for (let round = 0; round < (stage.short ? 5 : rounds); round += 1) {
        await forget(db, ids);
        await mustCall(product.origin, likeUser, { token: waiting.token, params: { userId: ids[1] ?? '' }, body: {} });
        await here.goto(`/app/members/${ids[0]}`);
        const button = here.getByRole('button', { name, exact: true });
        await button.focus();
        const likedAt = performance.now();
        // Before a click, Playwright waits until the button stands still, which is not part of the time.
        await here.keyboard.press('Enter');
        await Promise.all([here, there].map((page) => momentOn(page).waitFor()));
        times.push(performance.now() - likedAt);
        await there.keyboard.press('Escape');
        await momentOn(there).waitFor({ state: 'detached' });
      }
      const p95 = quantile(times, 0.95);
      const figures = `p95 ${Math.round(p95)} ms, median ${Math.round(quantile(times, 0.5))} ms of ${times.length}`;
      return [figure(`a match is on both screens within ${withinMs} ms of the second like`, figures, p95 <= withinMs)];
    } finally {
      await db.end();
      await browser.close();
      await product.clear();
    }
  },
};

const momentOn = (page: Page) => page.getByRole('dialog').filter({ hasText: 'You like each other.' });

type Session = Awaited<ReturnType<typeof signIn>>[number];

/** A page of a signed-in member. */
async function openPage(browser: Browser, origin: string, session: Session): Promise<Page> {
  const stored = { token: session.token, refreshToken: session.refreshToken, user: JSON.stringify(session.user) };
  const localStorage = Object.entries(stored).map(([name, value]) => ({ name, value }));
  const storageState = { cookies: [], origins: [{ origin, localStorage }] };
  return await (await browser.newContext({ baseURL: origin, storageState })).newPage();
}

/** Deletes the members' decisions about each other, and everything that resulted from them. */
async function forget(db: pg.Pool, ids: string[]): Promise<void> {
  for (const table of ['conversation', 'match'])
    await db.query(`delete from ${table} where low_id = any ($1::uuid[]) and high_id = any ($1::uuid[])`, [ids]);
  await db.query('delete from decision where viewer_id = any ($1::uuid[]) and target_id = any ($1::uuid[])', [ids]);
  await db.query('delete from block where blocker_id = any ($1::uuid[]) and blocked_id = any ($1::uuid[])', [ids]);
  for (const table of ['notification', 'like_count'])
    await db.query(`delete from ${table} where account_id = any ($1::uuid[])`, [ids]);
}
