import { randomUUID } from 'node:crypto';
import type { AppealState, DecisionOutcome, DecisionSource } from '#contract/moderation/decisions.ts';
import type { TestMember } from '../factories.ts';
import type { TestApp } from '../harness.ts';
import { currentRuleId } from './reports.ts';

const answer = 'Someone else read the whole conversation again.';

interface DecisionOptions {
  by: Pick<TestMember, 'id'> & { name: string };
  at: Date;
  /** Null for a one-click decision. */
  outcome?: DecisionOutcome | null;
  clause?: string;
  source?: DecisionSource;
  appeal?: AppealState;
  /** How long the decision took. */
  hours?: number;
  undone?: boolean;
  facts?: string;
}

/** Stores a decision about someone's closed case. Returns the ids of both. */
export async function decisionAbout(
  test: TestApp,
  personId: string,
  options: DecisionOptions,
): Promise<{ caseId: string; decisionId: string }> {
  const { by, at, outcome = 'actioned', clause, source = 'notice', appeal, hours, undone = false } = options;
  const moments = { opened_at: at, updated_at: at, started_at: at, decided_at: at };
  const { id: caseId } = await test.db
    .insertInto('moderation_case')
    .values({ person_id: personId, stage: 'decided', priority: 'high', ...moments })
    .onConflict((conflict) => conflict.column('person_id').doUpdateSet({ updated_at: at }))
    .returning('id')
    .executeTakeFirstOrThrow();
  const needsRule = outcome === 'actioned' || clause !== undefined;
  const { id: decisionId } = await test.db
    .insertInto('case_decision')
    .values({
      case_id: caseId,
      kind: outcome === null ? 'quick' : 'full',
      outcome,
      rule_id: needsRule ? await currentRuleId(test, clause) : null,
      facts: options.facts ?? 'Wrote forty insults in a row to a person who asked for silence.',
      source,
      answer: null,
      decided_by: by.id,
      decided_by_name: by.name,
      decided_at: at,
      undone_at: undone ? at : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (hours !== undefined) {
    const startedAt = new Date(at.getTime() - hours * 3_600_000);
    const took = { what: 'decision' as const, started_at: startedAt, at, priority: 'high' as const };
    await test.db
      .insertInto('case_time')
      .values({ case_id: caseId, ...took, took_ms: hours * 3_600_000 })
      .execute();
  }
  if (appeal !== undefined) await appealAgainst(test, { decisionId, state: appeal, at });
  return { caseId, decisionId };
}

/** Stores an appeal by the person of a decision; if it has been decided, with the same time. */
export async function appealAgainst(
  test: TestApp,
  { decisionId, state, at }: { decisionId: string; state: AppealState; at: Date },
): Promise<void> {
  const { case_id, decided_by, person_id } = await test.db
    .selectFrom('case_decision')
    .innerJoin('moderation_case', 'moderation_case.id', 'case_id')
    .select(['case_id', 'decided_by', 'person_id'])
    .where('case_decision.id', '=', decisionId)
    .executeTakeFirstOrThrow();
  const isAnswered = !['submitted', 'under_review', 'withdrawn'].includes(state);
  await test.db
    .insertInto('appeal')
    .values({
      decision_id: decisionId,
      case_id,
      party: 'person',
      account_id: person_id,
      state,
      plea: 'It was a joke.',
      submitted_at: at,
      due_at: at,
      decided_by,
      reviewer_id: state === 'submitted' || state === 'withdrawn' ? null : randomUUID(),
      answer: isAnswered ? answer : null,
      answered_at: isAnswered ? at : null,
    })
    .execute();
}

/** Decides an open appeal. */
export async function answerAppeal(
  test: TestApp,
  { decisionId, state, at }: { decisionId: string; state: AppealState; at: Date },
): Promise<void> {
  await test.db
    .updateTable('appeal')
    .set({ state, reviewer_id: randomUUID(), answer, answered_at: at })
    .where('decision_id', '=', decisionId)
    .where('state', '=', 'submitted')
    .execute();
}
