import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { login } from '#contract/auth/session.ts';
import { likesReceived } from '#contract/connections.ts';
import { proposeDate } from '#contract/dates.ts';
import { putPreferences } from '#contract/discovery.ts';
import { listCases } from '#contract/moderation/case-list.ts';
import { getReportFile } from '#contract/moderation/report-file.ts';
import { listMyReports } from '#contract/moderation/reports.ts';
import { accessibilityBreaches, cutOffParts, loadAxe, overflowPx } from './axe.ts';
import { eventually, startService, type Service } from './support/harness.ts';
import { scenesOf, type Scene } from './support/scenes.ts';
import { spokenOn } from './support/spoken.ts';
import { addressOf, drawn, hasFocus, largestShift, people, see, sumShifts, type Visitor } from './support/visitor.ts';
import { sessionIn } from '../server/test/session-in.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({ members: 120 });
});
afterAll(() => service.close());

const looks = [
  { name: 'light, 1366 px', width: 1366, height: 768, scheme: 'light', narrowTo: 1366 },
  { name: 'dark, 360 px', width: 360, height: 740, scheme: 'dark', narrowTo: 320 },
] as const;
type Look = (typeof looks)[number];
/** Placeholders for ids that are known once the server has started. */
const subjects = {
  userId: 'of-ada',
  reportId: 'report-of-ada',
  matchId: 'match-of-ada',
  oldMatchId: 'old-match-of-ada',
  messagePlace: 'place-of-message',
  memberId: 'of-bo',
  likerId: 'who-likes-bo',
  caseId: 'some-case',
};
const scenes = scenesOf(subjects);
/** Members read on phones with their own text size; staff work on large screens. */
const isForMembers = (as: Scene['as']) => as !== 'administrator' && as !== 'moderator';

/** Gives a member notifications about likes and each match; returns one of them. */
async function notifyOfMatches(userId: string): Promise<{ matchId: string; oldMatchId: string; messagePlace: string }> {
  const { rows } = await service.pool.query<{ id: string; matched_at: Date; place: number | null }>(
    `select id, matched_at, (select min(seq) from message where conversation_id = match.id and sender_id <> $1) as place
      from match where $1 in (low_id, high_id) order by place`,
    [userId],
  );
  await service.pool.query(
    `insert into notification (account_id, kind, subject_id, at)
      select $1::uuid, 'match', unnest($2::uuid[]), now() union all select $1, 'like', $1, now()
      on conflict do nothing`,
    [userId, rows.map(({ id }) => id)],
  );
  const [oldest] = rows.toSorted((one, other) => Number(one.matched_at) - Number(other.matched_at));
  return { matchId: rows[0]?.id ?? '', oldMatchId: oldest?.id ?? '', messagePlace: `${rows[0]?.place}` };
}

const longestFollowMs = 5000;
let followed = 0;

/** Opens another address within the running app; false if no new heading took the focus. */
async function follow(page: Page, address: string): Promise<boolean> {
  followed += 1;
  const state = JSON.stringify({ usr: null, key: `scene-${followed}`, idx: followed });
  await page.evaluate(`document.activeElement.blur();
    history.pushState(${state}, '', ${JSON.stringify(address)});
    dispatchEvent(new PopStateEvent('popstate', { state: ${state} }));`);
  const heading = page.locator('h1:focus');
  return await heading.waitFor({ timeout: longestFollowMs }).then(
    () => true,
    () => false,
  );
}

const schemeOf = (page: Page) => page.evaluate<string>('getComputedStyle(document.documentElement).colorScheme');

/** Whether the page gets this colour scheme within a few seconds. Polling inside the page would evaluate text, which its policy forbids. */
async function turns(page: Page, scheme: string): Promise<boolean> {
  return await eventually(() => schemeOf(page), longestFollowMs)
    .toBe(scheme)
    .then(
      () => true,
      () => false,
    );
}

