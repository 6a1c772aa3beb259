import { AppError, unauthenticated } from '../../platform/http/app-error.ts';
import type { Db } from '../../platform/db/db.ts';
import { hashToken } from '../../platform/config/secrets.ts';
import type { Caller } from '../../platform/session/caller.ts';
import { lockAccount, type AccountRow } from './accounts.ts';

/**
 * Locks and returns the account whose announced change is being stopped: with the emailed link (400 if it is no longer
 * valid), or on a signed-in device (401 without one).
 */
export async function accountToStop(
  tx: Db,
  table: 'factor_removal' | 'address_restore',
  caller: Caller | null,
  token: string | undefined,
): Promise<AccountRow> {
  if (token === undefined) {
    if (caller === null) throw unauthenticated();
    return await lockAccount(tx, caller.accountId);
  }
  const row = await tx
    .selectFrom(table)
    .select('account_id')
    .where('stop_hash', '=', hashToken(token))
    .executeTakeFirst();
  if (row === undefined) throw new AppError('INVALID_CODE', 'This link is no longer valid.');
  return await lockAccount(tx, row.account_id);
}
