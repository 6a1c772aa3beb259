import { isOpenAppeal } from '#contract/moderation/decisions.ts';
import { actorOf } from '../../../platform/db/audit.ts';
import type { Db } from '../../../platform/db/db.ts';
import { isUuid } from '../../../platform/db/uuid.ts';
import { AppError, notFound } from '../../../platform/http/app-error.ts';
import type { CommandContext } from '../../../platform/http/mount.ts';
import type { Caller } from '../../../platform/session/caller.ts';
import { caseForStaff, insertCaseEvent, recordOnCase, tellStaff } from '../cases/case-row.ts';
import { lockPersonOf, mayDiscipline } from '../decisions/decide.ts';
import { maySanction } from '../decisions/policy.ts';
import { lockAppeal } from './appeal-row.ts';
import type { AppealRow } from './own.reads.ts';

/** An open appeal the caller may review, with its case locked. 404 for a party; 403 for who decided, and for those below; 409 once it is closed. */
export async function appealForReview(tx: Db, caller: Caller, id: string): Promise<AppealRow> {
  const found = isUuid(id)
    ? await tx.selectFrom('appeal').select('case_id').where('id', '=', id).executeTakeFirst()
    : undefined;
  if (found === undefined) throw notFound();
  // In the order of deciding a case: the person, the case, then what belongs to it.
  await lockPersonOf(tx, found.case_id);
  await caseForStaff(tx, caller, found.case_id);
  const appeal = await lockAppeal(tx, id);
  if (appeal === undefined) throw notFound();
  if (!isOpenAppeal(appeal.state)) throw new AppError('ILLEGAL_STEP', 'This appeal is closed already');
  if (appeal.decided_by === caller.accountId)
    throw new AppError('FORBIDDEN', 'You made this decision, so someone else has to review it');
  if (appeal.openers.includes(caller.accountId))
    throw new AppError('FORBIDDEN', 'You opened this case, so someone else has to review it');
  if (!(await mayTakeBack(tx, caller, appeal)))
    throw new AppError('FORBIDDEN', 'You could not have made this decision, so a colleague who could has to review it');
  return appeal;
}

/** Whether the caller could have taken all measures of the decision themselves: only then may they take them back. */
async function mayTakeBack(tx: Db, caller: Caller, appeal: AppealRow): Promise<boolean> {
  if (appeal.party === 'reporter') return true;
  const sanctions = await tx
    .selectFrom('sanction')
    .select(['kind', 'starts_at', 'ends_at'])
    .where('decision_id', '=', appeal.decision_id)
    .execute();
  const dayMs = 86_400_000;
  const isWithin = sanctions.every(({ kind, starts_at, ends_at }) =>
    maySanction(caller.staffRole, { kind, days: ends_at === null ? undefined : (+ends_at - +starts_at) / dayMs }),
  );
  return isWithin && (await mayDiscipline(tx, caller, appeal.account_id));
}

/** Takes an appeal into review; a colleague who had it no longer has it. */
export async function review(context: CommandContext, { id }: { id: string }): Promise<void> {
  const { tx, caller, now } = context;
  const appeal = await appealForReview(tx, caller, id);
  if (appeal.reviewer_id === caller.accountId) return;
  const reviewer = { reviewer_id: caller.accountId, reviewer_name: actorOf(caller).name };
  await tx
    .updateTable('appeal')
    .set({ state: 'under_review', ...reviewer })
    .where('id', '=', id)
    .execute();
  await insertCaseEvent(tx, { case_id: appeal.case_id, at: now, kind: 'appeal_reviewed' }, actorOf(caller));
  await recordOnCase(context, appeal.case_id, { action: 'appeal.reviewed' });
  await tellStaff(tx, null);
}
