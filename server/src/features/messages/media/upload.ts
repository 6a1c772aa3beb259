import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import { unsentMediaMax } from '#contract/constants.ts';
import type { MessageMediaKind } from '#contract/messages/message-parts.ts';
import type { Deps } from '../../../deps.ts';
import { keepBytes, newHandle, pictureModerator } from '../../media/public.ts';
import type { Db } from '#platform/db/db.ts';
import { AppError, notFound } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { hoursOfDayLeft, secondsAfter, startOfDay } from '#platform/process/clock.ts';
import { requirePart } from '#platform/service/parts.ts';
import { type Caller, requireMember } from '#platform/session/caller.ts';
import { hasOtherWritten, openConversation } from '../conversation.ts';
import { kinds, type NewMedia } from './kinds.ts';

interface Given {
  matchId: string;
  kind: MessageMediaKind;
  peaks?: string | undefined;
}

/**
 * Throws 404 unless it is the caller's match, 403 until both have written, and 422 once the caller has used up the day's uploads, or has
 * too many unsent ones. Held messages count as written, because their sender must not notice the hold.
 */
async function requireMayUpload(db: Db, caller: Caller, { matchId, kind }: Given, now: Date): Promise<void> {
  requireMember(caller);
  const conversation = await openConversation(db, caller.accountId, matchId);
  if (conversation === undefined) throw notFound();
  const { ownSent, ownNumbers } = conversation;
  if (!hasOtherWritten(conversation) || ownSent + ownNumbers.held === 0)
    throw new AppError('FORBIDDEN', msg`You can send photos and voice notes once you have both written.`);
  const { rows } = await sql<{ today: number; unsent: number }>`
    select count(*) filter (where kind = ${kind} and uploaded_at >= ${startOfDay(now)})::int as today, count(*) filter (where sent_at is null)::int as unsent
    from message_media where account_id = ${caller.accountId}::uuid and uploaded_at > ${secondsAfter(now, -86_400)}`.execute(
    db,
  );
  const { today = 0, unsent = 0 } = rows[0] ?? {};
  if (today >= kinds[kind].perDay) throw new AppError('MEDIA_USED_UP', kinds[kind].usedUp(hoursOfDayLeft(now)));
  if (unsent >= unsentMediaMax)
    throw new AppError(
      'MEDIA_USED_UP',
      msg`You have too many unsent uploads. Send some of them, or try again tomorrow.`,
    );
}

/** Checks whether the caller may upload (404 while the owner has photos or voice switched off), then checks and stores the bytes. If the process dies here, they are deleted an hour later. */
export async function keepMedia(deps: Deps, caller: Caller, given: Given, upload: Buffer): Promise<NewMedia> {
  requirePart(deps, kinds[given.kind].part);
  await requireMayUpload(deps.db, caller, given, deps.clock.now());
  return await kinds[given.kind].keep(deps, caller.accountId, upload, given.peaks);
}

/** Makes a stored file an upload of the caller for one match, which no one sees until a message has it; returns its public id. */
export async function addUpload(
  { tx, deps, caller, now }: CommandContext,
  given: Given,
  made: NewMedia,
): Promise<{ _id: string }> {
  const { accountId } = caller;
  // Uploads that arrive at once are counted one after the other.
  await sql`select from profile where account_id = ${accountId}::uuid for no key update`.execute(tx);
  await requireMayUpload(tx, caller, given, now);
  await kinds[given.kind].refuse?.(tx, accountId, made);
  const id = newHandle();
  const { matchId: conversation_id, kind } = given;
  const isChecked = kinds[kind].isChecked && pictureModerator(deps) !== null;
  const file = { id, account_id: accountId, conversation_id, kind, uploaded_at: now };
  await tx
    .insertInto('message_media')
    .values({ ...file, check_due_since: isChecked ? now : null, ...made })
    .execute();
  await keepBytes(tx, made.object_key);
  if (isChecked) await addJob(tx, 'messages.checkMedia', { id }, { jobKey: `messages.checkMedia ${id}` });
  return { _id: id };
}
