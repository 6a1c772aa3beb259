import { msg } from '@lingui/core/runtime-macro';
import { challengeMaxTries, challengeMinutes, restoreDays } from '#contract/constants.ts';
import { AppError } from '#platform/http/app-error.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import type { Db } from '#platform/db/db.ts';
import type { HouseStamp } from '#platform/session/sessions.ts';
import { hashToken, newToken } from '#platform/config/secrets.ts';
import { dropRemoval } from '../factors/factors.ts';
import { forgetCodes } from './throttle.ts';

/** The error for a challenge that was used, has expired or was tried too often. */
export const challengeExpired = (): AppError =>
  new AppError('CHALLENGE_EXPIRED', msg`That took too long or too many tries. Please sign in again.`);

/**
 * Opens a challenge that proves the first factor was right, valid for ten minutes and one sign-in. `passkey` is set if the first factor was
 * a passkey whose counter went backwards; completing the sign-in makes it trusted again. `house` is set if the first factor was the house's
 * account.
 */
export async function openChallenge(
  tx: Db,
  accountId: string,
  now: Date,
  { passkey, house }: { passkey?: { id: string; counter: number }; house?: HouseStamp | undefined } = {},
): Promise<string> {
  const challenge = newToken();
  await tx.deleteFrom('sign_in_challenge').where('account_id', '=', accountId).where('expires_at', '<=', now).execute();
  await tx
    .insertInto('sign_in_challenge')
    .values({
      token_hash: hashToken(challenge),
      account_id: accountId,
      expires_at: secondsAfter(now, challengeMinutes * 60),
      passkey_id: passkey?.id ?? null,
      passkey_counter: passkey?.counter ?? null,
      house_confirmed_at: house?.confirmedAt ?? null,
      house_grant: house?.grant ?? null,
    })
    .execute();
  return challenge;
}

/**
 * The account whose first factor a challenge proves; 400 if the challenge was used, has expired or was tried too often.
 */
export async function challengedAccount(db: Db, challenge: string, now: Date): Promise<string> {
  const row = await db
    .selectFrom('sign_in_challenge')
    .select('account_id')
    .where('token_hash', '=', hashToken(challenge))
    .where('expires_at', '>', now)
    .where('tries', '<', challengeMaxTries)
    .executeTakeFirst();
  if (row === undefined) throw challengeExpired();
  return row.account_id;
}

/**
 * Uses up a challenge inside the sign-in's transaction; 400 if another request used it first. A passkey that had to be confirmed is trusted
 * again from the counter it reported. Returns what the house's provider confirmed, if anything.
 */
export async function takeChallenge(tx: Db, challenge: string, now: Date): Promise<HouseStamp | undefined> {
  const taken = await tx
    .deleteFrom('sign_in_challenge')
    .where('token_hash', '=', hashToken(challenge))
    .returning(['passkey_id', 'passkey_counter', 'house_confirmed_at', 'house_grant'])
    .executeTakeFirst();
  if (taken === undefined) throw challengeExpired();
  const { house_confirmed_at: confirmedAt, house_grant: grant } = taken;
  if (taken.passkey_id === null) return confirmedAt === null ? undefined : { confirmedAt, grant };
  const trusted = await tx
    .updateTable('passkey')
    .set({ sign_count: Number(taken.passkey_counter), last_used_at: now })
    .where('id', '=', taken.passkey_id)
    .returning('id')
    .executeTakeFirst();
  if (trusted === undefined) throw challengeExpired();
  return undefined;
}

/** Counts a wrong code; returns whether that was the last attempt of the challenge. */
export async function isLastTry(db: Db, challenge: string): Promise<boolean> {
  const counted = await db
    .updateTable('sign_in_challenge')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('token_hash', '=', hashToken(challenge))
    .returning('tries')
    .executeTakeFirst();
  return counted === undefined || counted.tries >= challengeMaxTries;
}

/**
 * After a new password: sign-ins that used the old one must restart, and their wrong codes no longer block the owner.
 * Steps started with the old password are canceled: adding a second factor or passkey, and removing the factor.
 */
export async function endSecondSteps(tx: Db, accountId: string): Promise<void> {
  for (const table of ['sign_in_challenge', 'totp_setup', 'passkey_challenge'] as const)
    await tx.deleteFrom(table).where('account_id', '=', accountId).execute();
  await dropRemoval(tx, accountId);
  await forgetCodes(tx, accountId);
}

/** Until when a leaving account can be restored. */
export const restoreUntil = (leavingSince: Date) => secondsAfter(leavingSince, restoreDays * 86_400);

/** Creates a handle that restores a leaving account within the 14 days. */
export async function newRestoreHandle(db: Db, accountId: string, leavingSince: Date, now: Date): Promise<string> {
  const token = newToken();
  await db.deleteFrom('restore_handle').where('account_id', '=', accountId).where('expires_at', '<=', now).execute();
  await db
    .insertInto('restore_handle')
    .values({ token_hash: hashToken(token), account_id: accountId, expires_at: restoreUntil(leavingSince) })
    .execute();
  return token;
}
