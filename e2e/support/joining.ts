import type { Page } from 'playwright-core';

/** The password of those who join in tests. */
export const newPassword = 'four quiet walnut trees';

/** Answers the questions before the account exists, up to the password. */
export async function answerJoinQuestions(page: Page, email: string, birthDate = '1991-04-12'): Promise<void> {
  const go = () => page.getByRole('main').locator('button[type=submit]').click();
  await page.goto('/app/join');
  await page.getByLabel("What's your email?").fill(email);
  await go();
  await page.getByLabel("What's your first name?").fill('Wilma');
  await go();
  const [year = '', month = '', day = ''] = birthDate.split('-');
  await page.getByLabel('Month').fill(month);
  await page.getByLabel('Day').fill(day);
  await page.getByLabel('Year').fill(year);
  await go();
}

/** Joins by answering all questions, up to the emailed code. */
export async function joinAs(page: Page, email: string): Promise<void> {
  await answerJoinQuestions(page, email);
  await page.getByRole('textbox', { name: 'Choose a password' }).fill(newPassword);
  await page.getByRole('button', { name: 'Agree and join' }).click();
}
