import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import { type decideSelfie, type SelfieVerdict, selfieReasonMin } from '#contract/photo-verification.ts';
import { visibleLength } from '#contract/text.ts';
import { actorOf, audit } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import { AppError, invalid, notFound } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { type MailTemplates, queueMail } from '#platform/notify/mail.ts';
import { requirePermission } from '#platform/session/caller.ts';
import { requireMayAct } from '#platform/session/access.ts';
import { isOnProfile, lockPictures, type PictureRow, profilePlace } from '../media/public.ts';
import { openOwnCase } from '../moderation/public.ts';
import { givePhotoVerified } from '../profiles/public.ts';
import { changeCheck } from './own.ts';
import { withoutSelfies } from './check-row.ts';

type Mail = MailTemplates[string];

/** A mail with a subject that says nothing about its content. */
const mail =
  (
    heading: MessageDescriptor,
    paragraphs: MessageDescriptor[],
    [text, path]: [text: MessageDescriptor, path: string],
  ): Mail =>
  ({ reason }, publicUrl) => ({
    subject: msg`About your pictures`,
    heading,
    paragraphs: paragraphs.map((paragraph) => ({ ...paragraph, values: { reason } })),
    button: { text, url: new URL(path, publicUrl).href },
  });

/** The mails about the result of selfies. */
export const selfieMails = {
  selfieApproved: mail(
    msg`Your pictures are verified`,
    [
      msg`Our team compared your selfies with your pictures. Others now read “Photo verified” on your profile.`,
      msg`We have deleted the selfies.`,
    ],
    [msg`Open my profile`, '/app/profile'],
  ),
  selfieAgain: mail(
    msg`Please take new selfies`,
    [
      msg({ message: 'Our team could not compare your selfies with your pictures. The reason: {reason}' }),
      msg`We have deleted the selfies. You can take new ones at any time.`,
    ],
    [msg`Try again`, '/app/verify'],
  ),
  selfieRejected: mail(
    msg`We could not verify your pictures`,
    [
      msg`Our team did not find the person of your selfies in your pictures, and will look at your profile. If they decide anything about it, you will read why and can appeal.`,
      msg`We have deleted the selfies. If this is a mistake, for example because your looks have changed, tell us.`,
    ],
    [msg`Write to us`, '/app/support/new'],
  ),
  selfieExpired: mail(
    msg`We did not get to your selfies`,
    [
      msg`Our team did not look at your selfies within seven days, so we have deleted them. We are sorry.`,
      msg`You can take new ones at any time.`,
    ],
    [msg`Try again`, '/app/verify'],
  ),
} satisfies MailTemplates;

const mailOf = {
  approved: 'selfieApproved',
  again: 'selfieAgain',
  rejected: 'selfieRejected',
} as const satisfies Record<SelfieVerdict, string>;

function requireReason(verdict: SelfieVerdict, reason: string): void {
  if (verdict === 'again' && reason === '') throw invalid('reason', msg`Give a reason. The member will see it.`);
  if (verdict === 'rejected' && visibleLength(reason) < selfieReasonMin)
    throw invalid('reason', msg`Write ${{ selfieReasonMin }} characters or more for colleagues`);
}

/**
 * Locks an attempt, after the account and the profile of its owner; a rejection and an approval change both. Throws 404, and 403 for people
 * the caller may not act on.
 */
async function lockAttempt({ tx, caller }: CommandContext, id: string) {
  const of = await tx
    .selectFrom('selfie_check')
    .innerJoin('account', 'account.id', 'account_id')
    .select(['account_id', 'email'])
    .where('selfie_check.id', '=', id)
    .executeTakeFirst();
  if (of === undefined) throw notFound();
  await requireMayAct(tx, caller, 'user', of.account_id);
  await tx.selectFrom('account').select('id').where('id', '=', of.account_id).forNoKeyUpdate().execute();
  // In the order of the profile.
  const pictures = (await lockPictures(tx, of.account_id)).filter(isOnProfile);
  const check = await tx.selectFrom('selfie_check').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (check === undefined) throw notFound();
  return { ...of, pictures, check };
}

/**
 * The pictures on the profile must be those that the selfies were compared with, the profile picture among them. While a new profile picture
 * waits for its review, others still see the one before.
 */
function requireSame(shown: readonly PictureRow[], seen: readonly string[]): void {
  const isSame = shown.length === new Set(seen).size && shown.every(({ public_id }) => seen.includes(public_id));
  if (!isSame || !shown.some(({ place }) => place === profilePlace))
    throw new AppError('CONFLICT', msg`The pictures of the profile have changed. Compare them again.`);
  if (shown.some(({ place, state }) => place === profilePlace && state !== 'approved'))
    throw new AppError('CONFLICT', msg`Review the new profile picture first: others still see the one before.`);
}

/**
 * Decides about selfies that wait, and deletes them. Approving makes the member photo verified; rejecting opens their case. The same
 * verdict twice changes nothing. Throws 400 without a reason, 409 if a colleague was faster or the pictures have changed.
 */
export async function decide(
  context: CommandContext,
  { id, verdict, reason = '', pictures: seen }: ParamsOf<typeof decideSelfie> & BodyOf<typeof decideSelfie>,
): Promise<void> {
  const { tx, caller, now } = context;
  requireReason(verdict, reason);
  const { account_id: accountId, email, pictures, check } = await lockAttempt(context, id);
  if (check.state === verdict) return;
  if (check.state !== 'waiting') throw new AppError('CONFLICT', msg`These selfies were already reviewed or withdrawn`);
  if (verdict === 'approved') {
    requireSame(pictures, seen);
    await givePhotoVerified(
      tx,
      accountId,
      pictures.map((picture) => picture.id),
      now,
    );
  } else if (verdict === 'rejected') {
    requirePermission(caller, 'cases.handle');
    await openOwnCase(context, { id: accountId, problem_type: 'Account Issue', reason });
  }
  const decided = { ...withoutSelfies, decided_at: now, decided_by_name: actorOf(caller).name };
  // Why someone was rejected is in the case, for staff.
  await changeCheck(tx, id, { state: verdict, ...decided, reason: verdict === 'again' ? reason : null });
  const data = verdict === 'again' ? { reason } : {};
  await tellMember(tx, { id, accountId, email }, { template: mailOf[verdict], data }, now);
  // The reason is kept with the attempt or the case, not as long as the audit trail: it is about a face.
  await audit(context, { type: 'user', id: accountId }, `selfie.${verdict}`);
}

/** Emails the member the result of their selfies, and adds it to their notifications. */
export async function tellMember(
  tx: Db,
  { id, accountId, email }: Record<'id' | 'accountId' | 'email', string>,
  about: { template: keyof typeof selfieMails; data: Record<string, string> },
  now: Date,
): Promise<void> {
  await queueMail(tx, { to: email, accountId, ...about }, now);
  const notification = { account_id: accountId, kind: 'verification' as const, subject_id: id, at: now };
  await tx.insertInto('notification').values(notification).execute();
}
