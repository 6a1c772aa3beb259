import { codeThrottle } from '#contract/constants.ts';
import { AppError } from '../../../platform/http/app-error.ts';
import { inTransaction, type Db } from '../../../platform/db/db.ts';
import type { Deps } from '../../../deps.ts';
import { queueMail } from '../../../platform/notify/mail.ts';
import { totpFactor, unsealSecret } from '../factors/factor.queries.ts';
import { lockAccount, mailboxOf, type AccountRow } from '../queries.ts';
import { recoveryCodesLeft, takeRecoveryCode } from '../factors/recovery-codes.ts';
import { forgetCodes, reserveCode } from '../session/throttle.ts';
import { stepOfCode } from '../factors/totp-code.ts';

/** The one answer for a code that is not right now, or no more. */
export const wrongCode = (): AppError => {
  const msg = 'This code is not right, or was used already.';
  return new AppError('INVALID_CODE', msg, { errors: [{ field: 'code', msg }] });
};

/**
 * Runs `work` in the transaction that takes a code of the account's second factor, so that a code has one effect or none.
 * 400 for a wrong or used code, 429 while paused. The try is counted before the code is looked at; the owner is told after
 * five wrong ones.
 */
export async function withCode<T>(
  deps: Deps,
  accountId: string,
  code: string,
  now: Date,
  work: (tx: Db, account: AccountRow) => Promise<T>,
): Promise<T> {
  const tries = await reserveCode(deps.db, accountId, now);
  const done = await inTransaction(deps.db, async (tx) => {
    const account = await lockAccount(tx, accountId);
    if (!(await takeCode(deps, tx, account, code, now))) return null;
    return { outcome: await work(tx, account) };
  });
  if (done === null) {
    if (tries === codeThrottle.accountFailures) await warnOfGuesses(deps, accountId, now);
    throw wrongCode();
  }
  await forgetCodes(deps.db, accountId);
  return done.outcome;
}

async function warnOfGuesses(deps: Deps, accountId: string, now: Date): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const account = await lockAccount(tx, accountId);
    await queueMail(tx, { ...mailboxOf(account), template: 'codesGuessed', data: {} }, now);
  });
}

async function takeCode(deps: Deps, tx: Db, account: AccountRow, code: string, now: Date): Promise<boolean> {
  const factor = await totpFactor(tx, account.id);
  if (factor === undefined) return false;
  if (!/^\d{6}$/.test(code)) {
    if (!(await takeRecoveryCode(tx, deps.factorKey, account.id, code))) return false;
    const left = String(await recoveryCodesLeft(tx, account.id));
    await queueMail(tx, { ...mailboxOf(account), template: 'recoveryCodeUsed', data: { left } }, now);
    return true;
  }
  const step = stepOfCode(unsealSecret(deps.factorKey, account.id, factor.sealed_secret), code, now);
  if (step === null) return false;
  const taken = await tx
    .updateTable('totp_factor')
    .set({ last_step: step })
    .where('account_id', '=', account.id)
    .where('last_step', '<', String(step))
    .returning('account_id')
    .executeTakeFirst();
  return taken !== undefined;
}
