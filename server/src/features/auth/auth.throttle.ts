import { sql, type RawBuilder } from 'kysely';
import { loginThrottle } from '#contract/constants.ts';
import { tooMany } from '../../platform/app-error.ts';
import { secondsAfter } from '../../platform/clock.ts';
import type { Db } from '../../platform/db.ts';
import { hashToken } from '../../platform/seal.ts';

const forgetAfterSeconds = 3600;

/** The subjects a sign-in attempt counts for: the address (hashed, whether or not it has an account) and the network. */
export function attemptSubjects(email: string, network: string): { account: string; network: string } {
  return { account: `account:${hashToken(email).toString('base64url')}`, network: `network:${network}` };
}

/**
 * Counts an attempt before its password is looked at, so that a thousand at once are not judged by the same count; 429 while paused.
 * Ten failures are free, then each further one doubles the pause from 1 s to 15 min; there is no permanent lock.
 */
export async function reserveAttempt(db: Db, subjects: { account: string; network: string }, now: Date): Promise<void> {
  await reserve(db, subjects.network, now, {
    free: loginThrottle.networkFailures,
    isOver: sql`a.window_started_at < ${secondsAfter(now, -loginThrottle.windowSeconds)}`,
    firstPauseSeconds: loginThrottle.longestPauseSeconds,
  });
  await reserve(db, subjects.account, now, {
    free: loginThrottle.accountFailures,
    // Longer than the longest pause, so that waiting one out does not start the count anew.
    isOver: sql`a.last_at < ${secondsAfter(now, -forgetAfterSeconds)}`,
    firstPauseSeconds: loginThrottle.firstPauseSeconds,
  });
}

interface Rule {
  free: number;
  isOver: RawBuilder<unknown>;
  firstPauseSeconds: number;
}

async function reserve(db: Db, subject: string, now: Date, { free, isOver, firstPauseSeconds }: Rule): Promise<void> {
  // A failure that lies ahead of the longest pause was noted by a clock that was wrong.
  const isAhead = sql`a.last_at > ${secondsAfter(now, loginThrottle.longestPauseSeconds)}`;
  const pause = sql`least(${loginThrottle.longestPauseSeconds}::float8, ${firstPauseSeconds}::float8 * power(2, least(f.n - ${free}::int, 20)))`;
  const reserved = await sql<{ failures: number }>`
    insert into login_attempt as a (subject, failures, window_started_at, last_at, blocked_until)
    values (${subject}, 1, ${now}, ${now}, ${now})
    on conflict (subject) do update set (failures, window_started_at, last_at, blocked_until) = (
      select f.n, case when f.n = 1 then ${now}::timestamptz else a.window_started_at end, ${now}::timestamptz,
        case when f.n < ${free}::int then ${now}::timestamptz else ${now}::timestamptz + make_interval(secs => ${pause}) end
      from (select case when ${isOver} or ${isAhead} then 1 else a.failures + 1 end as n) f
    )
    where a.blocked_until <= ${now} or ${isAhead}
    returning failures`.execute(db);
  if (reserved.rows.length > 0) return;
  const blocked = await db
    .selectFrom('login_attempt')
    .select('blocked_until')
    .where('subject', '=', subject)
    .executeTakeFirst();
  const seconds = blocked === undefined ? 1 : (blocked.blocked_until.getTime() - now.getTime()) / 1000;
  throw tooMany('Too many failed sign-ins. Please wait a moment, or choose a new password.', seconds);
}

/** Takes back what a successful attempt had reserved. */
export async function releaseAttempt(db: Db, subjects: { account: string; network: string }): Promise<void> {
  await db.deleteFrom('login_attempt').where('subject', '=', subjects.account).execute();
  await sql`update login_attempt set failures = greatest(failures - 1, 0), blocked_until = last_at where subject = ${subjects.network}`.execute(
    db,
  );
}

/** Takes back an attempt that was never judged. */
export async function returnAttempt(db: Db, subjects: { account: string; network: string }): Promise<void> {
  await sql`update login_attempt set failures = greatest(failures - 1, 0), blocked_until = last_at
    where subject in (${subjects.account}, ${subjects.network})`.execute(db);
}

/**
 * Ends the pause of an address whose owner proved the mailbox. Half of the free failures stay used: somebody who goes on guessing
 * meanwhile gains little by it.
 */
export async function forgetAttempts(db: Db, email: string): Promise<void> {
  await sql`update login_attempt
    set failures = least(failures, ${loginThrottle.accountFailures / 2}::int), blocked_until = last_at
    where subject = ${attemptSubjects(email, '').account}`.execute(db);
}
