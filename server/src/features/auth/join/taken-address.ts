import { dayOf, secondsAfter } from '#platform/process/clock.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { queueMail } from '#platform/notify/mail.ts';
import type { PreparationContext } from '#platform/http/mount.ts';
import type { Deps } from '../../../deps.ts';
import { accountByEmail, lockAccount, mailboxOf, mailsSince, type AccountRow } from '../accounts.ts';
import { newRestoreHandle, restoreUntil } from '../session/challenges.ts';

const day = 86_400;

/**
 * Counts a request that may reveal that an address is in use for as long as it runs, so that parallel requests can't
 * exceed the limits of the client and its network (429). The returned function makes the counts permanent. `subject` is
 * counted instead of the two, if given.
 */
export async function countToldAddress(context: PreparationContext<unknown>, subject?: string): Promise<() => void> {
  const { client, network, deps } = context;
  const own = await deps.limits.reserve('addressInUse', subject ?? client);
  context.finally(own.end);
  if (subject !== undefined) return own.keep;
  const nearby = await deps.limits.reserve('addressInUseNearby', network);
  context.finally(nearby.end);
  return () => {
    own.keep();
    nearby.keep();
  };
}

/** Throws 429 if the client or its network was told too often that an address is in use, without counting the request. */
export async function checkToldAddresses({ client, network, deps }: PreparationContext<unknown>): Promise<void> {
  await deps.limits.check('addressInUse', client);
  await deps.limits.check('addressInUseNearby', network);
}

/**
 * Queues a job for someone's attempt to join with an address in use. The work is the same for every such address, so
 * that neither the answer nor its timing reveals whose account is being deleted; the job decides whether to email the
 * owner.
 */
export const noteTakenAddress = (db: Db, email: string): Promise<void> => addJob(db, 'auth.takenAddress', { email });

/** The job that emails the owner of a leaving account a restore link when someone tried to join with its address. */
export async function mailTakenAddress({ db, clock }: Deps, { email }: { email: string }): Promise<void> {
  await inTransaction(db, async (tx) => {
    const owner = await accountByEmail(tx, email);
    if (owner !== undefined) await mailWayBack(tx, await lockAccount(tx, owner.id), clock.now());
  });
}

/**
 * Emails the owner of a locked, leaving account that someone wanted to use its address, with a link that restores the
 * account, at most once a day. False if the account isn't leaving or can no longer be restored.
 */
export async function mailWayBack(tx: Db, account: AccountRow, now: Date): Promise<boolean> {
  const since = account.leaving_since;
  if (since === null || !account.is_active || restoreUntil(since) <= now) return false;
  if ((await mailsSince(tx, account.id, 'addressOfLeaving', secondsAfter(now, -day))) > 0) return true;
  const token = await newRestoreHandle(tx, account.id, since, now);
  const expiresAt = restoreUntil(since);
  const data = { token, until: dayOf(expiresAt) };
  await queueMail(tx, { ...mailboxOf(account), template: 'addressOfLeaving', data, expiresAt }, now);
  return true;
}
