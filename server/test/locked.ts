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

/** Lets a locked-out member in again. */
export async function letIn(test: TestApp, { id }: Pick<TestMember, 'id'>): Promise<void> {
  const open = { is_active: true, deactivated_at: null, deactivation_reason: null };
  await test.db.updateTable('account').set(open).where('id', '=', id).execute();
}

/** The parts after `#` in the links of the mails to a locked-out address. */
async function mailedHashes(test: TestApp, email: string): Promise<string[]> {
  const links = (await test.outbox(email)).flatMap((mail) => mail.links);
  return links.filter((link) => link.includes('/app/appeal#')).map((link) => new URL(link).hash.slice(1));
}

/** The token that a locked-out member is mailed on request; empty if none was sent. */
export async function lockedToken(test: TestApp, email: string): Promise<string> {
  await test.call(requestAppealLink, { body: { email } });
  await test.drain('appeals.mailLink');
  return (await mailedHashes(test, email)).find((hash) => !hash.startsWith('archive.')) ?? '';
}

/** The token in the mail that announces a finished archive; empty if none was sent. */
export async function mailedArchiveToken(test: TestApp, email: string): Promise<string> {
  await test.drain('takeout.prepare');
  const hash = (await mailedHashes(test, email)).find((each) => each.startsWith('archive.'));
  return hash?.slice('archive.'.length) ?? '';
}

/** Prepares the archive of a locked-out member; returns the token that downloads it. */
export async function archiveToken(test: TestApp, email: string): Promise<string> {
  await test.call(askForExportByLink, { body: { token: await lockedToken(test, email) } });
  return await mailedArchiveToken(test, email);
}
