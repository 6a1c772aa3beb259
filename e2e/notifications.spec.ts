import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { getCards } from '#contract/discovery.ts';
import { likeUser } from '#contract/connections.ts';
import { getNotificationSettings } from '#contract/notifications.ts';
import { listMyReports } from '#contract/moderation/reports.ts';
import { replyToReport } from '#contract/moderation/staff-reports.ts';
import { login } from '#contract/auth/session.ts';
import { listOutbox } from '#contract/system.ts';
import { eventually, serviceForTests } from './support/harness.ts';
import { addressOf, type Credentials, hasFocus, inSentence, people, see } from './support/visitor.ts';
import { sessionIn } from '../server/test/session-in.ts';

const service = serviceForTests({ members: 300 });

const phone = { width: 360, height: 740 };

const bell = (page: Page, name: string | RegExp = /^Notifications/) => page.getByRole('button', { name, exact: true });
const panel = (page: Page) => page.getByRole('dialog', { name: 'Notifications' });

/** Signs in as a generated member. */
async function keysOf(userId: string): Promise<Credentials> {
  const { password, email } = people.bo;
  const { rows } = await service.pool.query<{ email: string }>(
    `update account set password_hash = (select password_hash from account where email = $2)
      where id = $1 returning email`,
    [userId, email],
  );
  return { email: rows[0]?.email ?? '', password };
}

async function idOf({ email }: Credentials): Promise<string> {
  const { rows } = await service.pool.query<{ id: string }>('select id from account where email = $1', [email]);
  return rows[0]?.id ?? '';
}

const mailOfReport = async () =>
  (await service.call(getNotificationSettings, { token: await tokenOf(people.ada) })).body.data.settings.report.mail;
const tokenOf = async ({ email, password }: Credentials) =>
  sessionIn((await service.call(login, { body: { email, password } })).body).token;

describe('the bell', () => {
  it('shows new likes and matches immediately until they are seen', async () => {
    const adaId = await idOf(people.ada);
    // No one likes Ada yet, and she has no notifications.
    await service.pool.query('delete from decision where target_id = $1 and is_pending', [adaId]);
    await service.pool.query('delete from notification where account_id = $1', [adaId]);
    const { page, token = '' } = await service.visitor({ as: people.ada });
    const { cards } = (await service.call(getCards, { token })).body.data;
    const [admirer, liked] = cards.map(({ user }) => user);
    await service.call(likeUser, { token, params: { userId: liked?._id ?? '' }, body: {} });
    await page.goto('/faqs');
    await bell(page, 'Notifications').waitFor();

    const keys = await keysOf(admirer?._id ?? '');
    await service.call(likeUser, { token: await tokenOf(keys), params: { userId: adaId }, body: {} });
    await bell(page, 'Notifications, 1 unread').click();
    await see(panel(page), 'Someone likes you', 'New', 'Just now');
    await bell(page, 'Notifications').waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });
    await eventually(() => hasFocus(bell(page))).toBe(true);

    const other = await service.visitor({ as: await keysOf(liked?._id ?? ''), ...phone });
    await other.page.goto(`/app/members/${adaId}`);
    await other.page.getByRole('button', { name: 'Like Ada', exact: true }).click();
    await other.page.getByRole('dialog', { name: 'You and Ada like each other' }).waitFor();
    const moment = page.getByRole('dialog', { name: `You and ${inSentence(liked?.firstName ?? '')} like each other` });
    await moment.getByRole('button', { name: 'Keep looking' }).click();
    await bell(page, 'Notifications, 1 unread').click();
    await panel(page)
      .getByRole('link', { name: `You and ${inSentence(liked?.firstName ?? '')} are a match` })
      .click();
    await page.getByRole('textbox', { name: `Write to ${inSentence(liked?.firstName ?? '')}` }).waitFor();
    await bell(page, 'Notifications').waitFor();
    expect(addressOf(page)).toMatch(/^\/app\/messages\//);
  });
});

describe('notification settings', () => {
  it('can be changed with the unsubscribe link in an email, but not by just opening it', async () => {
    const { token: adasToken } = await service.visitor({ as: people.ada });
    const [report] = (await service.call(listMyReports, { token: adasToken ?? '' })).body.data.reports;
    await service.call(replyToReport, {
      token: await tokenOf(people.administrator),
      params: { id: report?._id ?? '' },
      body: { message: 'We have looked at it.' },
    });
    const link = async () => {
      const { mails } = (await service.call(listOutbox, { query: { to: people.ada.email } })).body.data;
      return /http\S+\/app\/unsubscribe#[\w.-]+/.exec(mails[0]?.text ?? '')?.[0] ?? '';
    };
    await eventually(link).not.toBe('');

    const { page } = await service.visitor(phone);
    await page.goto(await link());
    const end = page.getByRole('button', { name: 'Stop emails like this' });
    await end.waitFor();
    expect(await mailOfReport()).toBe('now');
    await end.click();
    await see(page, /^Done\. We no longer email you about:/, 'News about your reports');
    expect(await mailOfReport()).toBe('never');
  });
});
