import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { login } from '#contract/auth/session.ts';
import { createReport } from '#contract/moderation/reports.ts';
import { eventually, serviceForTests } from './support/harness.ts';
import { sessionIn } from '../server/test/session-in.ts';
import { people, see } from './support/visitor.ts';

const service = serviceForTests({ members: 120 });

const cases = 20;
/** Seconds that an average typist needs to press a key, and to look at a case and decide (keystroke-level model by Card, Moran and Newell). */
const secondsPerKey = 0.28;
const secondsToJudge = 8;
const mostMinutes = 6;

/** Files reports. Together with the demo's reports there are then more cases than this test decides. */
async function openCases(): Promise<void> {
  const { token } = sessionIn((await service.call(login, { body: people.ada })).body);
  const { rows } = await service.pool.query<{ id: string }>(
    'select id from account where staff_role is null and is_active order by created_at limit $1',
    [cases + 5],
  );
  for (const { id: reportedUser } of rows) {
    const body = { problem_type: 'Harassment' as const, description: 'Keeps insulting me.', reportedUser };
    await service.call(createReport, { token, body });
  }
}

/** A user who only presses keys shown on the screen, or types into the field that has the focus. */
function typist(page: Page) {
  let keys = 0;
  const hintOf = (hint: string) => page.locator('kbd', { hasText: hint }).filter({ visible: true }).first();
  return {
    keys: () => keys,
    /** Presses a key once its hint is on the screen. */
    async press(hint: string) {
      await hintOf(hint).waitFor();
      await page.keyboard.press(hint.replace('Ctrl ', 'Control+'));
      keys += hint.split(' ').length;
    },
    /** Presses a key if its hint is on the screen now. */
    async pressIfShown(hint: string) {
      if (!(await hintOf(hint).isVisible())) return;
      await page.keyboard.press(hint);
      keys += 1;
    },
    /** Presses a key that needs no hint, such as Tab or Enter. */
    async pressKnown(key: 'Tab' | 'Shift+Tab' | 'Enter' | 'ArrowDown') {
      await page.keyboard.press(key);
      keys += key.split('+').length;
    },
    async type(text: string) {
      await page.keyboard.type(text);
      keys += text.length;
    },
  };
}

const facts = 'Kept sending insults after being asked to stop.';

