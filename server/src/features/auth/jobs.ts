import type { TaskList } from 'graphile-worker';
import { sql } from 'kysely';
import { idempotencyHours, knownDeviceDays } from '#contract/constants.ts';
import { secondsAfter } from '../../platform/process/clock.ts';
import type { Deps } from '../../deps.ts';
import type { Schedule } from '../../platform/jobs/jobs.ts';
import { notifyAddressInUse } from './address/change.ts';
import { formerAddressDays } from './address/changes.ts';
import { endDueRestores } from './address/restore.ts';
import { mailReset } from './password/password.ts';
import { endDueRemovals } from './factors/removal.ts';
import { writeEntry } from './retention/ledger.ts';
import { endLeaving, endUnverified, endWarned, warnUnused } from './retention/retention.ts';
import { forgetOldAttempts } from './session/throttle.ts';
import { resendToAddress } from './join/mailed-codes.ts';

const day = 86_400;
const mailDays = 90;
const failedJobDays = 14;

/**
 * Background jobs of accounts: emails whose timing must not reveal whether an address is known, the daily clean-up, and the
 * deletion of accounts that were closed, never verified or unused.
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
    'auth.writeLedger': (payload) => writeEntry(deps, (payload as { id: string }).id),
    'auth.cleanUp': async () => {
      const now = clock.now();
      await sql`delete from session where idle_expires_at <= ${now} or expires_at <= ${now}`.execute(db);
      await sql`update refresh_token set sealed_answer = null where used_at < ${secondsAfter(now, -300)} and sealed_answer is not null`.execute(
        db,
      );
      await sql`delete from verification where created_at <= ${secondsAfter(now, -day)}`.execute(db);
      await sql`delete from former_address where changed_at <= ${secondsAfter(now, -formerAddressDays * day)}`.execute(
        db,
      );
      await sql`delete from former_password where replaced_at <= ${secondsAfter(now, -formerAddressDays * day)}`.execute(
        db,
      );
      await sql`delete from password_reset where expires_at <= ${now}`.execute(db);
      await sql`delete from idempotency where created_at <= ${secondsAfter(now, -idempotencyHours * 3600)}`.execute(db);
      await forgetOldAttempts(db, now);
      await sql`delete from rate_limit where expire <= ${now.getTime()}`.execute(db);
      await sql`delete from place_move where moved_at <= ${secondsAfter(now, -2 * day)}`.execute(db);
      await sql`delete from mail where created_at <= ${secondsAfter(now, -mailDays * day)}`.execute(db);
      await sql`delete from refused_address where refused_until <= ${now}`.execute(db);
      await sql`delete from totp_setup where expires_at <= ${now}`.execute(db);
      await sql`delete from sign_in_challenge where expires_at <= ${now}`.execute(db);
      await sql`delete from passkey_challenge where expires_at <= ${now}`.execute(db);
      await sql`delete from factor_removal where link_expires_at <= ${now} and stop_hash is null`.execute(db);
      await sql`delete from known_device where last_seen_at <= ${secondsAfter(now, -knownDeviceDays * day)}`.execute(
        db,
      );
      await sql`delete from identity_claim where expires_at <= ${now}`.execute(db);
      await sql`delete from used_token where expires_at <= ${now}`.execute(db);
      // The payloads of failed jobs name people.
      await sql`delete from graphile_worker._private_jobs
        where attempts >= max_attempts and locked_at is null and run_at <= ${secondsAfter(now, -failedJobDays * day)}`.execute(
        db,
      );
    },
    'auth.removeFactors': () => endDueRemovals(deps, clock.now()),
    'auth.restoreAddresses': () => endDueRestores(deps, clock.now()),
    'auth.endAccounts': async () => {
      const now = clock.now();
      await endLeaving(deps, now);
      await endUnverified(deps, now);
      await endWarned(deps, now);
      await warnUnused(deps, now);
    },
  };
}

/** The daily clean-up and deletions at night, due removals of factors and restored addresses every hour; UTC. */
export const authSchedules: Schedule[] = [
  { cron: '17 3 * * *', task: 'auth.cleanUp' },
  { cron: '29 3 * * *', task: 'auth.endAccounts' },
  { cron: '41 * * * *', task: 'auth.removeFactors' },
  { cron: '43 * * * *', task: 'auth.restoreAddresses' },
];
