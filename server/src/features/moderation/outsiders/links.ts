import type { Db } from '#platform/db/db.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { appealUntil, readToken, signedToken } from '../decisions/links.ts';

/** The token in a mail about an outsider report: it opens all reports from the address it was mailed to, as long as appeals are possible. */
export const outsiderToken = (key: string, { id, email }: { id: string; email: string }, now: Date): string =>
  signedToken(key, 'outsider', { id, accountId: id, email }, appealUntil(now));

/** Records that someone reads the mailbox to which a token was mailed; returns its address. 404 for a forged or expired token. */
export async function confirmAddress(tx: Db, key: string, token: string, now: Date): Promise<string> {
  const { id, email } = await readToken(tx, key, 'outsider', { token, now });
  const { numUpdatedRows } = await tx
    .updateTable('outsider_notice')
    .set({ confirmed_at: now, filing_due_since: now })
    .where('email', '=', email)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst();
  // In a job, because the response time must not reveal whether an account exists.
  if (numUpdatedRows > 0n) await addJob(tx, 'outsiders.confirmed', { id }, { jobKey: `outsiders.confirmed ${id}` });
  return email;
}

/** Erases the name and address of the person who reads the mailbox of a token, which ends answers and appeals. 404 for a bad token. */
export async function forgetAuthor(tx: Db, key: string, token: string, now: Date): Promise<void> {
  const email = await confirmAddress(tx, key, token, now);
  const forgotten = { name: null, email: null, forgotten_at: now };
  await tx.updateTable('outsider_notice').set(forgotten).where('email', '=', email).execute();
}
