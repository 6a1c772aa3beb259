import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { login } from '#contract/auth/session.ts';
import { moveSandboxClock } from '#contract/subscriptions/payments-sandbox.ts';
import { currentSubscription } from '#contract/subscriptions/subscriptions.ts';
import { eventually, serviceForTests } from './support/harness.ts';
import { people, see, type Visitor } from './support/visitor.ts';
import { sessionIn } from '../server/test/session-in.ts';

const service = serviceForTests({ members: 40 });

const phone = { width: 360, height: 740 };

async function tokenOf({ email, password }: { email: string; password: string }): Promise<string> {
  return sessionIn((await service.call(login, { body: { email, password } })).body).token;
}

async function fillCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expires').fill('12/99');
  await page.getByLabel('Security code').fill('123');
}

const press = (page: Page, name: string | RegExp) => page.getByRole('main').getByRole('button', { name }).click();
const bank = (page: Page) => page.getByRole('dialog', { name: 'Your bank asks you to confirm' });

const isVip = async (id: string) => {
  const { rows } = await service.pool.query<{ is_vip: boolean }>('select is_vip from account where id = $1', [id]);
  return rows[0]?.is_vip;
};

/** Moves the payment clock to just after the end of this member's paid period. */
async function passPeriod(token: string): Promise<void> {
  const held = (await service.call(currentSubscription, { token })).body.subscription;
  const to = new Date(Date.parse(held.currentPeriodEnd ?? '') + 60_000).toISOString();
  const administrator = await tokenOf(people.administrator);
  await service.call(moveSandboxClock, { token: administrator, body: { to } });
}

/** Card refusals are expected in this test; nothing else may be refused. */
function expectOnly({ refusals }: Visitor, expected: RegExp): void {
  expect(refusals.filter((refusal) => !expected.test(refusal))).toEqual([]);
}

describe('premium on a phone', () => {
  it('can be bought (after a declined card and a bank confirmation), changed, paused, canceled, resumed and renewed', async () => {
    const visitor = await service.visitor({ as: people.ada, ...phone });
    const { page } = visitor;
    const token = visitor.token ?? '';
    const { rows } = await service.pool.query<{ id: string }>('select id from account where email = $1', [
      people.ada.email,
    ]);
    const ada = rows[0]?.id ?? '';

    await page.goto('/app/premium');
    await see(page, 'Test payments. No money moves.');
    await press(page, 'Continue to payment');
    await fillCard(page, '4000 0000 0000 0002');
    await press(page, /^Pay \$14\.99/);
    await see(page, /^Your bank declined this card/);
    expect(await isVip(ada)).toBe(false);

    await page.getByLabel('Card number').fill('4000 0025 0000 3155');
    await press(page, /^Pay \$14\.99/);
    await bank(page).getByRole('button', { name: 'Decline' }).click();
    await see(page, /^Your bank couldn't confirm/);
    expect(await isVip(ada)).toBe(false);
    await press(page, /^Pay \$14\.99/);
    await bank(page).getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'Welcome to premium' }).waitFor();
    await eventually(() => isVip(ada)).toBe(true);
    await page.goto('/home');
    await see(page, /You have premium\./);

    await page.goto('/app/settings/plan');
    await press(page, 'Change plan');
    await page.getByRole('radio', { name: /^Quarterly/ }).check();
    await see(page, /\$20\.98/);
    await press(page, 'Pay $20.98 and change');
    await press(page, 'Pay and change');
    await bank(page).getByRole('button', { name: 'Approve' }).click();
    await see(page, '$35.97 every 3 months');

    const saved = page.waitForEvent('download');
    await page
      .getByRole('button', { name: /^Download PDF of/ })
      .first()
      .click();
    expect((await saved).suggestedFilename()).toMatch(/^heartwood-receipt-hw-[\d-]+\.pdf$/);
    await press(page, 'Pause premium');
    await press(page, 'Pause for 1 month');
    await see(page, /^You have premium until .* Then it pauses until/);
    await press(page, 'Resume premium');
    await press(page, 'Resume');
    await see(page, /^Renews on/);

    await press(page, 'Cancel premium');
    await press(page, 'Yes, cancel premium');
    await see(page, /^Ends on/);
    expect(await isVip(ada)).toBe(true);
    await press(page, 'Resume premium');
    await see(page, /^Renews on/);

    await passPeriod(token);
    await eventually(async () => {
      await page.reload();
      await see(page, /^Renews on/);
      return await page.getByRole('link', { name: /^Invoice HW-/ }).count();
    }).toBe(3);
    expect(await isVip(ada)).toBe(true);
    await page
      .getByRole('link', { name: /^Invoice HW-/ })
      .first()
      .click();
    await see(page, people.ada.email);
    await see(page, '$35.97');
    expectOnly(visitor, /^422 |^404 \/api\/v1\/subscription\/current/);
  });
});
