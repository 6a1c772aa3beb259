import { requestAppealLink } from '#contract/moderation/appeals.ts';
import { askForExportByLink } from '#contract/takeout.ts';
import type { TestMember } from './factories.ts';
import type { TestApp } from './harness.ts';

/** Locks a member out, as an administrator does on the users page. */
export async function lockOut(test: TestApp, { id }: Pick<TestMember, 'id'>): Promise<void> {
  await test.db
    .updateTable('account')
    .set({ is_active: false, deactivated_at: test.clock.now(), deactivation_reason: 'Asked others for money' })
    .where('id', '=', id)
    .execute();
}

/** The token in the newest mail to an address, after the `#` of its link; empty without one. */
export async function mailedHash(test: TestApp, email: string): Promise<string> {
  const [mail] = await test.outbox(email);
  const [link] = mail?.links ?? [];
  return link === undefined ? '' : new URL(link).hash.slice(1);
}

/** The token that a locked-out member is mailed on asking for it; empty if none was sent. */
export async function lockedToken(test: TestApp, email: string): Promise<string> {
  await test.call(requestAppealLink, { body: { email } });
  await test.drain('appeals.mailLink');
  return await mailedHash(test, email);
}

/** The token that downloads the archive of a locked-out member. */
export async function archiveToken(test: TestApp, email: string): Promise<string> {
  await test.call(askForExportByLink, { body: { token: await lockedToken(test, email) } });
  await test.drain('takeout.prepare');
  return (await mailedHash(test, email)).replace('archive.', '');
}
