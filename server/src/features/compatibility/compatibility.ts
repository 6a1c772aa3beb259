import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db/db.ts';
import type { KeptAnswer, KeptAnswers } from './tables.ts';
import {
  type CompatibilityAnswer,
  importanceWords,
  type putAnswer,
  scoreStep,
} from '#contract/compatibility/compatibility.ts';
import { type Question, questionById, questions } from '#contract/compatibility/questions.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { invalid, notFound } from '../../platform/http/app-error.ts';
import { type Caller, requireMember } from '../../platform/session/caller.ts';
import { compatibilityScore, satisfaction } from './score.ts';

/** A member's answers by question; empty if there are none. */
async function keptAnswers(db: Db, accountId: string): Promise<KeptAnswers> {
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
async function countedAnswers(db: Db, ids: string[], now: Date): Promise<Map<string, KeptAnswers>> {
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
async function insertAnswer(
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
async function removeAnswer(db: Db, accountId: string, questionId: string, now: Date): Promise<KeptAnswers> {
  const { rows } = await sql<{ answers: KeptAnswers }>`
    update answer_sheet as sheet set answers = sheet.answers - ${questionId}::text, updated_at = ${now}, ${keepCounted(now)}
    where account_id = ${accountId}::uuid returning answers`.execute(db);
  return rows[0]?.answers ?? {};
}

/** The answers with their questions, in question order; retired questions are left out. */
function answered(kept: KeptAnswers): { question: Question; given: KeptAnswer }[] {
  return questions.flatMap((question) => {
    const given = kept[question.id];
    return given === undefined ? [] : [{ question, given }];
  });
}

/** The stored answers in the contract's shape, in question order. */
function toAnswers(kept: KeptAnswers): CompatibilityAnswer[] {
  return answered(kept).map(({ question, given: [answer, accepted, importance] }) => ({
    questionId: question.id,
    answer,
    accepted,
    importance,
  }));
}

interface AnswerInWords {
  question: string;
  answer: string;
  accepted: string[];
  importance: string;
}

const wordsOf = ({ options }: Question, optionId: string) =>
  options.find(({ id }) => id === optionId)?.text ?? optionId;

/** A member's answers as readable text. */
export async function answersInWords(db: Db, accountId: string): Promise<AnswerInWords[]> {
  return answered(await keptAnswers(db, accountId)).map(({ question, given: [answer, accepted, importance] }) => ({
    question: question.text,
    answer: wordsOf(question, answer),
    accepted: accepted.map((optionId) => wordsOf(question, optionId)),
    importance: importanceWords[importance],
  }));
}

type Given = BodyOf<typeof putAnswer>;

function requireQuestion(questionId: string): Question {
  const question = questionById(questionId);
  if (question === undefined) throw notFound();
  return question;
}

const notAnOption = 'This is not one of the answers';

/** The caller's own answers. 403 for staff. */
export async function answersOf(db: Db, caller: Caller): Promise<CompatibilityAnswer[]> {
  requireMember(caller);
  return toAnswers(await keptAnswers(db, caller.accountId));
}

/**
 * Saves the caller's answer to one question, replacing an earlier one. Returns all their answers. 403 for staff, 404 for an unknown
 * question, 400 for an unknown option.
 */
export async function giveAnswer(
  db: Db,
  caller: Caller,
  questionId: string,
  { answer, accepted, importance }: Given,
  now: Date,
): Promise<CompatibilityAnswer[]> {
  requireMember(caller);
  const { options } = requireQuestion(questionId);
  const optionIds = options.map(({ id }) => id);
  if (!optionIds.includes(answer)) throw invalid('answer', notAnOption);
  if (!accepted.every((id) => optionIds.includes(id))) throw invalid('accepted', notAnOption);
  const acceptedOnce = optionIds.filter((id) => accepted.includes(id));
  return toAnswers(await insertAnswer(db, caller.accountId, questionId, [answer, acceptedOnce, importance], now));
}

/** Deletes the caller's answer, if any. Returns the remaining ones. 403 for staff, 404 for an unknown question. */
export async function takeAnswerBack(
  db: Db,
  caller: Caller,
  questionId: string,
  now: Date,
): Promise<CompatibilityAnswer[]> {
  requireMember(caller);
  requireQuestion(questionId);
  return toAnswers(await removeAnswer(db, caller.accountId, questionId, now));
}

/** How two people's answers fit: how far each one's satisfy the other (0…1), and the displayed score. */
export interface AnswerFit {
  fit: { viewerSatisfied: number | null; candidateSatisfied: number | null; common: number };
  score: number | null;
}

/**
 * How an account's answers fit those of others, by account id; others without answers are left out. Answers given today count from
 * tomorrow, and scores are displayed in steps, so that no answer can be inferred from a change.
 */
export async function fitOfAnswers(
  db: Db,
  accountId: string,
  others: string[],
  now: Date,
): Promise<Map<string, AnswerFit>> {
  const counted = await countedAnswers(db, [accountId, ...others], now);
  const own = toAnswers(counted.get(accountId) ?? {});
  const fits = new Map<string, AnswerFit>();
  if (own.length === 0) return fits;
  for (const id of others) {
    const kept = counted.get(id);
    if (kept === undefined || id === accountId) continue;
    const theirs = toAnswers(kept);
    const [there, back] = [satisfaction(own, theirs), satisfaction(theirs, own)];
    const score = compatibilityScore(own, theirs);
    fits.set(id, {
      fit: { viewerSatisfied: there.share, candidateSatisfied: back.share, common: there.common },
      score: score === null ? null : Math.round(score / scoreStep) * scoreStep,
    });
  }
  return fits;
}
