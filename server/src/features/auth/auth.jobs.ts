import type { TaskList } from 'graphile-worker';
import { sql } from 'kysely';
import { idempotencyHours, restoreDays } from '#contract/constants.ts';
import { secondsAfter } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import type { Schedule } from '../../platform/jobs.ts';
import { mailReset } from './auth.password.service.ts';
import { resendToAddress } from './auth.verification.service.ts';

const day = 86_400;
const unverifiedDays = 30;
const mailDays = 90;

/** What accounts leave to the background: mails whose writing must not tell known addresses from unknown ones, and the daily clean-up. */
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
    'auth.cleanUp': async () => {
      const now = clock.now();
      await sql`delete from session where idle_expires_at <= ${now} or expires_at <= ${now}`.execute(db);
      await sql`update refresh_token set sealed_answer = null where used_at < ${secondsAfter(now, -300)} and sealed_answer is not null`.execute(
        db,
      );
      await sql`delete from verification where created_at <= ${secondsAfter(now, -day)}`.execute(db);
      await sql`delete from password_reset where expires_at <= ${now}`.execute(db);
      await sql`delete from idempotency where created_at <= ${secondsAfter(now, -idempotencyHours * 3600)}`.execute(db);
      await sql`delete from login_attempt where last_at <= ${secondsAfter(now, -day)}`.execute(db);
      await sql`delete from rate_limit where expire <= ${now.getTime()}`.execute(db);
      await sql`delete from place_move where moved_at <= ${secondsAfter(now, -2 * day)}`.execute(db);
      await sql`delete from mail where created_at <= ${secondsAfter(now, -mailDays * day)}`.execute(db);
      await sql`delete from mail where recipient in (
        select email from account where leaving_since <= ${secondsAfter(now, -restoreDays * day)}
      )`.execute(db);
      await sql`delete from account where leaving_since <= ${secondsAfter(now, -restoreDays * day)} and staff_role is null`.execute(
        db,
      );
      // Who joined with a password and never proved the address within 30 days never was a member.
      await sql`delete from account where email_verified_at is null and password_hash is not null and staff_role is null
        and leaving_since is null and created_at <= ${secondsAfter(now, -unverifiedDays * day)}`.execute(db);
    },
  };
}

export const authSchedules: Schedule[] = [{ cron: '17 3 * * *', task: 'auth.cleanUp' }];
