import { msg } from '@lingui/core/runtime-macro';
import type { FastifyInstance } from 'fastify';
import { type RawBuilder, sql } from 'kysely';
import { isDeepStrictEqual } from 'node:util';
import * as calls from '#contract/compatibility.ts';
import {
  answerChangesMax,
  commonAnswersMin,
  type CompatibilityAnswer,
  type CompatibilityBand,
  importanceWords,
  type Question,
  questionById,
  questions,
} from '#contract/compatibility.ts';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type { Deps } from '../../deps.ts';
import type { Db } from '#platform/db/db.ts';
import type { KeptAnswer, KeptAnswers } from '#platform/db/json.ts';
import { invalid, notFound, tooMany } from '#platform/http/app-error.ts';
import { type CommandContext, mount } from '#platform/http/mount.ts';
import { type Caller, requireMember } from '#platform/session/caller.ts';
import { textOf } from '#platform/texts.ts';
import { dayOf } from '#platform/process/clock.ts';
import { requiredBy } from './musts.ts';
import { compatibilityBand } from './score.ts';

/** A member's answers by question; empty if there are none. */
async function keptAnswers(db: Db, accountId: string): Promise<KeptAnswers> {
  const row = await db
    .selectFrom('answer_sheet')
    .select('answers')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.answers ?? {};
}

/** SQL for the answers that count today (UTC), from a row `sheet` of `answer_sheet`. The result changes only with the row or the day. */
export const countedColumn = (now: Date): RawBuilder<KeptAnswers> =>
  sql`case when sheet.counted_on < ${dayOf(now)}::date then sheet.answers else sheet.counted end`;

/** The answers that count today, by account id; members without any are left out. */
async function countedAnswers(db: Db, ids: string[], now: Date): Promise<Map<string, KeptAnswers>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ account_id: string; answers: KeptAnswers }>`
    select account_id, ${countedColumn(now)} as answers
    from answer_sheet sheet where account_id = any (${ids}::uuid[])`.execute(db);
  return new Map(rows.map(({ account_id, answers }) => [account_id, answers]));
}

const dayMs = 86_400_000;
const changesWindowMs = 7 * dayMs;

/**
 * Saves one answer, or null to delete it, and returns all answers. With the first change of a day (UTC), the earlier
 * answers keep counting until the next day. 429 for more than three changes in seven days to answers that count: many
 * versions of one sheet would reveal what others answered. Deleting is free, but a deleted answer is remembered as
 * null, and answering that question again is a change.
 */
