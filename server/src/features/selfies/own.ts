import { randomInt } from 'node:crypto';
import { msg, plural } from '@lingui/core/runtime-macro';
import { posesPerDay } from '#contract/constants.ts';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import { type drawPose, type Pose, poseNames, type uploadSelfie } from '#contract/photo-verification.ts';
import type { Deps } from '../../deps.ts';
import type { Db } from '#platform/db/db.ts';
import { AppError, notFound, tooMany } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { hoursOfDayLeft, secondsOfDayLeft, startOfDay } from '#platform/process/clock.ts';
import { requireMember, type Caller } from '#platform/session/caller.ts';
import { recordConsent } from '../auth/public.ts';
import { keepBytes, makePicture, newHandle, noteBytes, selfieKey, sweepBytes } from '../media/public.ts';
import { lockProfile } from '../profiles/public.ts';
import { attemptsOf, isDrawn, nextAttempt } from './own.reads.ts';
import { type SelfieCheckRow, withoutSelfies } from './check-row.ts';

/** A pose at random, but not the one before. */
function randomPose(before: Pose | undefined): Pose {
  const others = poseNames.filter((pose) => pose !== before);
  return others[randomInt(others.length)] ?? 'open-hand';
}

/**
 * Gives the caller a pose for new selfies, or the one they already have unless they want another, and records that they agreed to the
 * words they were shown. Throws 403 for staff, 409 for verified members, while selfies wait for review, and without a profile picture; 429
 * after three attempts in a week or six poses in a day.
 */
export async function draw(
  { tx, caller, now }: CommandContext,
  { agreedTo, another = false }: BodyOf<typeof drawPose>,
) {
  requireMember(caller);
  const { accountId } = caller;
  const { pictures } = await lockProfile(tx, accountId);
  if (!pictures.some(({ place }) => place === 0)) throw new AppError('CONFLICT', msg`Choose a profile picture first`);
  const attempts = await attemptsOf(tx, accountId, now);
  const open = attempts.find(({ state }) => state === 'drawn' || state === 'waiting');
  if (caller.photoVerifiedAt !== null) throw new AppError('CONFLICT', msg`You are photo verified already`);
  if (open?.state === 'waiting') throw new AppError('CONFLICT', msg`Our team is already looking at your selfies`);
  const drawn = open !== undefined && isDrawn(open, now) ? open : undefined;
  if (drawn !== undefined && !another) return;
  const nextAt = nextAttempt(attempts, now);
  if (nextAt !== null) throw tooMany(tooManySelfies, (nextAt.getTime() - now.getTime()) / 1000);
  const today = attempts.filter(({ asked_at }) => asked_at >= startOfDay(now));
  if (today.reduce((sum, { poses }) => sum + poses, 0) >= posesPerDay)
    throw tooMany(
      msg`You tried many poses today. You can try more in ${plural({ hours: hoursOfDayLeft(now) }, { one: '# hour', other: '# hours' })}.`,
      secondsOfDayLeft(now),
    );
  const pose = randomPose(open?.pose);
  // An attempt of yesterday ends, so that today's poses count for today.
  if (drawn !== undefined && drawn.asked_at >= startOfDay(now)) {
    requireDrawn(await lockOwnCheck(tx, caller, drawn.id), now);
    return await changeCheck(tx, drawn.id, { pose, poses: drawn.poses + 1, posed_key: null });
  }
  if (open !== undefined) await changeCheck(tx, open.id, { state: 'expired', ...withoutSelfies });
  await recordConsent(tx, { accountId, kind: 'selfies', version: agreedTo }, now);
  await tx.insertInto('selfie_check').values({ account_id: accountId, pose, asked_at: now }).execute();
}

const tooManySelfies = msg`You sent selfies three times within a week. Please wait before you try again.`;

/** Changes an attempt, and deletes the selfies that it no longer refers to. */
export async function changeCheck(tx: Db, id: string, change: Partial<SelfieCheckRow>): Promise<void> {
  await tx.updateTable('selfie_check').set(change).where('id', '=', id).execute();
  await sweepBytes(tx);
}

/** One of the caller's attempts, locked until the transaction ends. Throws 403 for staff, 404 for anyone else's. */
async function lockOwnCheck(tx: Db, caller: Caller, id: string): Promise<SelfieCheckRow> {
  requireMember(caller);
  const check = await tx
    .selectFrom('selfie_check')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', caller.accountId)
    .forUpdate()
    .executeTakeFirst();
  if (check === undefined) throw notFound();
  return check;
}

function requireDrawn(check: SelfieCheckRow, now: Date): void {
  if (!isDrawn(check, now)) throw new AppError('TOO_LATE', msg`This pose is no longer valid. Please start again.`);
}

/**
 * Re-encodes a selfie and stores its bytes; returns their key. Refuses what `makePicture` refuses, and uploads without a pose before
 * anything is decoded. If nothing refers to the bytes within an hour, they are deleted.
 */
export async function storeSelfie(
  deps: Deps,
  { caller, params, now }: { caller: Caller; params: ParamsOf<typeof uploadSelfie>; now: Date },
  upload: Buffer,
): Promise<string> {
  requireDrawn(await lockOwnCheck(deps.db, caller, params.id), now);
  const { large } = await makePicture(upload, caller.accountId);
  const key = selfieKey(newHandle());
  await noteBytes(deps.db, key);
  await deps.storage.put(key, large);
  return key;
}

/** Makes a stored selfie one of the two of an attempt, in place of an earlier one. */
export async function takeSelfie(
  { tx, caller, now }: CommandContext,
  { id, shot }: ParamsOf<typeof uploadSelfie>,
  key: string,
): Promise<void> {
  requireDrawn(await lockOwnCheck(tx, caller, id), now);
  await changeCheck(tx, id, shot === 'front' ? { front_key: key } : { posed_key: key });
}

/** Sends both selfies to staff. Sending again changes nothing. Throws 409 without both, 422 once the pose has expired. */
export async function sendSelfies({ tx, caller, now }: CommandContext, { id }: { id: string }): Promise<void> {
  const check = await lockOwnCheck(tx, caller, id);
  if (check.sent_at !== null) return;
  requireDrawn(check, now);
  const { front_key, posed_key } = check;
  if (front_key === null || posed_key === null) throw new AppError('CONFLICT', msg`Take both pictures first`);
  await changeCheck(tx, id, { state: 'waiting', sent_at: now });
  for (const key of [front_key, posed_key]) await keepBytes(tx, key);
}

/** Withdraws selfies that staff haven't decided about, and deletes them. Repeating changes nothing. */
export async function withdrawSelfies({ tx, caller }: CommandContext, { id }: { id: string }): Promise<void> {
  const check = await lockOwnCheck(tx, caller, id);
  if (check.state !== 'drawn' && check.state !== 'waiting') return;
  await changeCheck(tx, id, { state: 'withdrawn', ...withoutSelfies });
}
