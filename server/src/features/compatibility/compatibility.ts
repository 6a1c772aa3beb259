import type { CompatibilityAnswer, putAnswer } from '#contract/compatibility/compatibility.ts';
import { type Question, questionById } from '#contract/compatibility/questions.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { invalid, notFound } from '../../platform/http/app-error.ts';
import { requireMember, type Caller } from '../../platform/session/caller.ts';
import type { Db } from '../../platform/db/db.ts';
import { insertAnswer, keptAnswers, removeAnswer } from './queries.ts';
import { toAnswers } from './reads.ts';

type Given = BodyOf<typeof putAnswer>;

function demandQuestion(questionId: string): Question {
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
  const { options } = demandQuestion(questionId);
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
  demandQuestion(questionId);
  return toAnswers(await removeAnswer(db, caller.accountId, questionId, now));
}
