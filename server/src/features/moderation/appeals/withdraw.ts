import { type AppealRight, isOpenAppeal } from '#contract/moderation/decisions.ts';
import { isUuid } from '../../../platform/db/uuid.ts';
import { AppError, notFound } from '../../../platform/http/app-error.ts';
import type { CommandContext } from '../../../platform/http/mount.ts';
import { insertCaseEvent, tellStaff } from '../cases/case-row.ts';
import { lockAppeal, partyActor } from './appeal-row.ts';
import { rightTo } from './own.reads.ts';

/** Withdraws an appeal of the caller. Throws 404 for any other, and 409 once it is decided or withdrawn. */
export async function withdraw({ tx, caller, now }: CommandContext, { id }: { id: string }): Promise<AppealRight> {
  const { accountId } = caller;
  const appeal = isUuid(id) ? await lockAppeal(tx, id) : undefined;
  if (appeal?.account_id !== accountId) throw notFound();
  if (!isOpenAppeal(appeal.state)) throw new AppError('CONFLICT', 'This appeal is already closed');
  await tx.updateTable('appeal').set({ state: 'withdrawn', withdrawn_at: now }).where('id', '=', id).execute();
  const event = { case_id: appeal.case_id, at: now, kind: 'appeal_withdrawn' as const };
  await insertCaseEvent(tx, event, partyActor({ accountId, party: appeal.party }));
  await tellStaff(tx, null);
  return await rightTo(tx, accountId, appeal.decision_id, now);
}
