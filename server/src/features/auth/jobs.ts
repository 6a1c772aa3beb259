import type { TaskList } from 'graphile-worker';
import { type RawBuilder, sql } from 'kysely';
import { idempotencyHours, knownDeviceDays } from '#contract/constants.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import type { Deps } from '../../deps.ts';
import type { Db } from '#platform/db/db.ts';
import { isUnheld } from '#platform/db/legal-hold.ts';
import type { Schedule } from '#platform/jobs/jobs.ts';
import type { Recoveries } from '#platform/jobs/owed.ts';
import { deleteWhere, updateWhere } from '#platform/jobs/due-rows.ts';
import { eachInTurn } from '#platform/jobs/turns.ts';
import { notifyAddressInUse } from './address/change.ts';
import { formerAddressDays } from './address/changes.ts';
import { endDueRestores } from './address/restore.ts';
import { mailReset } from './password/password.ts';
import { endDueRemovals } from './factors/removal.ts';
import { forgetMessages, unkeptEntries, writeEntry } from './retention/ledger.ts';
import { endLeaving, endUnverified, endWarned, warnUnused } from './retention/retention.ts';
import { isOldAttempt } from './session/throttle.ts';
import { resendToAddress } from './join/mailed-codes.ts';
import { mailTakenAddress } from './join/taken-address.ts';

const day = 86_400;
const mailDays = 90;
const failedJobDays = 14;
/** How long a repeated refresh gets the answer that was lost. */
const answerSeconds = 300;

/**
 * Background jobs of accounts: emails whose timing must not reveal whether an address is known, the daily clean-up, and
 * the deletion of accounts that were closed, never verified or unused.
 */
export function authTasks(deps: Deps): TaskList {
  const { db, clock } = deps;
  return {
    'auth.forgotPassword': async (payload) => {
      const { email } = payload as { email: string };
      await mailReset(deps, email, clock.now());
    },
    'auth.resendVerification': async (payload) => {
      const { email, handleHash } = payload as { email: string; handleHash: string };
      await resendToAddress(deps, email, Buffer.from(handleHash, 'base64url'), clock.now());
    },
    'auth.addressInUse': async (payload) => {
      const { email, askedBy } = payload as { email: string; askedBy: string };
      await notifyAddressInUse(deps, email, askedBy, clock.now());
    },
    'auth.takenAddress': (payload) => mailTakenAddress(deps, (payload as { email: string }).email, clock.now()),
    'auth.writeLedger': (payload) => writeEntry(deps, (payload as { id: string }).id),
    'auth.forgetActs': () => forgetMessages(deps),
    'auth.cleanUp': () => cleanUp(db, clock.now()),
    'auth.removeFactors': () => endDueRemovals(deps, clock.now()),
    'auth.restoreAddresses': () => endDueRestores(deps, clock.now()),
    'auth.endAccounts': () => {
      const now = clock.now();
      return eachInTurn([endLeaving, endUnverified, endWarned, warnUnused], (step) => step(deps, now));
    },
  };
}

const asksAgain = { harmless: 'Whoever waits for the mail asks for another.' };

export const authRecoveries: Recoveries = {
  'auth.writeLedger': { owed: () => unkeptEntries },
  'auth.forgotPassword': asksAgain,
  'auth.resendVerification': asksAgain,
  'auth.addressInUse': asksAgain,
  'auth.takenAddress': asksAgain,
};

/** The jobs that write to the picture storage. */
export const authOutsideJobs = ['auth.writeLedger', 'auth.forgetActs'];

/** Deletes expired rows, each kind on its own, so that a failing kind does not delay the others. */
async function cleanUp(db: Db, now: Date): Promise<void> {
  const ago = (seconds: number) => secondsAfter(now, -seconds);
  const over: [table: string, isOver: RawBuilder<unknown>][] = [
    ['session', sql`idle_expires_at <= ${now} and ${isUnheld()}`],
    ['session', sql`expires_at <= ${now} and ${isUnheld()}`],
    ['verification', sql`created_at <= ${ago(day)}`],
    ['former_address', sql`changed_at <= ${ago(formerAddressDays * day)} and ${isUnheld()}`],
    ['former_password', sql`replaced_at <= ${ago(formerAddressDays * day)}`],
    ['password_reset', sql`expires_at <= ${now}`],
    ['idempotency', sql`created_at <= ${ago(idempotencyHours * 3600)}`],
    ['login_attempt', isOldAttempt(now)],
    ['rate_limit', sql`expire <= ${now.getTime()}`],
    ['place_move', sql`moved_at <= ${ago(2 * day)} and ${isUnheld()}`],
    ['mail', sql`created_at <= ${ago(mailDays * day)} and ${isUnheld()}`],
    ['refused_address', sql`refused_until <= ${now}`],
    ['totp_setup', sql`expires_at <= ${now}`],
    ['sign_in_challenge', sql`expires_at <= ${now}`],
    ['passkey_challenge', sql`expires_at <= ${now}`],
    ['factor_removal', sql`link_expires_at <= ${now} and stop_hash is null`],
    ['known_device', sql`last_seen_at <= ${ago(knownDeviceDays * day)} and ${isUnheld()}`],
    ['identity_claim', sql`expires_at <= ${now}`],
    ['used_token', sql`expires_at <= ${now}`],
    // The payloads of failed jobs contain account ids.
    [
      'graphile_worker._private_jobs',
      sql`attempts >= max_attempts and locked_at is null and run_at <= ${ago(failedJobDays * day)}`,
    ],
  ];
  const deletions = over.map(
    ([table, isOver]) =>
      () =>
        deleteWhere(db, table, isOver),
  );
  const isSealed = sql`used_at < ${ago(answerSeconds)} and sealed_answer is not null`;
  const forgetAnswers = () => updateWhere(db, 'refresh_token', sql`sealed_answer = null`, isSealed);
  await eachInTurn([forgetAnswers, ...deletions], (step) => step());
}

/**
 * The daily clean-up and nightly deletions; due removals of factors and address restores every hour. Times are in UTC.
 */
export const authSchedules: Schedule[] = [
  { cron: '17 3 * * *', task: 'auth.cleanUp' },
  { cron: '29 3 * * *', task: 'auth.endAccounts' },
  { cron: '31 3 * * *', task: 'auth.forgetActs' },
  { cron: '41 * * * *', task: 'auth.removeFactors' },
  { cron: '43 * * * *', task: 'auth.restoreAddresses' },
];
