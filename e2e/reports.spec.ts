import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { login } from '#contract/auth/session.ts';
import { searchUsers } from '#contract/profiles/profiles.ts';
import { createReport, listMyReports } from '#contract/moderation/reports.ts';
import { serviceForTests } from './support/harness.ts';
import { people, see } from './support/visitor.ts';
import { sessionIn } from '../server/test/session-in.ts';

const service = serviceForTests({ members: 120 });

const { administrator, moderator, ada, bo } = people;
const phone = { width: 360, height: 740, scheme: 'dark' } as const;

const tokenOf = async (person: { email: string; password: string }) =>
  sessionIn((await service.call(login, { body: person })).body).token;

/** Files a report through the API; returns its id. */
async function file(description: string, by = bo): Promise<string> {
  const body = { problem_type: 'Bug Report' as const, description };
  return (await service.call(createReport, { token: await tokenOf(by), body })).body.data.report._id;
}

const short = (id: string) => `#${id.slice(-6)}`;
const row = (page: Page, id: string) => page.getByRole('row').filter({ hasText: id.slice(-6) });

describe('a report', () => {
  it('is filed on a phone, answered and closed, and shows each side only what it may see', async () => {
    const { page, token = '' } = await service.visitor({ as: ada, ...phone });
    const { users } = (await service.call(searchUsers, { token, query: { limit: '20' } })).body.data;
    const member = users.find(({ _id, name }) => name !== null && _id !== '');
    await page.goto(`/app/members/${member?._id}`);
    await page.getByRole('button', { name: /^Report or block/ }).click();
    await page.getByRole('link', { name: 'Something else' }).click();
    await page.getByLabel('Insults, threats or harassment').check();
    await page.getByLabel('What happened?').fill('Writes every hour since Monday.');
    await page.getByRole('button', { name: 'Send report' }).click();
    await page.getByRole('heading', { level: 1, name: 'Thank you, we have your report' }).waitFor();
    await see(page, "You and this person no longer see each other. They won't be notified.");
    const [mine] = (await service.call(listMyReports, { token })).body.data.reports;
    const id = mine?._id ?? '';
    await see(page, short(id));
    await page.goto(`/app/members/${member?._id}`);
    await see(page, "This profile isn't available.");

    const desk = await service.visitor({ as: moderator });
    await desk.page.goto('/reports');
    await row(desk.page, id)
      .getByRole('button', { name: `Reply to report ${short(id)}` })
      .click();
    const dialog = desk.page.getByRole('dialog', { name: `Reply to report ${short(id)}` });
    await see(dialog, 'Ada Lindqvist', 'Harassment', 'Writes every hour since Monday.');
    await dialog.getByRole('textbox', { name: /^Reply/ }).fill('We are looking into it.');
    await dialog.getByLabel('Internal notes').fill('Third report about this one.');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await dialog.waitFor({ state: 'detached' });
    await desk.page.getByRole('link', { name: id.slice(-6) }).click();
    await see(desk.page, 'Third report about this one.', 'Evidence', 'Timeline');

    await page.goto(`/app/support/${id}`);
    await see(page, 'We are looking into it.', 'Support team');
    expect(await page.getByText('Third report').count()).toBe(0);
    await page.getByLabel('Your answer').fill('Thank you. It went on today.');
    await page.getByRole('button', { name: 'Send' }).click();
    await see(page, 'Thank you. It went on today.');

    await desk.page.goto('/reports');
    await row(desk.page, id).getByText('New answer').waitFor();
    await row(desk.page, id)
      .getByRole('button', { name: `Mark resolved: report ${short(id)}` })
      .click();
    await see(desk.page, `Report ${short(id)} resolved.`);
    await page.reload();
    await see(page, 'Resolved');
  });

  it('shows markup, right-to-left and endless text as plain text that fits', async () => {
    const hostile = `<img src=x onerror="document.title='broken'"><b>هذا نص</b> ${'endless'.repeat(300)}`;
    const id = await file(hostile);
    for (const look of [phone, { width: 1280, height: 800 }]) {
      const { page } = await service.visitor({ as: administrator, ...look });
      for (const path of ['/reports', `/reports/${id}`]) {
        await page.goto(path);
        await see(page, /onerror/);
        expect(await page.title()).not.toBe('broken');
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      }
    }
  });
});
