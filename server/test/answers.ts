import { sql } from 'kysely';
import { questions, type Importance } from '#contract/compatibility.ts';
import type { KeptAnswers } from '#platform/db/json.ts';
import type { TestMember } from './factories.ts';
import type { TestApp } from './harness.ts';

/** Answers for the first `count` questions: choose the first or second option, and accept only the first or second. */
export function answersTo(count: number, own: 0 | 1, wanted: 0 | 1, importance: Importance = 'very'): KeptAnswers {
  return Object.fromEntries(
    questions.slice(0, count).map(({ id, options }) => {
      return [id, [options[own]?.id ?? '', [options[wanted]?.id ?? ''], importance]];
    }),
  );
}

/** Stores these answers for a member, dated long ago. */
export async function haveAnswered(test: TestApp, { id }: Pick<TestMember, 'id'>, kept: KeptAnswers): Promise<void> {
  const row = { answers: JSON.stringify(kept), updated_at: test.clock.now() };
  await test.db
    .insertInto('answer_sheet')
    .values({ account_id: id, ...row })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
    .execute();
  await sql`select logic.answers_changed(${id})`.execute(test.db);
}
