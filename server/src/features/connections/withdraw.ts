import { AppError } from '../../platform/http/app-error.ts';
import type { CommandContext } from '../../platform/http/mount.ts';
import { isUuid } from '../../platform/db/uuid.ts';
import { requireMember } from '../../platform/session/caller.ts';
import { decisionOf, removeDecision } from './decisions.ts';
import { matchSeenBy } from './match.ts';
import { lockPair } from './pair.ts';

/** Withdraws a like that wasn't returned. Returns whether there was one. Throws 409 for a match. The like stays counted. */
export async function withdraw({ tx, caller }: CommandContext, { userId }: { userId: string }): Promise<boolean> {
  requireMember(caller);
  if (!isUuid(userId)) return false;
  await lockPair(tx, caller.accountId, userId);
  const match = await matchSeenBy(tx, caller, userId);
  if (match === 'shown') throw new AppError('CONFLICT', 'This is already a match');
  const before = await decisionOf(tx, caller.accountId, userId);
  if (match === 'hidden' || before?.kind !== 'like') return false;
  await removeDecision(tx, caller.accountId, userId);
  return true;
}