describe('the page', () => {
  const visitors = new Map<Scene['as'], Promise<Visitor>>();
  const found = new Map<string, string>();
  const speakers = new Map<Visitor, Awaited<ReturnType<typeof spokenOn>>>();
  let shown: Scene | null = null;
  /** The scene each visitor reached last within the running app, from which the next one can be opened without a reload. */
  const lastInApp = new Map<Scene['as'], Scene>();

  beforeAll(async () => {
    // The newest account is the first in lists of users.
    await service.pool.query(
      `update account set email = 'maximiliane.von-wuestenfeld@studierende.universitaet.example'
        where id = (select id from account order by created_at desc limit 1)`,
    );
    const ada = sessionIn((await service.call(login, { body: people.ada })).body);
    const { reports } = (await service.call(listMyReports, { token: ada.token })).body.data;
    found.set(subjects.userId, ada.user._id);
    found.set(subjects.reportId, reports[0]?._id ?? '');
    const { token } = sessionIn((await service.call(login, { body: people.administrator })).body);
    // Opening a report is recorded, so the audit trail has a row.
    await service.call(getReportFile, { token, params: { id: reports[0]?._id ?? '' } });
    const { cases } = (await service.call(listCases, { token })).body.data;
    found.set(subjects.caseId, cases[0]?._id ?? '');
    const bo = sessionIn((await service.call(login, { body: people.bo })).body);
    found.set(subjects.memberId, bo.user._id);
    const { likes } = (await service.call(likesReceived, { token: bo.token })).body.data;
    found.set(subjects.likerId, likes.find(({ part }) => part?.kind === 'prompt')?.user._id ?? '');
    await service.call(putPreferences, { token: bo.token, body: { isPaused: true } });
    const { matchId, oldMatchId, messagePlace } = await notifyOfMatches(ada.user._id);
    const place = 'Cafe by the old windmill, Alexander-von-Humboldt-Promenade 117, Berlin';
    const at = new Date(Date.now() + 86_400_000).toISOString();
    const planned = await service.call(proposeDate, {
      token: ada.token,
      params: { id: matchId },
      body: { place, at, zone: 'Europe/Berlin', checksIn: false },
    });
    expect(planned.status).toBe(201);
    found.set(subjects.matchId, matchId);
    found.set(subjects.oldMatchId, oldMatchId);
    found.set(subjects.messagePlace, messagePlace);
  });
  afterAll(() => service.closeVisitors());
  beforeEach(async ({ task: { result } }) => {
    if (!result?.retryCount) return;
    // What the page looked like at the first try, and its problems.
    shown = null;
    lastInApp.clear();
    for (const { problems } of await Promise.all(visitors.values())) problems.length = 0;
  });

  async function newVisitor(as: Scene['as']): Promise<Visitor> {
    const visitor = await service.visitor(as === 'visitor' ? {} : { as: people[as] });
    await loadAxe(visitor.page);
    await visitor.page.addInitScript(sumShifts);
    speakers.set(visitor, await spokenOn(visitor.page));
    return visitor;
  }

  async function visitorFor(as: Scene['as']): Promise<Visitor> {
    const visitor = visitors.get(as) ?? newVisitor(as);
    visitors.set(as, visitor);
    return await visitor;
  }

  /** Whether the app can navigate to the scene without a reload, which is recognised by a new heading that takes the focus. */
  function canFollow(scene: Scene): boolean {
    const pathOf = ({ path }: Scene) => path.split('?')[0];
    const last = lastInApp.get(scene.as);
    if (last === undefined || scene.as === 'visitor') return false;
    return !scene.open && !scene.isStatic && !scene.isLoaded && !scene.refused && pathOf(last) !== pathOf(scene);
  }

  /** Opens the scene's page. It navigates within the app where possible, because that takes a fraction of the time of a reload. */
  async function visit({ page, refusals }: Visitor, scene: Scene): Promise<void> {
    const address = scene.path.replace(
      /report-of-ada|old-match-of-ada|match-of-ada|place-of-message|of-ada|who-likes-bo|of-bo|some-case/g,
      (subject) => found.get(subject) ?? '',
    );
    refusals.length = 0;
    const isFollowed = canFollow(scene) && (await follow(page, address));
    lastInApp.delete(scene.as);
    if (isFollowed) return;
    await page.goto(address, { waitUntil: 'commit' });
    // The previous page may have sent another request while it closed.
    refusals.length = 0;
  }

  /** Loads the scene's page in a window of this width; returns how far its parts moved until it had settled. */
  async function shiftsOnLoad(scene: Scene, width: number): Promise<number> {
    const visitor = await visitorFor(scene.as);
    const { page } = visitor;
    await page.setViewportSize({ width, height: 800 });
    shown = null;
    lastInApp.delete(scene.as);
    // An address that differs from the last one only after `#` would not be loaded.
    await page.goto('about:blank');
    await visit(visitor, scene);
    await scene.settled(page);
    await drawn(page);
    return await page.evaluate<number>('shifts');
  }

  /** Shows the scene in one look. The page is opened for the first look and only resized and recoloured for the second. */
  async function show(scene: Scene, { width, height, scheme }: Look): Promise<Visitor> {
    const visitor = await visitorFor(scene.as);
    const { page } = visitor;
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: scheme });
    const isStatic = scene.isStatic === true;
    if (shown !== scene || scene.open !== undefined || isStatic) {
      shown = null;
      await visit(visitor, scene);
      await scene.open?.(page);
      shown = scene;
    }
    await scene.settled(page);
    // An open page once missed a change of the system's scheme; "the colour scheme" tests that pages follow it.
    if (!isStatic && !(await turns(page, scheme))) {
      await page.reload();
      await scene.settled(page);
      await eventually(() => schemeOf(page)).toBe(scheme);
    }
    await drawn(page);
    if (!isStatic && scene.open === undefined) lastInApp.set(scene.as, scene);
    return visitor;
  }

  describe.each(scenes)('the page "$name"', (scene) => {
    const { as, refused = [] } = scene;
    // Loads the page in the look that most of its users have.
    const inTurn = isForMembers(as) ? looks.toReversed() : looks;

    it.each(inTurn)(
      'is accessible, fits the window even with large text, and causes no browser errors in $name',
      async (look) => {
        const { width, height, narrowTo } = look;
        const { page, problems, refusals } = await show(scene, look);
        expect(await accessibilityBreaches(page)).toEqual([]);
        expect(await overflowPx(page)).toBeLessThanOrEqual(0);
        if (narrowTo < width) {
          await page.setViewportSize({ width: narrowTo, height });
          await eventually(() => overflowPx(page)).toBeLessThanOrEqual(0);
          await page.setViewportSize({ width, height });
        }
        if (isForMembers(as)) expect(await cutOffParts(page)).toEqual([]);
        expect(problems).toEqual([]);
        expect(new Set(refusals)).toEqual(new Set(refused));
      },
    );

    it.each(scene.open === undefined ? [360, 1280] : [])(
      'keeps its parts in place while it loads at %i px',
      async (width) => {
        expect(await shiftsOnLoad(scene, width)).toBeLessThanOrEqual(largestShift);
      },
    );

    it.each(scene.isStatic ? [] : isForMembers(as) ? ['de', 'ar'] : ['de'])(
      'fits a phone in the language %s (de: English with longer words, and on a desktop, too)',
      async (language) => {
        const visitor = await show(scene, looks[1]);
        const { page } = visitor;
        const speak = speakers.get(visitor);
        await speak?.(language);
        const found = await cutOffParts(page, 100);
        if (language === 'ar') found.push(...(await accessibilityBreaches(page)));
        else {
          await page.setViewportSize({ width: 1280, height: 800 });
          await drawn(page);
          found.push(...(await cutOffParts(page, 100)));
        }
        await speak?.('en');
        expect(found).toEqual([]);
      },
    );
  });
});

