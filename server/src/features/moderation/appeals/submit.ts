import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import { appealReviewDays, isOpenAppeal } from '#contract/moderation/decisions.ts';
import { AppError, notFound } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { isUuid } from '#platform/db/uuid.ts';
import { insertCaseEvent, tellStaff } from '../work/case-row.ts';
import { lockAppeal, partyActor } from './review.ts';
import type { Appealable } from '../decisions/links.ts';
import { type AppealRight, decisionsAgainst, rightsOf, rightTo } from '../decisions/own-appeals.reads.ts';

const reviewSeconds = appealReviewDays * 86_400;

/** Submits an appeal. Throws 404 for a decision the account isn't a party to, and 409 if it has already appealed or the time is over. */
export async function submit(
  { tx, now }: Pick<CommandContext, 'tx' | 'now'>,
  { accountId, decisionId, text }: Appealable & { text: string },
): Promise<AppealRight> {
  const [decision] = isUuid(decisionId) ? await decisionsAgainst(tx, accountId, sql`d.id = ${decisionId}::uuid`) : [];
  if (decision === undefined) throw notFound();
  const right = (await rightsOf(tx, accountId, [decision], now)).get(decisionId);
  if (right?.mayAppeal !== true)
    throw new AppError(
      'CONFLICT',
      right?.appeal ? msg`You have already appealed this decision` : msg`The time to appeal is over`,
    );
  const { case_id, decided_by, party } = decision;
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('appeal')
    .values({
      decision_id: decisionId,
      case_id,
      party,
      account_id: accountId,
      plea: text,
      submitted_at: now,
      due_at: secondsAfter(now, reviewSeconds),
      decided_by,
      openers: sql<
        string[]
      >`array(select distinct r.opened_by from case_decision_report l join report r on r.id = l.report_id
        where l.decision_id = ${decisionId}::uuid and r.source = 'own_initiative')`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) throw new AppError('CONFLICT', msg`You have already appealed this decision`);
  await insertCaseEvent(tx, { case_id, at: now, kind: 'appeal_submitted' }, partyActor({ accountId, party }));
  await tellStaff(tx, null);
  return await rightTo(tx, accountId, decisionId, now);
}

/** Withdraws an appeal of the caller. Throws 404 for any other, and 409 once it is decided or withdrawn. */
export async function withdraw({ tx, caller, now }: CommandContext, { id }: { id: string }): Promise<AppealRight> {
  const { accountId } = caller;
  const appeal = await lockAppeal(tx, id);
  if (appeal?.account_id !== accountId) throw notFound();
  if (!isOpenAppeal(appeal.state)) throw new AppError('CONFLICT', msg`This appeal is already closed`);
  await tx.updateTable('appeal').set({ state: 'withdrawn', withdrawn_at: now }).where('id', '=', id).execute();
  const event = { case_id: appeal.case_id, at: now, kind: 'appeal_withdrawn' as const };
  await insertCaseEvent(tx, event, partyActor({ accountId, party: appeal.party }));
  await tellStaff(tx, null);
  return await rightTo(tx, accountId, appeal.decision_id, now);
}
