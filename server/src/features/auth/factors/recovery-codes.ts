import { randomInt } from 'node:crypto';
import { recoveryCodeCount } from '#contract/constants.ts';
import type { Db } from '../../../platform/db/db.ts';
import { keyedHash } from '../../../platform/config/seal.ts';

/** Digits and letters that nobody mistakes for each other: twelve of them are 60 random bits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const groups = 3;
const groupLength = 4;

const newGroup = () => Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('');
const newCode = () => Array.from({ length: groups }, newGroup).join('-');
const hashOf = (key: string, accountId: string, code: string) =>
  keyedHash(key, `recovery ${accountId} ${code.replaceAll('-', '')}`);

/** Ten new codes in place of those that were; only their digests are kept. */
export async function replaceRecoveryCodes(tx: Db, key: string, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newCode);
  await tx.deleteFrom('recovery_code').where('account_id', '=', accountId).execute();
  await tx
    .insertInto('recovery_code')
    .values(codes.map((code) => ({ account_id: accountId, code_hash: hashOf(key, accountId, code) })))
    .execute();
  return codes;
}

/** Whether `code` is one of the account's; it works no more. */
export async function takeRecoveryCode(tx: Db, key: string, accountId: string, code: string): Promise<boolean> {
  const taken = await tx
    .deleteFrom('recovery_code')
    .where('account_id', '=', accountId)
    .where('code_hash', '=', hashOf(key, accountId, code))
    .returning('account_id')
    .executeTakeFirst();
  return taken !== undefined;
}

/** How many codes of an account still work. */
export async function recoveryCodesLeft(db: Db, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_code')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
