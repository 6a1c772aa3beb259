import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { demoAccounts } from '../demo/accounts.ts';
import { demoMember, unreportedNumbers } from '../demo/members/member.ts';
import { eventually, serviceForTests } from './support/harness.ts';
import { people, see } from './support/visitor.ts';

const service = serviceForTests({ members: 120 });

const support = demoAccounts.find(({ what }) => what === 'support');

/** A user whose actions are counted: each click and key, and each text that is typed or pasted at once. */
function counting(page: Page) {
  let presses = 0;
  return {
    presses: () => presses,
    async click(target: Locator) {
      await target.click();
      presses += 1;
    },
    /** Presses a key, or several at once: `Control+Enter` are two. */
    async press(key: string) {
      await page.keyboard.press(key);
      presses += key.split('+').length;
    },
    /** Types or pastes into the field that has the focus. */
    async write(text: string) {
      await page.keyboard.insertText(text);
      presses += 1;
    },
    async choose(field: Locator, text: string) {
      const value = await field.locator('option', { hasText: text }).first().getAttribute('value');
      await field.selectOption(value);
      presses += 1;
    },
    /** Opens the person with an address or an id, from any page. */
    async find(text: string) {
      await this.press('Control+k');
      await page.getByRole('combobox', { name: 'Name, id or command' }).and(page.locator(':focus')).waitFor();
      await this.write(text);
      await page.getByRole('option', { name: /^Look up/ }).waitFor();
      await this.press('Enter');
    },
  };
}

describe('staff work on members in a limited number of key presses and clicks', () => {
  it('finds a member by a pasted email and sends the confirmation again in 12 presses', async () => {
    const { rows } = await service.pool.query<{ id: string; email: string }>(
      `select a.id, a.email from account a join mail m on m.account_id = a.id
       where a.email_verified_at is null and m.status = 'dead' and m.template = 'verifyEmail'`,
    );
    const { id = '', email = '' } = rows[0] ?? {};
    const { page } = await service.visitor({ ...(support && { as: support }) });
    await page.goto('/dashboard');
    await page.getByRole('heading', { level: 1 }).waitFor();
    const hand = counting(page);
    await hand.find(`I can't confirm, no code comes. <${email}>`);
    await page.waitForURL(`**/users/${id}`);
    await hand.click(page.getByRole('button', { name: 'Send the confirmation again...' }));
    const dialog = page.getByRole('dialog', { name: /the confirmation again\?$/ });
    await dialog
      .getByRole('textbox', { name: /^Reason/ })
      .and(page.locator(':focus'))
      .waitFor();
    await hand.write('Wrote that no code arrives.');
    await hand.press('Control+Enter');
    await see(page, 'The confirmation was sent.');
    expect(hand.presses()).toBeLessThanOrEqual(12);
    const mails = `select template from mail where account_id = $1 and status <> 'dead'`;
    await eventually(async () => (await service.pool.query<{ template: string }>(mails, [id])).rows).toEqual([
      { template: 'verifyEmail' },
    ]);
  });

  it('opens, proves and decides the case of an unreported scam profile in 40 presses', async () => {
    const { id, bio } = demoMember(unreportedNumbers.at(-1) ?? 0, new Date());
    const { page } = await service.visitor({ as: people.moderator });
    await page.goto('/dashboard');
    await page.getByRole('heading', { level: 1 }).waitFor();
    const hand = counting(page);
    await hand.find(`${service.url}/app/members/${id}`);
    await see(page, bio ?? '');

    await hand.click(page.getByRole('button', { name: 'Open a case' }));
    const form = page.getByRole('dialog', { name: /^Open a case about/ });
    await hand.choose(form.getByRole('combobox', { name: /^What is it about/ }), 'Inappropriate Content');
    await hand.press('Tab');
    await hand.write('Asks for gift cards in return for pictures, in the text of the profile.');
    await hand.click(form.getByRole('checkbox', { name: 'Picture 1' }));
    await hand.press('Control+Enter');
    await page.waitForURL('**/cases/*');
    await page.getByRole('heading', { level: 1, name: /^Case about / }).waitFor();

    await hand.click(page.getByRole('button', { name: /^Show \d+ picture/ }).first());
    await page.getByRole('button', { name: 'Decide', exact: true }).waitFor();
    await hand.press('d');
    const decision = page.getByRole('dialog', { name: 'Decide the case' });
    await hand.click(decision.getByText(/No scams$/));
    await hand.click(decision.getByRole('textbox', { name: /^Facts/ }));
    await hand.write('The profile asks for gift cards in return for pictures.');
    await hand.click(decision.getByRole('checkbox', { name: 'Suspension' }));
    await hand.press('Control+Enter');
    await decision.waitFor({ state: 'detached' });
    expect(hand.presses()).toBeLessThanOrEqual(40);
    const { rows } = await service.pool.query(
      `select d.source, d.outcome, s.kind, e.kind as evidence from sanction s join case_decision d on d.id = s.decision_id
         join case_decision_report l on l.decision_id = d.id join report_evidence e on e.report_id = l.report_id
       where s.account_id = $1 order by e.kind`,
      [id],
    );
    const decided = { source: 'own_initiative', outcome: 'actioned', kind: 'suspend' };
    expect(rows).toEqual([
      { ...decided, evidence: 'picture' },
      { ...decided, evidence: 'profile' },
    ]);
  });
});
