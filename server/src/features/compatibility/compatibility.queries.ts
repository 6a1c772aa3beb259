import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import type { KeptAnswer, KeptAnswers } from '../../platform/schema.ts';

/** Everything a member answered, by question; empty for who answered nothing. */
export async function keptAnswers(db: Db, accountId: string): Promise<KeptAnswers> {
  const row = await db
    .selectFrom('answer_sheet')
    .select('answers')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.answers ?? {};
}

/**
 * Puts one answer in the place of what was answered before; answers the whole sheet as it is then. The statement changes the
 * row it has locked, not a copy read earlier, so two answers given at once are both kept.
 */
export async function insertAnswer(
  db: Db,
  accountId: string,
  questionId: string,
  answer: KeptAnswer,
  now: Date,
): Promise<KeptAnswers> {
  const { rows } = await sql<{ answers: KeptAnswers }>`
    insert into answer_sheet as sheet (account_id, answers, updated_at)
    values (${accountId}::uuid, jsonb_build_object(${questionId}::text, ${JSON.stringify(answer)}::jsonb), ${now})
    on conflict (account_id) do update
      set answers = sheet.answers || excluded.answers, updated_at = excluded.updated_at
    returning answers`.execute(db);
  return rows[0]?.answers ?? {};
}

/** Takes one answer away; answers the sheet as it is then. */
export async function removeAnswer(db: Db, accountId: string, questionId: string, now: Date): Promise<KeptAnswers> {
  const { rows } = await sql<{ answers: KeptAnswers }>`
    update answer_sheet set answers = answers - ${questionId}::text, updated_at = ${now}
    where account_id = ${accountId}::uuid returning answers`.execute(db);
  return rows[0]?.answers ?? {};
}
