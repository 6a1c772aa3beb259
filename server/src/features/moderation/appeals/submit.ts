import { sql } from 'kysely';
import { appealReviewDays, type AppealRight, isOpenAppeal } from '#contract/moderation/appeal.ts';
import { AppError, notFound } from '../../../platform/http/app-error.ts';
import type { Actor } from '../../../platform/db/audit.ts';
import { type Db, inTransaction } from '../../../platform/db/db.ts';
import { secondsAfter } from '../../../platform/process/clock.ts';
import { isUuid } from '../../../platform/db/uuid.ts';
import { insertCaseEvent, tellStaff } from '../cases/case-row.ts';
import type { Appealable } from './links.ts';
import { type AppealRow, decisionsAgainst, rightsOf } from './own.reads.ts';

const reviewSeconds = appealReviewDays * 86_400;

/** How a party appears in the timeline of a case: without a name. */
const actorOf = ({ accountId, party }: Pick<AppealRow, 'party'> & { accountId: string }): Actor => ({
  accountId,
  name: party === 'person' ? 'The reported person' : 'A reporter',
  role: 'member',
});

/** Submits an appeal. 404 for a decision the account isn't a party to; 409 if it appealed already, or the time is over. */
export async function submit(
  tx: Db,
  { accountId, decisionId, text }: Appealable & { text: string },
  now: Date,
): Promise<AppealRight> {
  const [decision] = isUuid(decisionId) ? await decisionsAgainst(tx, accountId, sql`d.id = ${decisionId}::uuid`) : [];
  if (decision === undefined) throw notFound();
  const right = (await rightsOf(tx, accountId, [decision], now)).get(decisionId);
  if (right?.mayAppeal !== true)
    throw new AppError(
      'CONFLICT',
      right?.appeal ? 'You have already appealed this decision' : 'The time to appeal is over',
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
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) throw new AppError('CONFLICT', 'You have already appealed this decision');
  await insertCaseEvent(tx, { case_id, at: now, kind: 'appeal_submitted' }, actorOf({ accountId, party }));
  await tellStaff(tx, null);
  return await rightTo(tx, accountId, decisionId, now);
}

async function rightTo(tx: Db, accountId: string, decisionId: string, now: Date): Promise<AppealRight> {
  const decisions = await decisionsAgainst(tx, accountId, sql`d.id = ${decisionId}::uuid`);
  const right = (await rightsOf(tx, accountId, decisions, now)).get(decisionId);
  if (right === undefined) throw notFound();
  return right;
}

/** Withdraws an appeal of the account. 404 for any other; 409 once it is decided or withdrawn. */
export async function withdraw(db: Db, accountId: string, id: string, now: Date): Promise<AppealRight> {
  return await inTransaction(db, async (tx) => {
    const appeal = isUuid(id) ? await lockAppeal(tx, id) : undefined;
    if (appeal?.account_id !== accountId) throw notFound();
    if (!isOpenAppeal(appeal.state)) throw new AppError('CONFLICT', 'This appeal is closed already');
    await tx.updateTable('appeal').set({ state: 'withdrawn', withdrawn_at: now }).where('id', '=', id).execute();
    const event = { case_id: appeal.case_id, at: now, kind: 'appeal_withdrawn' as const };
    await insertCaseEvent(tx, event, actorOf({ accountId, party: appeal.party }));
    await tellStaff(tx, null);
    return await rightTo(tx, accountId, appeal.decision_id, now);
  });
}

/** An appeal, locked until the transaction ends. */
export function lockAppeal(tx: Db, id: string): Promise<AppealRow | undefined> {
  return tx.selectFrom('appeal').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}