async function saveAnswer(
  { tx, caller, now }: CommandContext,
  questionId: string,
  answer: KeptAnswer | null,
): Promise<KeptAnswers> {
  const { accountId } = caller;
  const row = { account_id: accountId, updated_at: now };
  await tx
    .insertInto('answer_sheet')
    .values({ ...row, answers: '{}' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const sheet = await tx
    .selectFrom('answer_sheet')
    .select(['answers', 'counted', 'changes', 'changes_since'])
    .select(sql<boolean>`counted_on < ${dayOf(now)}::date`.as('is_settled'))
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const { answers } = sheet;
  const before = answers[questionId];
  if (answer === null && (before ?? null) === null) return answers;
  const counted = sheet.is_settled ? answers : sheet.counted;
  const isCharged =
    answer !== null &&
    questionId in counted &&
    !isDeepStrictEqual(answer, counted[questionId]) &&
    (before === null || isDeepStrictEqual(before, counted[questionId]));
  const { changes, since } = isCharged
    ? noteChange(sheet, now)
    : { changes: sheet.changes, since: sheet.changes_since };
  const saved = { ...answers, [questionId]: answer };
  await tx
    .updateTable('answer_sheet')
    .set({
      answers: JSON.stringify(saved),
      updated_at: now,
      counted: JSON.stringify(counted),
      counted_on: dayOf(now),
      changes,
      changes_since: since,
    })
    .where('account_id', '=', accountId)
    .execute();
  await sql`select logic.answers_changed(${accountId})`.execute(tx);
  return saved;
}

/** Counts a change in the seven-day window that began with the first one; 429 if there were too many. */
function noteChange({ changes, changes_since: since }: { changes: number; changes_since: Date | null }, now: Date) {
  const leftMs = since === null ? 0 : since.getTime() + changesWindowMs - now.getTime();
  if (since === null || leftMs <= 0) return { changes: 1, since: now };
  if (changes < answerChangesMax) return { changes: changes + 1, since };
  throw tooMany(
    msg`You can change ${{ answerChangesMax }} answers a week. You can still answer new questions.`,
    leftMs / 1000,
  );
}

/** The answers with their questions, in question order; retired questions are left out. */
function answered(kept: KeptAnswers): { question: Question; given: KeptAnswer }[] {
  return questions.flatMap((question) => {
    const given = kept[question.id];
    return given === undefined || given === null ? [] : [{ question, given }];
  });
}

type Answered = ReturnType<typeof answered>[number];

const toAnswer = ({ question, given: [answer, accepted, importance] }: Answered): CompatibilityAnswer => ({
  questionId: question.id,
  answer,
  accepted,
  importance,
});

/** The stored answers in the contract's shape, in question order. */
export const toAnswers = (kept: KeptAnswers): CompatibilityAnswer[] => answered(kept).map(toAnswer);

interface AnswerInWords {
  question: string;
  answer: string;
  accepted: string[];
  importance: string;
}

function wordsOf({ options }: Question, optionId: string): string {
  const option = options.find(({ id }) => id === optionId);
  return option === undefined ? optionId : textOf(option.text);
}

/** A member's answers as readable text. */
export async function answersInWords(db: Db, accountId: string): Promise<AnswerInWords[]> {
  return answered(await keptAnswers(db, accountId)).map(({ question, given: [answer, accepted, importance] }) => ({
    question: textOf(question.text),
    answer: wordsOf(question, answer),
    accepted: accepted.map((optionId) => wordsOf(question, optionId)),
    importance: textOf(importanceWords[importance]),
  }));
}

function requireQuestion(questionId: string): Question {
  const question = questionById(questionId);
  if (question === undefined) throw notFound();
  return question;
}

const notAnOption = msg`This is not one of the answers`;

/** The caller's own answers. 403 for staff. */
async function answersOf(db: Db, caller: Caller): Promise<CompatibilityAnswer[]> {
  requireMember(caller);
  return toAnswers(await keptAnswers(db, caller.accountId));
}

/**
 * Saves the caller's answer to one question, replacing an earlier one. Returns all their answers. 403 for staff, 404 for an unknown
 * question, 400 for an unknown option, 429 after three changes a week.
 */
async function giveAnswer(
  context: CommandContext,
  { questionId, answer, accepted, importance }: ParamsOf<typeof calls.putAnswer> & BodyOf<typeof calls.putAnswer>,
): Promise<CompatibilityAnswer[]> {
  requireMember(context.caller);
  const { options } = requireQuestion(questionId);
  const optionIds = options.map(({ id }) => id);
  if (!optionIds.includes(answer)) throw invalid('answer', notAnOption);
  if (!accepted.every((id) => optionIds.includes(id))) throw invalid('accepted', notAnOption);
  const acceptedOnce = optionIds.filter((id) => accepted.includes(id));
  return toAnswers(await saveAnswer(context, questionId, [answer, acceptedOnce, importance]));
}

/** Deletes the caller's answer, if any. Returns the remaining ones. 403 for staff, 404 for an unknown question. */
async function takeAnswerBack(
  context: CommandContext,
  { questionId }: ParamsOf<typeof calls.deleteAnswer>,
): Promise<CompatibilityAnswer[]> {
  requireMember(context.caller);
  requireQuestion(questionId);
  return toAnswers(await saveAnswer(context, questionId, null));
}

/** The answers that count today (UTC), by account id; members without any are left out. They change with their row or the day. */
export async function answersCounted(db: Db, ids: string[], now: Date): Promise<Map<string, CompatibilityAnswer[]>> {
  const counted = await countedAnswers(db, ids, now);
  return new Map([...counted].map(([id, kept]) => [id, toAnswers(kept)]));
}

/**
 * How an account's answers fit those of others, by account id; people who share too few are left out. Answers given today count from
 * tomorrow, so that no answer can be inferred from a change.
 */
export async function bandsOfAnswers(
  db: Db,
  accountId: string,
  others: string[],
  now: Date,
): Promise<Map<string, CompatibilityBand>> {
  const bands = new Map<string, CompatibilityBand>();
  const own = (await answersCounted(db, [accountId], now)).get(accountId) ?? [];
  if (own.length < commonAnswersMin) return bands;
  const counted = await answersCounted(db, others, now);
  for (const id of others) {
    const band = compatibilityBand(own, counted.get(id) ?? []);
    if (band !== null && id !== accountId) bands.set(id, band);
  }
  return bands;
}

/** Like `bandsOfAnswers`, but only for people who each meet what the other requires. Members without preferences require nothing. */
export async function bandsShown(
  db: Db,
  accountId: string,
  others: string[],
  now: Date,
): Promise<Map<string, CompatibilityBand>> {
  const bands = await bandsOfAnswers(db, accountId, others, now);
  if (bands.size === 0) return bands;
  const [v, t, day] = [sql.ref('v'), sql.ref('t'), dayOf(now)];
  const { rows } = await sql<{ id: string }>`
    select t.account_id as id from discovery_row v, discovery_row t
    where v.account_id = ${accountId}::uuid and t.account_id = any (${[...bands.keys()]}::uuid[])
      and not coalesce(${requiredBy(v, t, day)} and ${requiredBy(t, v, day)}, false)`.execute(db);
  for (const { id } of rows) bands.delete(id);
  return bands;
}

/** Answers to the compatibility questions. */
export function mountCompatibility(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;

  mount(app, deps, calls.getAnswers).to(async ({ caller }) => ({
    data: { answers: await answersOf(db, caller) },
  }));
  mount(app, deps, calls.putAnswer).to(async (context) => ({
    message: 'Your answer is saved',
    data: { answers: await giveAnswer(context, { ...context.params, ...context.body }) },
  }));
  mount(app, deps, calls.deleteAnswer).to(async (context) => ({
    message: 'Your answer is deleted',
    data: { answers: await takeAnswerBack(context, context.params) },
  }));
}
