import { msg } from '@lingui/core/runtime-macro';
import { isOpenAppeal } from '#contract/moderation/decisions.ts';
import { type Actor, actorOf } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import { AppError, notFound } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { isByOthers } from '#platform/session/access.policy.ts';
import type { Caller } from '#platform/session/caller.ts';
import { actOnCase } from '../work/act.ts';
import { caseForStaff, lockPersonOf } from '../work/case-row.ts';
import { mayDiscipline } from '../decisions/check.ts';
import { maySanction } from '../decisions/policy.ts';
import type { AppealRow } from '../decisions/own-appeals.reads.ts';
import { textOf } from '#platform/texts.ts';

/**
 * An open appeal the caller may review, with its case locked. Throws 404 for a party, 403 for the person who decided and for lower roles,
 * and 409 once it is closed.
 */
export async function appealForReview(tx: Db, caller: Caller, id: string): Promise<AppealRow> {
  const found = await tx.selectFrom('appeal').select('case_id').where('id', '=', id).executeTakeFirst();
  if (found === undefined) throw notFound();
  // Locks in the same order as decisions: the person, the case, then what belongs to the case.
  await lockPersonOf(tx, found.case_id);
  await caseForStaff(tx, caller, found.case_id);
  const appeal = await lockAppeal(tx, id);
  if (appeal === undefined) throw notFound();
  if (!isOpenAppeal(appeal.state)) throw new AppError('ILLEGAL_STEP', msg`This appeal is already closed`);
  if (!isByOthers(caller, appeal.decided_by))
    throw new AppError('FORBIDDEN', msg`You made this decision, so someone else has to review it`);
  if (!isByOthers(caller, ...appeal.openers))
    throw new AppError('FORBIDDEN', msg`You opened this case, so someone else has to review it`);
  if (!(await mayTakeBack(tx, caller, appeal)))
    throw new AppError(
      'FORBIDDEN',
      msg`You could not have made this decision, so a colleague who could has to review it`,
    );
  return appeal;
}

/** Whether the caller could have taken all measures of the decision themselves. Only then may they reverse them. */
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

/** Starts the review of an appeal, even one that a colleague was reviewing. */
export async function review(context: CommandContext, { id }: { id: string }): Promise<void> {
  const { tx, caller } = context;
  const appeal = await appealForReview(tx, caller, id);
  if (appeal.reviewer_id === caller.accountId) return;
  const reviewer = { reviewer_id: caller.accountId, reviewer_name: actorOf(caller).name };
  await tx
    .updateTable('appeal')
    .set({ state: 'under_review', ...reviewer })
    .where('id', '=', id)
    .execute();
  await actOnCase(context, appeal.case_id, { what: 'appeal_reviewed' });
}

/** An appeal, locked until the transaction ends. */
export function lockAppeal(tx: Db, id: string): Promise<AppealRow | undefined> {
  return tx.selectFrom('appeal').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

const partyNames = { person: msg`The reported person`, reporter: msg`A reporter` };

/** How a party appears in the timeline of a case: without a name. */
export const partyActor = ({ accountId, party }: Pick<AppealRow, 'party'> & { accountId: string }): Actor => ({
  accountId,
  name: textOf(partyNames[party], undefined, 'en'),
  role: 'member',
});
