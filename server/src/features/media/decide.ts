import { msg } from '@lingui/core/runtime-macro';
import { type MailTemplates, queueMail } from '#platform/notify/mail.ts';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type { decidePicture } from '#contract/moderation/picture-queue.ts';
import { may } from '#contract/roles.ts';
import { AppError, invalid, notFound } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { type Actor, actorOf, audit, writeAudit } from '#platform/db/audit.ts';
import { requireFewActs } from '#platform/session/act-limits.ts';
import type { Caller } from '#platform/session/caller.ts';
import { requireMayAct } from '#platform/session/access.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import type { Db } from '#platform/db/db.ts';
import { rememberImageHash } from './image.ts';
import { letOthersSee, lockPictures, takeOff } from './pictures.ts';

/** The mail to the owner of a picture. */
export const mediaMails = {
  pictureRejected: (data, publicUrl) => ({
    subject: msg`About one of your pictures`,
    heading: msg`One of your pictures cannot be shown`,
    paragraphs: [
      msg`Our team reviewed it and removed it from your profile. The reason: ${{ reason: data['reason'] }}`,
      msg`You can choose another picture at any time.`,
    ],
    button: { text: msg`Open my profile`, url: new URL('/app/profile', publicUrl).href },
  }),
} satisfies MailTemplates;

const automatic: Actor = { accountId: null, name: 'Picture check', role: 'system' };

const readingSeconds = 600;

/** Audits access to a queue, at most once in ten minutes, because the screen polls every minute. */
export async function noteReading(
  db: Db,
  caller: Caller,
  { action, now }: { action: 'pictures.read' | 'selfies.read' | 'notices.read'; now: Date },
): Promise<void> {
  const last = await db
    .selectFrom('audit_event')
    .select('id')
    .where('actor_id', '=', caller.accountId)
    .where('action', '=', action)
    .where('at', '>', secondsAfter(now, -readingSeconds))
    .limit(1)
    .executeTakeFirst();
  if (last !== undefined) return;
  await audit({ tx: db, caller, now }, { type: 'users', id: null }, action);
}

async function ownerOf(db: Db, publicId: string) {
  return await db
    .selectFrom('picture')
    .innerJoin('account', 'account.id', 'picture.account_id')
    .select(['picture.account_id', 'account.email', 'state'])
    .where('public_id', '=', publicId)
    .where('state', '!=', 'unclaimed')
    .executeTakeFirst();
}

/**
 * Approves or rejects a picture, based on its current state; writes one audit row per change. A rejection needs a reason (400), which is
 * mailed to the owner, and is final (409). Throws 403 for pictures of people whose accounts the caller may not act on and for refusing one from
 * everyone without the right to ban, and 429 for too many approved pictures rejected, or pictures refused from everyone, within an hour. A
 * caller of null is the automatic check, which refuses them from everyone.
 */
export async function decide(
  { tx, caller, now }: Pick<CommandContext, 'tx' | 'now'> & { caller: Caller | null },
  {
    publicId,
    verdict,
    reason = '',
    fromEveryone = false,
  }: ParamsOf<typeof decidePicture> & BodyOf<typeof decidePicture>,
): Promise<void> {
  if (verdict === 'rejected' && reason === '') throw invalid('reason', msg`Give a reason. The member will see it.`);
  const isForAll = verdict === 'rejected' && (fromEveryone || caller === null);
  const owner = await ownerOf(tx, publicId);
  if (owner === undefined) throw notFound();
  if (caller !== null) await requireMayAct(tx, caller, 'user', owner.account_id);
  if (caller !== null && isForAll) {
    if (!may(caller.staffRole, 'sanctions.long')) throw new AppError('FORBIDDEN', msg`You are not allowed to do this`);
    await requireFewActs({ tx, caller, now }, 'pictureBan');
  }
  if (caller !== null && verdict === 'rejected' && owner.state === 'approved')
    await requireFewActs({ tx, caller, now }, 'pictureRemoval');
  const owned = await lockPictures(tx, owner.account_id);
  const picture = owned.find(({ public_id }) => public_id === publicId);
  if (picture === undefined) throw notFound();
  if (picture.state === verdict) return;
  if (picture.state === 'rejected') throw new AppError('CONFLICT', msg`This picture has already been rejected`);
  if (verdict === 'approved') {
    await letOthersSee(tx, owned, picture, now);
  } else {
    await takeOff({ tx, now }, owned, picture, reason);
    await rememberImageHash(tx, isForAll ? null : owner.account_id, picture.dhash, now);
    await queueMail(
      tx,
      { to: owner.email, accountId: owner.account_id, template: 'pictureRejected', data: { reason } },
      now,
    );
  }
  await writeAudit(
    tx,
    {
      actor: caller === null ? automatic : actorOf(caller),
      action: verdict === 'approved' ? 'picture.approved' : 'picture.rejected',
      target: { type: 'user', id: owner.account_id },
      reason: reason || undefined,
      changes: {
        state: { from: picture.state, to: verdict },
        ...(caller !== null && isForAll && { fromEveryone: { from: null, to: true } }),
      },
    },
    now,
  );
}
