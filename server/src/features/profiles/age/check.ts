import { randomUUID } from 'node:crypto';
import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import { type AgeAnswer, ageCheckMinutes } from '#contract/age-check.ts';
import type { Deps } from '../../../deps.ts';
import type { Db } from '#platform/db/db.ts';
import { isUuid } from '#platform/db/uuid.ts';
import { AppError, notFound } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { type MailTemplates, queueMail } from '#platform/notify/mail.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { type Caller, requireMember } from '#platform/session/caller.ts';
import { ageOf } from './age.reads.ts';
import { canStartCheck, isAgeNeeded, ruleFor } from './policy.ts';

/** The mails about age checks. The request doesn't say why, because that could reveal who asked for it. */
export const ageMails = {
  ageAsked: (_data, publicUrl) => ({
    subject: msg`Please confirm that you are an adult`,
    heading: msg`Please confirm that you are an adult`,
    paragraphs: [
      msg`{brand} is for adults, and we ask some members to confirm that they are. It takes a few minutes.`,
      msg`Until then, you can answer people who write to you, but not write to people first. We keep that we asked, the answer, and the days of both.`,
    ],
    button: { text: msg`Confirm my age`, url: new URL('/app/verify-age', publicUrl).href },
  }),
  ageFailed: (_data, publicUrl) => ({
    subject: msg`Your age check didn't succeed`,
    heading: msg`Your age check didn't confirm that you are an adult`,
    paragraphs: [
      msg`The provider of age checks told us that you are not an adult, and nothing else. {brand} is for adults, so you can answer people who write to you, but not write to people first or begin another check, until a member of our team has looked at your account.`,
      msg`If this is a mistake, write to Support. We can end this or have you checked again. If we act on your account, you get the reasons and can appeal.`,
    ],
    button: { text: msg`Write to Support`, url: new URL('/app/support/new', publicUrl).href },
  }),
  ageReviewed: (_data, publicUrl) => ({
    subject: msg`We reviewed your age check`,
    heading: msg`Your failed age check no longer counts`,
    paragraphs: [
      msg`A member of our team decided that it does not restrict you. Where your country requires a confirmed age, you can begin another check.`,
    ],
    button: { text: msg`View your age check`, url: new URL('/app/verify-age', publicUrl).href },
  }),
} satisfies MailTemplates;

/**
 * Starts a check, or continues the open one, so that no one can discard its answer; returns where it takes place. Throws 403 for staff, 409
 * if none can be started.
 */
export async function startCheck({ tx, deps, caller, now }: CommandContext): Promise<string> {
  requireMember(caller);
  const { accountId } = caller;
  await tx.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
  const { state } = await ageOf(tx, accountId, now);
  if (deps.age === null || !canStartCheck(state))
    throw new AppError('CONFLICT', msg`You can't begin an age check now. Reload the page to see why.`);
  const begun = { state: 'declared' as const, at: now, open_until: secondsAfter(now, ageCheckMinutes * 60) };
  const open = sql<string>`case when age_check.open_until > ${now} then age_check.open_check else excluded.open_check end`;
  const { open_check: check } = await tx
    .insertInto('age_check')
    .values({ account_id: accountId, open_check: randomUUID(), ...begun })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ open_check: open, ...begun }))
    .returning('open_check')
    .executeTakeFirstOrThrow();
  return deps.age.addressFor(check ?? '', new URL('/app/verify-age', deps.config.publicUrl).href);
}

/** Accepts the provider's signed answer to an open check. Only whether the member is an adult, and when, is stored. Throws 404 for another check. */
export async function takeAnswer(
  { tx, deps, now }: Pick<CommandContext, 'tx' | 'deps' | 'now'>,
  given: AgeAnswer,
): Promise<void> {
  if (!isUuid(given.check)) throw notFound();
  // The account is locked first, as reports and decisions do, because a failed check opens its case.
  const owner = tx.selectFrom('age_check').select('account_id').where('open_check', '=', given.check);
  await tx.selectFrom('account').select('id').where('id', 'in', owner).forNoKeyUpdate().execute();
  const state = given.result === 'adult' ? 'assured' : 'failed';
  const answered = await tx
    .updateTable('age_check')
    .set({ state, at: now, open_check: null, open_until: null, asked_at: null })
    .where('open_check', '=', given.check)
    .where('open_until', '>', now)
    .returning('account_id')
    .executeTakeFirst();
  if (answered === undefined) throw notFound();
  const { account_id: accountId } = answered;
  if (state === 'failed') await sendMail(tx, accountId, 'ageFailed', now);
  await deps.emit(tx, 'ageAnswered', { accountId, state, now });
}

async function sendMail(tx: Db, accountId: string, template: keyof typeof ageMails, now: Date): Promise<void> {
  const account = tx.selectFrom('account').select('email').where('id', '=', accountId);
  const { email } = await account.executeTakeFirstOrThrow();
  await queueMail(tx, { to: email, accountId, template, data: {} }, now);
}

/** Ends the consequences of a failed check for a member, because the team decided not to act. The account must be locked. */
export async function endFailedCheck(tx: Db, accountId: string, now: Date): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('age_check')
    .set({ state: 'declared', at: now })
    .where('account_id', '=', accountId)
    .where('state', '=', 'failed')
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await sendMail(tx, accountId, 'ageReviewed', now);
}

/** Asks a member for an age check, even after a failed one. The account must be locked. */
export async function askMember(tx: Db, accountId: string, now: Date): Promise<void> {
  const asked = { state: 'declared' as const, at: now, asked_at: now };
  await tx
    .insertInto('age_check')
    .values({ account_id: accountId, ...asked })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(asked))
    .execute();
  await sendMail(tx, accountId, 'ageAsked', now);
}

/** Throws 403 if a member in this country can't do this before their age is confirmed. */
export async function requireAge(
  { tx, deps, caller, now }: { tx: Db; deps: Pick<Deps, 'age' | 'config'>; caller: Caller; now: Date },
  moment: 'joining' | 'first-message',
  country: string | null = caller.country,
): Promise<void> {
  const rule = ruleFor(deps.config.age.required, country);
  // Without a provider, nothing is required.
  if (deps.age === null || (moment === 'joining' && rule !== 'joining')) return;
  const { state, askedOn } = await ageOf(tx, caller.accountId, now);
  if (isAgeNeeded({ state, isAsked: askedOn !== null, rule }, moment))
    throw new AppError('AGE_ASSURANCE_REQUIRED', msg`Confirm that you are an adult first`);
}
