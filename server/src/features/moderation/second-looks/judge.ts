import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import type { AnswerInput, BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type { DecisionOutcome } from '#contract/moderation/decisions.ts';
import type { judgeSecondLook } from '#contract/moderation/second-looks.ts';
import { audit, given } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import { invalid, notFound } from '#platform/http/app-error.ts';
import { requireMayAct } from '#platform/session/access.ts';
import type { StaffContext } from '../work/case-row.ts';

/** The result of a decision; the clause is empty without a rule. */
interface Verdict {
  outcome: DecisionOutcome;
  clause: string;
}

/** Whether two people came to the same result. The rule matters only if there was a violation. */
const agrees = (one: Verdict, other: Verdict): boolean =>
  one.outcome === other.outcome && (one.outcome !== 'actioned' || one.clause === other.clause);

/** The second look that the caller has taken, locked. Throws 404. */
async function lockTaken({ tx, caller }: StaffContext, id: string) {
  const { rows } = await sql<Verdict & { case_id: string | null; golden_id: string | null }>`
    select d.case_id, l.golden_id, coalesce(d.outcome, g.outcome) as outcome, coalesce(g.clause, r.clause, '') as clause
    from second_look l left join case_decision d on d.id = l.decision_id
      left join community_rule r on r.id = d.rule_id
      left join golden_case g on g.id = l.golden_id
    where l.id = ${id}::uuid and l.reviewer_id = ${caller.accountId}::uuid and l.judged_at is null
      and l.taken_at is not null
    for update of l`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw notFound();
  return row;
}

async function isClause(tx: Db, clause: string): Promise<boolean> {
  const rule = await tx.selectFrom('community_rule').select('id').where('clause', '=', clause).executeTakeFirst();
  return rule !== undefined;
}

/**
 * Stores a judgement, and returns the original decision. Throws 404 for a second look that the caller has not taken; 403 if they have
 * become a party to the case; 400 without the violated rule.
 */
export async function judge(
  context: StaffContext,
  { id, outcome, clause = '' }: ParamsOf<typeof judgeSecondLook> & BodyOf<typeof judgeSecondLook>,
): Promise<AnswerInput<typeof judgeSecondLook>['data']> {
  const { tx, caller, now } = context;
  const decided = await lockTaken(context, id);
  const { case_id: caseId } = decided;
  if (caseId !== null) await requireMayAct(tx, caller, 'case', caseId);
  if (outcome === 'actioned' ? !(await isClause(tx, clause)) : clause !== '')
    throw invalid(
      'clause',
      outcome === 'actioned' ? msg`Choose the rule that was broken` : msg`Only a broken rule has one`,
    );
  const isAgreed = agrees({ outcome, clause }, decided);
  await tx
    .updateTable('second_look')
    .set({ judged_at: now, outcome, clause, is_agreed: isAgreed })
    .where('id', '=', id)
    .execute();
  await audit(context, { type: 'case', id: caseId }, 'secondLook.judged', { changes: given({ outcome }) });
  return {
    isAgreed,
    decided: { outcome: decided.outcome, clause: decided.clause === '' ? null : decided.clause },
  };
}

/**
 * Returns the second look that the caller has taken. A decision waits for others; a training case stays assigned, so that it is not offered
 * to them again until the row is dropped. Throws 404.
 */
export async function skip(context: StaffContext, { id }: { id: string }): Promise<void> {
  const { golden_id } = await lockTaken(context, id);
  await context.tx
    .updateTable('second_look')
    .set({ taken_at: null, drawn_at: context.now, ...(golden_id === null && { reviewer_id: null }) })
    .where('id', '=', id)
    .execute();
}
