import { isUuid } from '../../platform/session/access-token.ts';
import { AppError, invalid } from '../../platform/http/app-error.ts';
import type { Caller } from '../../platform/session/caller.ts';
import type { Db } from '../../platform/db/db.ts';
import { deleteBlock, insertBlock } from './queries.ts';

/** Staff are shown to nobody and see everybody: there is nothing to block (403). */
export function demandMember(caller: Caller): void {
  if (caller.staffRole !== null) throw new AppError('FORBIDDEN', 'Staff accounts block nobody');
}

/** Hides somebody and the caller from each other; 400 for oneself, 403 for staff, and the same answer for everybody else. */
export async function block(tx: Db, caller: Caller, userId: string, now: Date): Promise<void> {
  demandMember(caller);
  if (userId === caller.accountId) throw invalid('userId', 'You cannot block yourself');
  if (isUuid(userId)) await insertBlock(tx, caller.accountId, userId, now);
}

/** Takes the caller's block of somebody back; 403 for staff. */
export async function unblock(db: Db, caller: Caller, userId: string): Promise<void> {
  demandMember(caller);
  if (isUuid(userId)) await deleteBlock(db, caller.accountId, userId);
}
