import type { MessageDescriptor } from '@lingui/core';
import { msg, plural } from '@lingui/core/runtime-macro';
import { sql, type RawBuilder } from 'kysely';
import { codeThrottle, knownDeviceDays, loginThrottle } from '#contract/constants.ts';
import { AppError, tooMany } from '#platform/http/app-error.ts';
import { unknownNetwork } from '#platform/http/client-network.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import type { Db } from '#platform/db/db.ts';
import { hashToken } from '#platform/config/secrets.ts';

const forgetAfterSeconds = 3600;

/** The subjects that a sign-in attempt is counted for; without a network, only the account. */
interface AttemptSubjects {
  account: string;
  network: string | null;
}

/** Counts for the address (hashed, whether or not it has an account) and the network. */
const attemptSubjects = (email: string, network: string) => ({
  account: `account:${hashToken(email).toString('base64url')}`,
  network: `network:${network}`,
});

/**
 * The subjects of an attempt to sign in. In a network where the account signed in lately, its attempts are counted separately, so that
 * neither strangers who guess elsewhere nor neighbours who guess at other accounts lock its owner out.
 */
export async function subjectsOfAttempt(
  db: Db,
  { email, network }: { email: string; network: string },
  now: Date,
): Promise<AttemptSubjects> {
  const subjects = attemptSubjects(email, network);
  const { rows } = await sql`select from known_device d join account a on a.id = d.account_id
    where a.email = ${email} and d.network = ${network} and d.network <> ${unknownNetwork}
      and d.last_seen_at > ${secondsAfter(now, -knownDeviceDays * 86_400)} limit 1`.execute(db);
  return rows.length === 0 ? subjects : { account: `${subjects.account} ${subjects.network}`, network: null };
}

/**
 * Counts an attempt before its password is checked, so that a thousand parallel attempts don't all see the same count;
 * 429 while paused. Ten failures are free, then each further one doubles the pause from 1 s to 15 min; there is no
 * permanent lock.
 */
export async function reserveAttempt(db: Db, subjects: AttemptSubjects, now: Date): Promise<void> {
  if (subjects.network !== null)
    await reserve(db, subjects.network, now, {
      free: loginThrottle.networkFailures,
      isOver: sql`a.window_started_at < ${secondsAfter(now, -loginThrottle.windowSeconds)}`,
      firstPauseSeconds: loginThrottle.longestPauseSeconds,
      longestPauseSeconds: loginThrottle.longestPauseSeconds,
      words: signInWords,
    });
  await reserve(db, subjects.account, now, accountRule(now));
}

const accountRule = (now: Date): Rule => ({
  free: loginThrottle.accountFailures,
  // Longer than the longest pause, so that waiting does not restart the count.
  isOver: sql`a.last_at < ${secondsAfter(now, -forgetAfterSeconds)}`,
  firstPauseSeconds: loginThrottle.firstPauseSeconds,
  longestPauseSeconds: loginThrottle.longestPauseSeconds,
  words: signInWords,
});

/**
 * Counts a password that is confirmed in a session or with an emailed link, before it is checked; returns the
 * consecutive failures.
 */
export function reserveProof(db: Db, subject: string, now: Date): Promise<number> {
  return reserve(db, `proof:${subject}`, now, accountRule(now));
}

/** Takes back a confirmation that was never checked. */
export async function returnProof(db: Db, subject: string): Promise<void> {
  await returnAttempt(db, { account: `proof:${subject}`, network: null });
}

/** Restarts the count after a correct password. */
export async function releaseProof(db: Db, subject: string): Promise<void> {
  await db.deleteFrom('login_attempt').where('subject', '=', `proof:${subject}`).execute();
}

/** Counts a wrong confirmation as a failed sign-in of the address as well, even while sign-ins are paused. */
export async function countForSignIn(db: Db, email: string, now: Date): Promise<void> {
  await reserve(db, attemptSubjects(email, '').account, now, accountRule(now)).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
  });
}

const signInWords = () => msg`Too many failed sign-ins. Please wait a moment, or choose a new password.`;

const codesOf = (accountId: string) => `codes:${accountId}`;

/** Matches failures that no longer count. */
export const isOldAttempt = (now: Date) => sql`last_at <= ${secondsAfter(now, -86_400)}
  and (subject not like 'codes:%' or last_at <= ${secondsAfter(now, -codeThrottle.windowSeconds)})`;

/**
 * Like `reserveAttempt`, but for two-step codes; returns the number of consecutive attempts. Five are free, then each
 * further one doubles the pause from a minute to six hours: an attacker who guesses codes already knows the password,
 * and must get few attempts before the owner, who is emailed, changes it.
 */
export function reserveCode(db: Db, accountId: string, now: Date): Promise<number> {
  return reserve(db, codesOf(accountId), now, {
    free: codeThrottle.accountFailures,
    isOver: sql`a.last_at < ${secondsAfter(now, -codeThrottle.windowSeconds)}`,
    firstPauseSeconds: codeThrottle.firstPauseSeconds,
    longestPauseSeconds: codeThrottle.longestPauseSeconds,
    words: codeWords,
  });
}

