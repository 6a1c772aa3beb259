import type { SessionView } from '#contract/auth/auth.ts';
import { AppError, notFound } from '../../../platform/http/app-error.ts';
import { isUuid } from '../../../platform/session/access-token.ts';
import type { Caller } from '../../../platform/session/caller.ts';
import { inTransaction, type Db } from '../../../platform/db/db.ts';
import type { Deps } from '../../../deps.ts';
import { hashPassword, needsRehash, verifyPassword } from '../password/passwords.ts';
import { accountByEmail, type AccountRow } from '../queries.ts';
import { afterFirstFactor, refuseUnlessWelcome, type FirstFactorAnswer } from '../factors/first-factor.ts';
import type { Origin } from './session-answer.ts';
import { attemptSubjects, releaseAttempt, reserveAttempt, returnAttempt } from './throttle.ts';

/**
 * Signs in by address and password. 401 alike for an unknown address and a wrong password, 429 while throttled;
 * with the right password 403 with the reason for a deactivated account, and with a restore handle for a leaving one, or a
 * challenge where a second factor is to follow.
 */
export async function signIn(
  deps: Deps,
  credentials: { email: string; password: string },
  origin: Origin,
  now: Date,
): Promise<FirstFactorAnswer> {
  const { db } = deps;
  const account = await accountByPassword(deps, credentials, origin.network, now);
  if (account === null) throw new AppError('INVALID_CREDENTIALS', 'Invalid email or password');
  await refuseUnlessWelcome(db, account, now);
  const answer = await inTransaction(db, (tx) => afterFirstFactor(tx, deps, account, { origin, now }));
  if ('token' in answer) deps.activity.note(account.id, -Infinity);
  return answer;
}

/** The account that an address and a password belong to, or null; 429 while throttled. */
export async function accountByPassword(
  { db, config, metrics }: Deps,
  credentials: { email: string; password: string },
  network: string,
  now: Date,
): Promise<AccountRow | null> {
  const subjects = attemptSubjects(credentials.email, network);
  if (config.rateLimits) await reserveAttempt(db, subjects, now);
  const account = await accountByEmail(db, credentials.email);
  const isRight = await verifyPassword(account?.password_hash ?? null, credentials.password).catch(
    async (error: unknown) => {
      // Too busy to judge: the attempt was none.
      if (config.rateLimits) await returnAttempt(db, subjects);
      throw error;
    },
  );
  if (!isRight || account === undefined) {
    metrics.loginFailures.inc();
    return null;
  }
  if (config.rateLimits) await releaseAttempt(db, subjects);
  if (account.password_hash !== null && needsRehash(account.password_hash)) {
    const passwordHash = await hashPassword(credentials.password);
    await db.updateTable('account').set({ password_hash: passwordHash }).where('id', '=', account.id).execute();
  }
  return account;
}

/** The caller's devices, the most recently used first. */
export async function listSessions(db: Db, caller: Caller, now: Date): Promise<SessionView[]> {
  const rows = await db
    .selectFrom('session')
    .selectAll()
    .where('account_id', '=', caller.accountId)
    .where('idle_expires_at', '>', now)
    .where('expires_at', '>', now)
    .orderBy('last_used_at', 'desc')
    .limit(200)
    .execute();
  return rows.map((row) => ({
    _id: row.id,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at.toISOString(),
    device: row.device,
    network: row.network,
    current: row.id === caller.sessionId,
  }));
}

/** Ends the caller's own session; a second sign-out at the same moment finds it ended, which is what it asked for. */
export async function signOut(db: Db, caller: Caller): Promise<void> {
  await db.deleteFrom('session').where('id', '=', caller.sessionId).execute();
}

/** Ends one session of the caller; 404 for any other id. */
export async function endSession(db: Db, caller: Caller, sessionId: string): Promise<void> {
  if (!isUuid(sessionId)) throw notFound();
  const ended = await db
    .deleteFrom('session')
    .where('id', '=', sessionId)
    .where('account_id', '=', caller.accountId)
    .returning('id')
    .executeTakeFirst();
  if (ended === undefined) throw notFound();
}

/** Ends every session of the caller but this one; answers how many. */
export async function endOtherSessions(db: Db, caller: Caller): Promise<number> {
  const ended = await db
    .deleteFrom('session')
    .where('account_id', '=', caller.accountId)
    .where('id', '!=', caller.sessionId)
    .returning('id')
    .execute();
  return ended.length;
}
