import type { StaffCase } from '#contract/moderation/cases.ts';
import { AppError } from '../../../platform/http/app-error.ts';
import type { CommandContext } from '../../../platform/http/mount.ts';
import { caseForStaff, refuseIfHeld, updateCase } from './case-row.ts';
import { leaseEnd, stageNow } from './policy.ts';
import { staffCase } from './reads.ts';

/** Renews the caller's claim. Throws 404, and 409 if a colleague has the case by now or the claim has expired. */
export async function renew({ tx, caller, now }: CommandContext, { id }: { id: string }): Promise<StaffCase> {
  const row = await caseForStaff(tx, caller, id);
  refuseIfHeld(row, caller.accountId, now);
  if (stageNow(row, now) !== 'claimed') throw new AppError('ILLEGAL_STEP', 'Your claim has ended');
  await updateCase(tx, row, { lease_until: leaseEnd(now) });
  return await staffCase(tx, caller, id, now);
}