function codeWords(seconds: number): MessageDescriptor {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return minutes > 90
    ? msg`Too many wrong codes. Please wait ${plural({ hours: Math.ceil(minutes / 60) }, { one: '# hour', other: '# hours' })}.`
    : msg`Too many wrong codes. Please wait ${plural({ minutes }, { one: 'a minute', other: '# minutes' })}.`;
}

/** Restarts the count of wrong codes after a right code or a password change. */
export async function forgetCodes(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('login_attempt').where('subject', '=', codesOf(accountId)).execute();
}

interface Rule {
  free: number;
  isOver: RawBuilder<unknown>;
  firstPauseSeconds: number;
  longestPauseSeconds: number;
  /** The message for callers who have to wait. */
  words: (seconds: number) => MessageDescriptor;
}

async function reserve(db: Db, subject: string, now: Date, rule: Rule): Promise<number> {
  const { free, isOver, firstPauseSeconds, longestPauseSeconds, words } = rule;
  // A failure further in the future than the longest pause was recorded by a wrong clock.
  const isAhead = sql`a.last_at > ${secondsAfter(now, longestPauseSeconds)}`;
  const pause = sql`least(${longestPauseSeconds}::float8, ${firstPauseSeconds}::float8 * power(2, least(f.n - ${free}::int, 20)))`;
  const reserved = await sql<{ failures: number }>`
    insert into login_attempt as a (subject, failures, window_started_at, last_at, blocked_until)
    values (${subject}, 1, ${now}, ${now}, '-infinity')
    on conflict (subject) do update set (failures, window_started_at, last_at, blocked_until) = (
      select f.n, case when f.n = 1 then ${now}::timestamptz else a.window_started_at end, ${now}::timestamptz,
        case when f.n < ${free}::int then '-infinity'::timestamptz else ${now}::timestamptz + make_interval(secs => ${pause}) end
      from (select case when ${isOver} or ${isAhead} then 1 else a.failures + 1 end as n) f
    )
    where a.blocked_until <= ${now} or ${isAhead}
    returning failures`.execute(db);
  const [row] = reserved.rows;
  if (row !== undefined) return row.failures;
  const blocked = await db
    .selectFrom('login_attempt')
    .select('blocked_until')
    .where('subject', '=', subject)
    // A correct code may have restarted the count in the meantime.
    .where('blocked_until', '>', now)
    .executeTakeFirst();
  const seconds = blocked === undefined ? 1 : (blocked.blocked_until.getTime() - now.getTime()) / 1000;
  throw tooMany(words(seconds), seconds);
}

/** Takes back the count that a successful attempt had reserved. */
export async function releaseAttempt(db: Db, subjects: AttemptSubjects): Promise<void> {
  await db.deleteFrom('login_attempt').where('subject', '=', subjects.account).execute();
  await sql`update login_attempt set failures = greatest(failures - 1, 0), blocked_until = '-infinity' where subject = ${subjects.network}`.execute(
    db,
  );
}

/**
 * Ends every pause of an account after wrong passwords and codes; returns whether there was one. Half of the free tries stay used up, as in
 * `forgetAttempts`, so that a guesser who asks for it gains little.
 */
export async function endPauses(db: Db, account: { id: string; email: string }, now: Date): Promise<boolean> {
  const { id, email } = account;
  const subjects = [attemptSubjects(email, '').account, `proof:session:${id}`, `proof:undo:${id}`, codesOf(id)];
  const { rows } = await sql<{ was_paused: boolean }>`
    with before as (select subject, blocked_until from login_attempt where subject = any (${subjects}::text[]) for update)
    update login_attempt a set blocked_until = '-infinity', failures = least(failures,
        case when a.subject like 'codes:%' then ${codeThrottle.accountFailures}::int else ${loginThrottle.accountFailures}::int end / 2)
      from before where before.subject = a.subject
      returning before.blocked_until > ${now} as was_paused`.execute(db);
  return rows.some(({ was_paused }) => was_paused);
}

/** Takes back an attempt that was never checked. */
export async function returnAttempt(db: Db, subjects: AttemptSubjects): Promise<void> {
  await sql`update login_attempt set failures = greatest(failures - 1, 0), blocked_until = '-infinity'
    where subject in (${subjects.account}, ${subjects.network})`.execute(db);
}

/**
 * Ends the pause of an address whose owner proved access to the mailbox. Half of the free failures stay used up, so
 * that someone who is still guessing gains little.
 */
export async function forgetAttempts(db: Db, email: string): Promise<void> {
  await sql`update login_attempt
    set failures = least(failures, ${loginThrottle.accountFailures / 2}::int), blocked_until = '-infinity'
    where subject = ${attemptSubjects(email, '').account}`.execute(db);
}
