import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../platform/db/db.ts';
import type { KeptAnswer, KeptAnswers } from './tables.ts';

/** A member's answers by question; empty if there are none. */
export async function keptAnswers(db: Db, accountId: string): Promise<KeptAnswers> {
  const row = await db
    .selectFrom('answer_sheet')
    .select('answers')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.answers ?? {};
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10);

/** With the first change of a day (UTC), the earlier answers keep counting until the next day. */
const keepCounted = (now: Date): RawBuilder<unknown> => sql`
  counted = case when sheet.counted_on < ${dayOf(now)}::date then sheet.answers else sheet.counted end,
  counted_on = ${dayOf(now)}::date`;

/** The answers that count today, by account id; members without any are left out. */
export async function countedAnswers(db: Db, ids: string[], now: Date): Promise<Map<string, KeptAnswers>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ account_id: string; answers: KeptAnswers }>`/* prepared */
    select account_id, case when counted_on < ${dayOf(now)}::date then answers else counted end as answers
    from answer_sheet where account_id = any (${ids}::uuid[])`.execute(db);
  return new Map(rows.map(({ account_id, answers }) => [account_id, answers]));
}

/**
 * Saves one answer and returns all answers. The statement updates the row it has locked, not a copy read earlier, so two concurrent
 * answers are both kept.
 */
export async function insertAnswer(
  db: Db,
  accountId: string,
  questionId: string,
  answer: KeptAnswer,
  now: Date,
): Promise<KeptAnswers> {
  const { rows } = await sql<{ answers: KeptAnswers }>`
    insert into answer_sheet as sheet (account_id, answers, updated_at, counted_on)
    values (${accountId}::uuid, jsonb_build_object(${questionId}::text, ${JSON.stringify(answer)}::jsonb), ${now}, ${dayOf(now)}::date)
    on conflict (account_id) do update
      set answers = sheet.answers || excluded.answers, updated_at = excluded.updated_at, ${keepCounted(now)}
    returning answers`.execute(db);
  return rows[0]?.answers ?? {};
}

/** Deletes one answer and returns the rest. */
export async function removeAnswer(db: Db, accountId: string, questionId: string, now: Date): Promise<KeptAnswers> {
  const { rows } = await sql<{ answers: KeptAnswers }>`
    update answer_sheet as sheet set answers = sheet.answers - ${questionId}::text, updated_at = ${now}, ${keepCounted(now)}
    where account_id = ${accountId}::uuid returning answers`.execute(db);
  return rows[0]?.answers ?? {};
}
