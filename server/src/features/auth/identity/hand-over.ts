import type { Db } from '../../../platform/db/db.ts';
import { endSessions } from '../../../platform/session/sessions.ts';
import { deleteTotp } from '../factors/factor.queries.ts';
import { forgetAttempts, forgetCodes } from '../session/throttle.ts';

/**
 * Gives an account whose address nobody had proven to who proves it now: every way in that was set up before goes, with what
 * was begun, since it may be somebody else's who used the address first.
 */
export async function handOver(tx: Db, account: { id: string; email: string }, now: Date): Promise<void> {
  await tx
    .updateTable('account')
    .set({ password_hash: null, password_suits_staff: false, email_verified_at: now })
    .where('id', '=', account.id)
    .execute();
  await endSessions(tx, account.id);
  await deleteTotp(tx, account.id);
  for (const table of [
    'identity',
    'passkey',
    'passkey_challenge',
    'known_device',
    'verification',
    'password_reset',
    'restore_handle',
  ] as const)
    await tx.deleteFrom(table).where('account_id', '=', account.id).execute();
  await forgetAttempts(tx, account.email);
  await forgetCodes(tx, account.id);
}