describe('the check of target sizes', () => {
  /** A separate page with a bar at the bottom. */
  const pageOf = (main: string) =>
    `<html lang="en"><title>Targets</title><main style="height: 1500px"><h1>Targets</h1>${main}</main>
      <nav style="position: sticky; bottom: 0"><a href="#" style="display: block; height: 60px">Home</a></nav>`;
  /** The bar covers all but its upper edge until the page is scrolled. */
  const behindTheBar = '<button style="position: absolute; top: 676px; height: 40px; width: 90px">Save</button>';

  it.each([
    ['accepts one that is large enough once it is scrolled clear of a bar', behindTheBar, []],
    [
      'rejects those that are too small and close together',
      ['A', 'B'].map((name) => `<button style="width: 12px; height: 12px; padding: 0">${name}</button>`).join(''),
      [expect.stringMatching(/^target-size: /), expect.stringMatching(/^target-size: /)],
    ],
  ])('%s', async (_, main, breaches) => {
    const { page } = await service.visitor({ width: 360, height: 740 });
    await page.setContent(pageOf(main));
    expect(await accessibilityBreaches(page)).toEqual(breaches);
    await service.closeVisitors();
  });
});

describe('the check of cut texts', () => {
  const cut = 'display: block; width: 60px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap';

  it.each([
    ['accepts a shortened text in a link', `<a href="#"><span style="${cut}">A long message</span></a>`, []],
    [
      'rejects a shortened button',
      `<button><span style="${cut}">Delete account</span></button>`,
      ['span "Delete account" is cut off at its side'],
    ],
    [
      'rejects a shortened tag',
      `<a href="#" data-tone="quiet"><span style="${cut}">Waiting for them</span></a>`,
      ['span "Waiting for them" is cut off at its side'],
    ],
    [
      'rejects a shortened heading',
      `<h2 style="${cut}"><bdi>Recent users</bdi></h2>`,
      ['h2 "Recent users" is cut off at its side'],
    ],
    [
      'rejects a shortened address',
      `<a href="#" style="${cut}">ada.lovelace@example.test</a>`,
      ['a "ada.lovelace@example.test" is cut off at its side'],
    ],
    [
      'rejects a text that loses its start',
      `<a href="#" dir="rtl"><span style="${cut}">Long Street 117, Berlin</span></a>`,
      ['span "Long Street 117, Berlin" is cut off at its side'],
    ],
    [
      'accepts a text from right to left that loses its end',
      `<a href="#" dir="rtl"><span style="${cut}">شارع طويل جدا في المدينة</span></a>`,
      [],
    ],
    ['rejects small text', '<p style="font-size: 11.5px">Terms</p>', ['p "Terms" is written in 11.5px']],
  ])('%s', async (_, main, lines) => {
    const { page } = await service.visitor({ width: 360, height: 740 });
    await page.setContent(`<html lang="en"><title>Texts</title><main>${main}</main></html>`);
    expect(await cutOffParts(page, 100)).toEqual(lines);
    await service.closeVisitors();
  });
});