describe('the desk', () => {
  it(`lets a moderator decide ${cases} cases by keyboard in ${mostMinutes} minutes`, async () => {
    await openCases();
    const { rows: started } = await service.pool.query<{ at: Date }>('select clock_timestamp() as at');
    const { page } = await service.visitor({ as: people.administrator, width: 1600, height: 900 });
    await page.goto('/cases?view=unclaimed');
    await page.getByRole('table', { name: 'Cases' }).waitFor();
    const hand = typist(page);
    const dialog = page.getByRole('dialog', { name: 'Decide the case' });
    const heading = page.getByRole('heading', { level: 1, name: /^Case about / });

    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const seen = new Set<string>();
    for (let count = 0; count < cases; count += 1) {
      const here = page.url();
      seen.add(here);
      await eventually(() => page.getByRole('button', { name: 'Next case' }).isEnabled()).toBe(true);
      await heading.waitFor();
      await page.getByRole('heading', { level: 2, name: 'Handling' }).waitFor();
      // Wait for the evidence before deciding.
      const covered = page.getByRole('button', { name: /^Show \d+ (picture|message)/ });
      // Evidence that arrives later is covered, too; the evidence of the previous case may still be on the screen.
      await eventually(async () => {
        if ((await covered.count()) > 0) await hand.pressIfShown('v');
        return await covered.count();
      }).toBe(0);
      await hand.press('d');
      await dialog.getByRole('combobox', { name: 'What did you find?' }).and(page.locator(':focus')).waitFor();
      if (count % 4 === 3) {
        await hand.pressKnown('Shift+Tab');
        await hand.pressKnown('Enter');
        await hand.pressKnown('Tab');
        await hand.pressKnown('Tab');
        await hand.pressKnown('ArrowDown');
        // The template is before the text that it fills.
        await hand.pressKnown('Tab');
        await hand.pressKnown('Tab');
        await hand.type(facts);
      } else {
        await hand.type('No');
      }
      await hand.press('Ctrl Enter');
      await dialog.waitFor({ state: 'detached' });
      await page.waitForURL((url) => url.href !== here);
    }
    expect(seen.size).toBe(cases);
    const { rows } = await service.pool.query<{ outcome: string; n: number }>(
      `select outcome, count(*)::int as n from case_decision d join account a on a.id = d.decided_by
        where kind = 'full' and a.email = $1 and decided_at >= $2 group by 1 order by 1`,
      [people.administrator.email, started[0]?.at],
    );
    expect(rows).toEqual([
      { outcome: 'actioned', n: cases / 4 },
      { outcome: 'no_violation', n: (cases * 3) / 4 },
    ]);
    const minutes = (hand.keys() * secondsPerKey + cases * secondsToJudge) / 60;
    expect(minutes).toBeLessThan(mostMinutes);
  });

  it('shows a key for every step and for undoing it', async () => {
    const { page } = await service.visitor({ as: people.administrator, width: 1600, height: 900 });
    await page.goto('/cases?view=unclaimed');
    await page.getByRole('table', { name: 'Cases' }).getByRole('link').first().click();
    const hand = typist(page);
    await hand.press('c');
    await see(page, /^Claimed\./);
    await hand.press('u');
    await page.getByRole('button', { name: 'Claim', exact: true }).waitFor();
    await hand.press('n');
    await hand.type('Known from last week.');
    await hand.press('Ctrl Enter');
    await see(page, 'Note saved.');
    await hand.press('r');
    await hand.type('Thank you, we are looking into it.');
    await hand.press('Ctrl Enter');
    await see(page, 'Reply sent.');
    await hand.press('e');
    await page.getByRole('dialog', { name: 'Escalate' }).waitFor();
    await hand.type('A threat of violence.');
    await hand.press('Ctrl Enter');
    await see(page, 'Escalated.');
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    for (const key of ['j', 'k', 'c', 'v', 'd', 'r', 'n', 'e', 'u', '/', '?'])
      await help.getByText(key, { exact: true }).first().waitFor();
  });

  it('keeps the acts beside the evidence on wide screens and at the bottom on phones', async () => {
    const { page } = await service.visitor({ as: people.administrator, width: 1280, height: 720 });
    await page.goto('/cases?view=unclaimed');
    await page.getByRole('table', { name: 'Cases' }).getByRole('link').first().click();
    const evidence = page.getByRole('region', { name: 'Evidence' });
    const claim = page.getByRole('button', { name: 'Claim', exact: true });
    await claim.waitFor();
    const rightOfEvidence = async (part: Locator) => {
      const [left, right] = [await evidence.boundingBox(), await part.boundingBox()];
      return right !== null && left !== null && right.x >= left.x + left.width && right.y + right.height <= 720;
    };
    await page.getByRole('heading', { name: 'Timeline' }).scrollIntoViewIfNeeded();
    await eventually(() => rightOfEvidence(claim)).toBe(true);
    await page.keyboard.press('c');
    await eventually(() => rightOfEvidence(page.getByText(/^Claimed\./))).toBe(true);
    await page.keyboard.press('u');
    await claim.waitFor();
    await page.keyboard.press('d');
    await eventually(() => rightOfEvidence(page.getByRole('dialog', { name: 'Decide the case' }))).toBe(true);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('heading', { name: 'Timeline' }).scrollIntoViewIfNeeded();
    await eventually(async () => (await claim.boundingBox())?.y ?? 0).toBeGreaterThan(600);
    await claim.click();
    const said = page.getByRole('status').filter({ hasText: /^Claimed\./ });
    await eventually(async () => (await said.locator('../..').boundingBox())?.height ?? 0).toBeGreaterThan(0);
    expect((await said.locator('../..').boundingBox())?.height).toBeLessThan(90);
  });
});
