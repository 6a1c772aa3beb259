import type { StaffCase } from '#contract/moderation/cases.ts';
import { actorOf } from '../../../platform/db/audit.ts';
import type { CommandContext } from '../../../platform/http/mount.ts';
import { caseForStaff, checkStep, insertCaseEvent, recordOnCase, tellStaff, updateCase } from './case-row.ts';
import { leaseEnd } from './policy.ts';
import { staffCase } from './reads.ts';

/** Claims a case for ten minutes; repeating it renews the claim. Throws 404, and 409 with the holder while a colleague has it. */
export async function claim(context: CommandContext, { id }: { id: string }): Promise<StaffCase> {
  const { tx, caller, now } = context;
  const row = await caseForStaff(tx, caller, id);
  checkStep(row, caller, 'claim', now);
  const isRenewal = row.stage === 'claimed' && row.holder_id === caller.accountId;
  const name = actorOf(caller).name;
  const holder = { holder_id: caller.accountId, holder_name: name, lease_until: leaseEnd(now) };
  await updateCase(tx, row, { stage: 'claimed', ...holder });
  if (!isRenewal) {
    await insertCaseEvent(tx, { case_id: id, at: now, kind: 'claimed' }, actorOf(caller));
    await recordOnCase(context, id, { action: 'case.claimed' });
    await tellStaff(tx, id);
  }
  return await staffCase(tx, caller, id, now);
}