describe('the menu on a phone', () => {
  it('is accessible, closes on navigation, and moves the focus to the heading of the new page', async () => {
    const { page } = await service.visitor({ as: people.administrator, width: 360, height: 740, scheme: 'dark' });
    await page.goto('/dashboard');
    await page.getByRole('button', { name: 'Open menu' }).click();
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await see(menu, 'Iris Calder', 'Admin', 'Logout');
    expect(await accessibilityBreaches(page)).toEqual([]);
    await menu.getByRole('link', { name: 'My account' }).click();
    await eventually(() => hasFocus(page.getByRole('heading', { level: 1, name: 'My account' }))).toBe(true);
    await menu.waitFor({ state: 'hidden' });
    await service.closeVisitors();
  });
});

describe('the reason dialog', () => {
  it.each(looks)('is accessible in $name', async ({ width, height, scheme }) => {
    const { page } = await service.visitor({ as: people.administrator, width, height, scheme });
    await page.goto('/users?search=hansen');
    await page.getByRole('button', { name: 'Deactivate Bo Hansen' }).click();
    const dialog = page.getByRole('dialog', { name: 'Deactivate Bo Hansen?' });
    await eventually(() => hasFocus(dialog.getByLabel('Reason'))).toBe(true);
    await dialog.getByRole('button', { name: 'Deactivate', exact: true }).click();
    await see(dialog, 'Please give a reason');
    expect(await accessibilityBreaches(page)).toEqual([]);
    await service.closeVisitors();
  });
});

describe('every button on a touch screen', () => {
  const phone = { width: 360, height: 740 };
  /** Buttons, and links that are not within a sentence, with a side below 44 px. In charts, a shape is as large as its number. */
  const tooSmall = `[...document.querySelectorAll('button, a, select, summary')]
    .filter((part) => !part.matches('p:not([class*="name"]) a, [role="status"] a, figure a'))
    .filter((part) => part.checkVisibility({ visibilityProperty: true }))
    .map((part) => ({ name: part.ariaLabel ?? part.textContent, box: part.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 1 && (box.width < 43.9 || box.height < 43.9))
    .map(({ name, box }) => name + ' ' + Math.round(box.width) + ' x ' + Math.round(box.height))`;

  describe.each<{ as: keyof typeof people; pages: [path: string, title: string][] }>([
    {
      as: 'bo',
      pages: [
        ['/app/discover', 'Discover'],
        ['/app/likes', 'Likes'],
        ['/app/settings/security', 'Security'],
        ['/app/profile', 'Your profile'],
      ],
    },
    {
      as: 'ada',
      pages: [
        ['/app/likes?tab=sent', 'Likes'],
        ['/app/matches', 'Matches'],
      ],
    },
    {
      as: 'administrator',
      pages: [
        ['/dashboard', 'Dashboard Overview'],
        ['/users', 'Users Management'],
        ['/reports', 'Reports Management'],
        ['/cases', 'Cases'],
        ['/audit', 'Audit'],
        ['/operations', 'Operations'],
        ['/team', 'Team'],
        ['/insights', 'Insights'],
      ],
    },
  ])('what $as presses', ({ as, pages }) => {
    let page: Page;
    beforeAll(async () => {
      ({ page } = await service.visitor({ as: people[as], ...phone }));
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true });
      return async () => {
        await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: false });
        await service.closeVisitors();
      };
    });

    it.each(pages)('is at least 44 px high and wide on %s', async (path, title) => {
      const isOpen = page.url() !== 'about:blank';
      if (!isOpen || !(await follow(page, path))) await page.goto(path);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await page.getByRole('main').getByRole('button').first().waitFor();
      await eventually(() => page.evaluate(tooSmall)).toEqual([]);
      expect(await overflowPx(page)).toBeLessThanOrEqual(0);
    });
  });
});

