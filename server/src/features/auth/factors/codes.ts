import { msg } from '@lingui/core/runtime-macro';
import { codeThrottle, recoveryCodeCount } from '#contract/constants.ts';
import { type AppError, committed, invalid } from '#platform/http/app-error.ts';
import type { Db } from '#platform/db/db.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { presentBrand } from '#platform/service/brand.ts';
import { dropRemoval, totpFactor, unsealSecret } from './factors.ts';
import { warnEverywhere } from '../address/changes.ts';
import type { AccountRow } from '../accounts.ts';
import { forgetCodes, reserveCode } from '../session/throttle.ts';
import { Secret, TOTP } from 'otpauth';
import { randomInt } from 'node:crypto';
import { keyedHash } from '#platform/config/secrets.ts';

/** The error for a code that is wrong, expired or already used. */
export const wrongCode = (): AppError => invalid('code', msg`This code is wrong or was already used.`, 'INVALID_CODE');

/** An entered code, and how many consecutive attempts it makes. */
export interface CodeTry {
  code: string;
  tries: number;
}

/**
 * Counts an attempt with a code of the account's second factor before the transaction that checks it; 429 while paused.
 */
export async function countCode(db: Db, accountId: string, code: string, now: Date): Promise<CodeTry> {
  return { code, tries: await reserveCode(db, accountId, now) };
}

type Context = Pick<CommandContext, 'tx' | 'deps' | 'now'>;

/**
 * Uses up a two-step code of a locked account, so that each code works at most once. 400 for a wrong or used code. The
 * owner is emailed after five wrong ones, which is committed with the refusal, so nothing may be written before.
 */
export async function requireCode(context: Context, account: AccountRow, { code, tries }: CodeTry): Promise<void> {
  const { tx, now } = context;
  if (!(await takeCode(context, account, code))) {
    if (tries === codeThrottle.accountFailures)
      await warnEverywhere(tx, account, { template: 'codesGuessed', data: {} }, now);
    throw committed(wrongCode());
  }
  // A correct code shows that the owner still has the factor.
  await dropRemoval(tx, account.id);
  await forgetCodes(tx, account.id);
}

async function takeCode({ tx, deps, now }: Context, account: AccountRow, code: string): Promise<boolean> {
  const factor = await totpFactor(tx, account.id);
  if (factor === undefined) return false;
  if (!/^\d{6}$/.test(code)) {
    if (!(await takeRecoveryCode(tx, deps.factorKey, account.id, code))) return false;
    const left = String(await recoveryCodesLeft(tx, account.id));
    await warnEverywhere(tx, account, { template: 'recoveryCodeUsed', data: { left } }, now);
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

/** Codes of the previous and the next time step are accepted too, for differing clocks and slow typing. */
const window = 1;
const period = 30;

/** A new key for an authenticator app, as base32 text. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The URI in the QR code that authenticator apps scan. */
export function totpUri(secret: string, email: string): string {
  return new TOTP({ issuer: presentBrand().name, label: email, secret, period }).toString();
}

/** The time step this code belongs to, or null if it is not currently valid. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const delta = TOTP.validate({ token: code, secret: Secret.fromBase32(secret), period, timestamp, window });
  return delta === null ? null : TOTP.counter({ period, timestamp }) + delta;
}

/** Digits and letters that are hard to confuse; twelve of them have 60 random bits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const groups = 3;
const groupLength = 4;

const newGroup = () => Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('');
const newCode = () => Array.from({ length: groups }, newGroup).join('-');
const hashOf = (key: string, accountId: string, code: string) =>
  keyedHash(key, `recovery ${accountId} ${code.replaceAll('-', '')}`);

/** Replaces the recovery codes with ten new ones and returns them; only their hashes are stored. */
export async function replaceRecoveryCodes(tx: Db, key: string, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newCode);
  await tx.deleteFrom('recovery_code').where('account_id', '=', accountId).execute();
  await tx
    .insertInto('recovery_code')
    .values(codes.map((code) => ({ account_id: accountId, code_hash: hashOf(key, accountId, code) })))
    .execute();
  return codes;
}

/** Whether `code` is one of the account's recovery codes; it is used up if so. */
export async function takeRecoveryCode(tx: Db, key: string, accountId: string, code: string): Promise<boolean> {
  const taken = await tx
    .deleteFrom('recovery_code')
    .where('account_id', '=', accountId)
    .where('code_hash', '=', hashOf(key, accountId, code))
    .returning('account_id')
    .executeTakeFirst();
  return taken !== undefined;
}

/** How many recovery codes an account has left. */
export async function recoveryCodesLeft(db: Db, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_code')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
