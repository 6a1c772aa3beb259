import { randomUUID } from 'node:crypto';
import { type AgeAnswer, ageCheckMinutes } from '#contract/age-check.ts';
import type { Deps } from '../../../deps.ts';
import type { Db } from '../../../platform/db/db.ts';
import { isUuid } from '../../../platform/db/uuid.ts';
import { AppError, notFound } from '../../../platform/http/app-error.ts';
import type { CommandContext } from '../../../platform/http/mount.ts';
import { type MailTemplates, queueMail } from '../../../platform/notify/mail.ts';
import { secondsAfter } from '../../../platform/process/clock.ts';
import { type Caller, requireMember } from '../../../platform/session/caller.ts';
import { ageOf } from './age.reads.ts';
import { canStartCheck, isAgeNeeded, ruleFor } from './policy.ts';

/** The mail that asks for age assurance. It doesn't say why, because that could tell who asked for it. */
export const ageMails = {
  ageAsked: (_data, publicUrl) => ({
    subject: 'Please confirm that you are an adult',
    heading: 'Please confirm that you are an adult',
    paragraphs: [
      'Heartwood is for adults, and we ask some members to confirm that they are. It takes a few minutes.',
      'Until then, you can answer people who write to you, but not write to people first. We keep only the answer and its date.',
    ],
    button: { text: 'Confirm my age', url: new URL('/app/verify-age', publicUrl).href },
  }),
} satisfies MailTemplates;

/** Begins a check in place of an earlier one; returns where it takes place. Throws 403 for staff, 409 where none can be begun. */
export async function startCheck({ tx, deps, caller, now }: CommandContext): Promise<string> {
  requireMember(caller);
  const { accountId } = caller;
  await tx.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
  const { state, askedAt } = await ageOf(tx, accountId, now);
  if (deps.age === null) throw new AppError('CONFLICT', "Age checks aren't available here");
  if (!canStartCheck({ state, isAsked: askedAt !== null }))
    throw new AppError(
      'CONFLICT',
      state === 'assured' ? 'Your age is confirmed already' : 'Our team is looking at your age check. Please wait.',
    );
  const open = { open_check: randomUUID(), open_until: secondsAfter(now, ageCheckMinutes * 60) };
  await tx
    .insertInto('age_check')
    .values({ account_id: accountId, state: 'declared', at: now, ...open })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ state: 'declared', at: now, ...open }))
    .execute();
  return deps.age.addressFor(open.open_check, new URL('/app/verify-age', deps.config.publicUrl).href);
}

/**
 * Takes the provider's answer to an open check: only whether the member is an adult, and when, is stored. Throws 404 for a wrong signature
 * and a check that is not open.
 */
export async function takeAnswer(
  { tx, deps, now }: Pick<CommandContext, 'tx' | 'deps' | 'now'>,
  given: AgeAnswer,
): Promise<void> {
  if (deps.age?.isSigned(given) !== true || !isUuid(given.check)) throw notFound();
  const open = tx.selectFrom('age_check').select('account_id').where('open_check', '=', given.check);
  const found = await open.executeTakeFirst();
  if (found === undefined) throw notFound();
  const { account_id: accountId } = found;
  // The account is locked first, as reports and decisions do, because a failed check opens its case.
  await tx.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
  const state = given.result === 'adult' ? 'assured' : 'failed';
  const { numUpdatedRows } = await tx
    .updateTable('age_check')
    .set({ state, at: now, open_check: null, open_until: null, asked_at: null })
    .where('open_check', '=', given.check)
    .where('open_until', '>', now)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw notFound();
  await deps.emit(tx, 'ageAnswered', { accountId, state, now });
}

/** Asks a member for age assurance, also again after a failed check. The account must be locked. */
export async function askMember(tx: Db, accountId: string, now: Date): Promise<void> {
  const asked = { state: 'declared' as const, at: now, asked_at: now, open_check: null, open_until: null };
  await tx
    .insertInto('age_check')
    .values({ account_id: accountId, ...asked })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(asked))
    .execute();
  const account = tx.selectFrom('account').select('email').where('id', '=', accountId);
  const { email } = await account.executeTakeFirstOrThrow();
  await queueMail(tx, { to: email, accountId, template: 'ageAsked', data: {} }, now);
}

/** Throws 403 if a member in this country can't do this before their age is assured. */
export async function requireAge(
  { tx, deps, caller, now }: { tx: Db; deps: Pick<Deps, 'age' | 'config'>; caller: Caller; now: Date },
  moment: 'joining' | 'first-message',
  country: string | null = caller.country,
): Promise<void> {
  const rule = ruleFor(deps.config.age.required, country);
  // Where no one could be checked, nothing is required.
  if (deps.age === null || (moment === 'joining' && rule !== 'joining')) return;
  const { state, askedAt } = await ageOf(tx, caller.accountId, now);
  if (isAgeNeeded({ state, isAsked: askedAt !== null, rule }, moment))
    throw new AppError(
      'AGE_ASSURANCE_REQUIRED',
      moment === 'joining'
        ? 'Confirm that you are an adult to join in your country'
        : 'Confirm that you are an adult before you write to people first',
    );
}
