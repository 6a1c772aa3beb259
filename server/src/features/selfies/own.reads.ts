import { sql } from 'kysely';
import { poseMinutes, selfiesPerWeek } from '#contract/constants.ts';
import { selfieShots } from '#contract/photo-verification.ts';
import type { Db } from '#platform/db/db.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import type { SelfieCheckRow } from './check-row.ts';

const weekSeconds = 7 * 86_400;

/** Until when the selfies of a drawn pose can be sent. */
export const sendUntil = ({ asked_at }: Pick<SelfieCheckRow, 'asked_at'>): Date =>
  secondsAfter(asked_at, poseMinutes * 60);

/** Whether an attempt has a pose that is still valid. */
export const isDrawn = (check: SelfieCheckRow, now: Date): boolean => check.state === 'drawn' && sendUntil(check) > now;

/** The attempts of the last seven days and the newest one, newest first; the open one, if any, is the first. */
export async function attemptsOf(db: Db, accountId: string, now: Date): Promise<SelfieCheckRow[]> {
  const rows = await db
    .selectFrom('selfie_check')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy(sql`state in ('drawn', 'waiting')`, 'desc')
    .orderBy('asked_at', 'desc')
    .limit(200)
    .execute();
  const since = secondsAfter(now, -weekSeconds);
  return rows.filter((row, index) => index === 0 || (row.sent_at ?? row.asked_at) > since);
}

/** When the next attempt is possible after three within seven days; null if one is possible now. */
export function nextAttempt(attempts: readonly SelfieCheckRow[], now: Date): Date | null {
  const since = secondsAfter(now, -weekSeconds);
  const sent = attempts.flatMap(({ sent_at }) => (sent_at !== null && sent_at > since ? [sent_at] : []));
  const oldest = sent.at(-1);
  return sent.length < selfiesPerWeek || oldest === undefined ? null : secondsAfter(oldest, weekSeconds);
}

/** An attempt as the member sees it; null if they withdrew it or let the pose expire. */
function toOwnSelfie(check: SelfieCheckRow | undefined, now: Date) {
  if (check === undefined || check.state === 'withdrawn') return null;
  if (check.sent_at === null && !isDrawn(check, now)) return null;
  return {
    _id: check.id,
    state: check.state,
    pose: check.pose,
    sendUntil: check.state === 'drawn' ? sendUntil(check) : null,
    shots: selfieShots.filter((shot) => (shot === 'front' ? check.front_key : check.posed_key) !== null),
    reason: check.reason,
  };
}

/** Whether a member is photo verified, and how far they are. */
export async function ownVerification(db: Db, accountId: string, now: Date) {
  const profile = await db
    .selectFrom('profile')
    .select(['photo_verified_at', 'photo_verified_ids', 'verified_contact_only'])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  const attempts = await attemptsOf(db, accountId, now);
  return {
    verifiedAt: profile.photo_verified_at,
    isLost: profile.photo_verified_at === null && profile.photo_verified_ids !== null,
    check: toOwnSelfie(attempts[0], now),
    nextAttemptAt: nextAttempt(attempts, now),
    onlyVerifiedMayWrite: profile.verified_contact_only,
  };
}

/** Who may write to a member first, and what is kept about their attempts, for their data export. The selfies themselves are deleted. */
export async function selfiesData(db: Db, accountId: string) {
  const { onlyVerifiedMayWrite } = await db
    .selectFrom('profile')
    .select('verified_contact_only as onlyVerifiedMayWrite')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  const attempts = await db
    .selectFrom('selfie_check')
    .select(['asked_at as poseGivenAt', 'pose', 'sent_at as sentAt', 'state', 'decided_at as decidedAt', 'reason'])
    .where('account_id', '=', accountId)
    .orderBy('asked_at')
    .execute();
  return { onlyVerifiedMayWrite, attempts };
}