describe('navigation', () => {
  async function walk(
    page: Page,
    ways: readonly (readonly [link: string, heading: string, title?: string])[],
    links = page.getByRole('navigation', { name: 'Main' }),
  ): Promise<void> {
    for (const [link, name, title = name] of ways) {
      await links.getByRole('link', { name: link, exact: true }).click();
      const heading = page.getByRole('heading', { level: 1, name, exact: true });
      await eventually(() => hasFocus(heading)).toBe(true);
      await eventually(() => page.title()).toBe(`${title} · Heartwood`);
    }
  }

  it('moves the focus to the heading and sets the document title, for staff', async () => {
    const { page } = await service.visitor({ as: people.administrator });
    await page.goto('/dashboard');
    await walk(page, [
      ['Start', 'Start'],
      ['Users', 'Users Management'],
      ['Reports', 'Reports Management'],
      ['Insights', 'Insights'],
      ['Dashboard', 'Dashboard Overview'],
    ]);
    await page.getByRole('button', { name: 'Open menu' }).click();
    await walk(page, [['My account', 'My account']], page.getByRole('dialog', { name: 'Menu' }));
    await service.closeVisitors();
  });

  it('moves the focus to the heading and sets the document title, for members', async () => {
    const { page } = await service.visitor({ as: people.ada });
    await page.goto('/home');
    const ways = [
      ['FAQs', 'Frequently Asked Questions', 'FAQs'],
      ['Privacy', 'Privacy Policy'],
      ['Home', 'Find Your Perfect Match', 'Home'],
    ] as const;
    await walk(page, ways, page.getByRole('navigation', { name: 'More' }));
    await service.closeVisitors();
  });

  it.each([
    ['ada', '/home'],
    ['administrator', '/users'],
  ] as const)('starts for %s with a link that skips the navigation', async (as, path) => {
    const { page } = await service.visitor({ as: people[as] });
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).toBe('Skip to main content');
    await page.locator(':focus').waitFor();
    await page.keyboard.press('Enter');
    await eventually(() => page.locator('main:focus').count()).toBe(1);
    expect(addressOf(page)).toBe(`${path}#main`);
    await service.closeVisitors();
  });
});

describe('the colour scheme', () => {
  it('follows the system until the user chooses one, and the choice survives a reload', async () => {
    const { page } = await service.visitor({ as: people.ada, scheme: 'dark' });
    const scheme = () => schemeOf(page);
    await page.goto('/app/settings');
    expect(await scheme()).toBe('dark');
    await page.getByRole('radio', { name: 'Light' }).waitFor();
    await page.emulateMedia({ colorScheme: 'light' });
    await eventually(scheme).toBe('light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await eventually(scheme).toBe('dark');
    const [darkBars, lightBars] = ['rgb(191, 175, 162)', 'rgb(100, 85, 75)'];
    const bars = () => page.evaluate<string>('getComputedStyle(document.documentElement).scrollbarColor');
    expect(await bars()).toContain(darkBars);
    await page.getByRole('radio', { name: 'Light' }).click();
    await eventually(scheme).toBe('light');
    expect(await bars()).toContain(lightBars);
    await page.reload();
    expect(await scheme()).toBe('light');
    await service.closeVisitors();
  });
});
