import { msg } from '@lingui/core/runtime-macro';
import { totpSetupMinutes } from '#contract/constants.ts';
import type { Proof } from '#contract/auth/factors.ts';
import { AppError } from '#platform/http/app-error.ts';
import type { CommandContext, CallContext } from '#platform/http/mount.ts';
import type { Caller } from '#platform/session/caller.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import type { Db } from '#platform/db/db.ts';
import type { Deps } from '../../../deps.ts';
import { wrongCode, recoveryCodesLeft, replaceRecoveryCodes, newTotpSecret, stepOfCode, totpUri } from './codes.ts';
import { deleteTotp, lowerSessionsWithoutFactor, sealSecret, totpFactor, unsealSecret } from './factors.ts';
import { cancelEmailChanges, checkAddressIsSettled, warnEverywhere } from '../address/changes.ts';
import { raiseSession, type TokenPair } from '#platform/session/sessions.ts';
import { checkProven } from '../policy.ts';
import { judgeProof, type JudgedProof, requireProof } from '../password/proof.ts';
import { accountById, lockAccount } from '../accounts.ts';
import { forgetCodes, reserveCode } from '../session/throttle.ts';

const alreadyOn = () => new AppError('CONFLICT', msg`Two-step verification is already on.`);
const notOn = () => new AppError('CONFLICT', msg`Two-step verification is not on.`);

/** The state of the caller's two-step verification. */
export async function secondFactorOf(deps: Deps, caller: Caller) {
  const { db, config } = deps;
  const account = await accountById(db, caller.accountId);
  const factor = await totpFactor(db, caller.accountId);
  return {
    since: factor?.since ?? null,
    recoveryCodesLeft: await recoveryCodesLeft(db, caller.accountId),
    removalAt: caller.factorRemovalAt,
    hasPassword: account.password_hash !== null,
    isRequired: config.staffMfa && caller.staffRole !== null,
  };
}

/** Checks the proof for setting up two-step verification; 409 if it is already on. */
export async function prepareTotp(context: CallContext, proof: Proof): Promise<JudgedProof> {
  checkProven(context.caller);
  if ((await totpFactor(context.deps.db, context.caller.accountId)) !== undefined) throw alreadyOn();
  return await judgeProof(context, proof);
}

/**
 * Starts setting up two-step verification after the caller was confirmed; returns the key, which is never shown again.
 */
export async function beginTotp(context: CommandContext, proof: JudgedProof) {
  const { tx, deps, now } = context;
  const account = await requireProof(context, proof);
  if (account.password_hash === null) await checkAddressIsSettled(tx, account.id, now);
  const secret = newTotpSecret();
  const expires_at = secondsAfter(now, totpSetupMinutes * 60);
  const sealed_secret = sealSecret(deps.factorKey, account.id, secret);
  await tx
    .insertInto('totp_setup')
    .values({ account_id: account.id, sealed_secret, expires_at })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ sealed_secret, expires_at }))
    .execute();
  return { secret, uri: totpUri(secret, account.email), expiresAt: expires_at };
}

/** Counts an attempt with a code of the app that is being set up; 429 while paused. */
export async function countSetupCode({ deps, caller, now }: CallContext): Promise<void> {
  checkProven(caller);
  await reserveCode(deps.db, caller.accountId, now);
}

/**
 * Turns two-step verification on with a code of the app that was set up. Returns the recovery codes and, if this raises
 * the session's privileges, new tokens for it. Other sessions stay open, and the owner is emailed. 409 if no setup was
 * started, 400 for a wrong code.
 */
export async function enableTotp(
  { tx, deps, caller, now }: CommandContext,
  { code }: { code: string },
): Promise<Partial<TokenPair> & { recoveryCodes: string[] }> {
  const { factorKey } = deps;
  const { accountId } = caller;
  const account = await lockAccount(tx, accountId);
  if ((await totpFactor(tx, accountId)) !== undefined) throw alreadyOn();
  const setup = await openSetup(tx, accountId, now);
  const step = stepOfCode(unsealSecret(factorKey, accountId, setup.sealed_secret), code, now);
  if (step === null) throw wrongCode();
  await tx
    .insertInto('totp_factor')
    // The code that confirmed the setup is used up.
    .values({ account_id: accountId, sealed_secret: setup.sealed_secret, since: now, last_step: step })
    .execute();
  await tx.deleteFrom('totp_setup').where('account_id', '=', accountId).execute();
  await cancelEmailChanges(tx, accountId, now);
  await warnEverywhere(tx, account, { template: 'secondFactorOn', data: {} }, now);
  await forgetCodes(tx, accountId);
  const recoveryCodes = await replaceRecoveryCodes(tx, factorKey, accountId);
  return { recoveryCodes, ...(await raiseSession(tx, deps.tokens, caller.sessionId, now)) };
}

async function openSetup(tx: Db, accountId: string, now: Date) {
  const setup = await tx
    .selectFrom('totp_setup')
    .select('sealed_secret')
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (setup === undefined) throw new AppError('CONFLICT', msg`This took too long. Please start over.`);
  return setup;
}

/** Checks the proof for changing two-step verification; 409 if it is off. */
export async function judgeTotpProof(context: CallContext, proof: Proof): Promise<JudgedProof> {
  if ((await totpFactor(context.deps.db, context.caller.accountId)) === undefined) throw notOn();
  return await judgeProof(context, proof);
}

/** Turns two-step verification off with a fresh proof, and emails the owner. 409 within a week of a change of address. */
export async function disableTotp(context: CommandContext, proof: JudgedProof): Promise<void> {
  const { tx, now } = context;
  const account = await requireProof(context, proof);
  await checkAddressIsSettled(tx, account.id, now);
  if (!(await deleteTotp(tx, account.id))) throw notOn();
  await cancelEmailChanges(tx, account.id, now);
  await lowerSessionsWithoutFactor(tx, account.id);
  await warnEverywhere(tx, account, { template: 'secondFactorOff', data: {} }, now);
}

/** Replaces the recovery codes with ten new ones. */
export async function renewRecoveryCodes(context: CommandContext, proof: JudgedProof): Promise<string[]> {
  const { tx, deps, now } = context;
  const account = await requireProof(context, proof);
  if ((await totpFactor(tx, account.id)) === undefined) throw notOn();
  await cancelEmailChanges(tx, account.id, now);
  await warnEverywhere(tx, account, { template: 'recoveryCodesRenewed', data: {} }, now);
  return await replaceRecoveryCodes(tx, deps.factorKey, account.id);
}
