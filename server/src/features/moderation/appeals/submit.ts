import { sql } from 'kysely';
import { appealReviewDays, type AppealRight } from '#contract/moderation/decisions.ts';
import { AppError, notFound } from '../../../platform/http/app-error.ts';
import type { CommandContext } from '../../../platform/http/mount.ts';
import { secondsAfter } from '../../../platform/process/clock.ts';
import { isUuid } from '../../../platform/db/uuid.ts';
import { insertCaseEvent, tellStaff } from '../cases/case-row.ts';
import { partyActor } from './appeal-row.ts';
import type { Appealable } from './links.ts';
import { decisionsAgainst, rightsOf, rightTo } from './own.reads.ts';

const reviewSeconds = appealReviewDays * 86_400;

/** Submits an appeal. 404 for a decision the account isn't a party to; 409 if it appealed already, or the time is over. */
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
      openers: sql<
        string[]
      >`array(select distinct r.opened_by from case_decision_report l join report r on r.id = l.report_id
        where l.decision_id = ${decisionId}::uuid and r.source = 'own_initiative')`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) throw new AppError('CONFLICT', 'You have already appealed this decision');
  await insertCaseEvent(tx, { case_id, at: now, kind: 'appeal_submitted' }, partyActor({ accountId, party }));
  await tellStaff(tx, null);
  return await rightTo(tx, accountId, decisionId, now);
}
