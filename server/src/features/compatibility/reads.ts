import { type CompatibilityAnswer, importanceWords } from '#contract/compatibility/compatibility.ts';
import { type Question, questions } from '#contract/compatibility/questions.ts';
import type { Db } from '../../platform/db/db.ts';
import type { KeptAnswer, KeptAnswers } from './tables.ts';
import { keptAnswers } from './queries.ts';

/** The answers with their questions, in question order; retired questions are left out. */
function answered(kept: KeptAnswers): { question: Question; given: KeptAnswer }[] {
  return questions.flatMap((question) => {
    const given = kept[question.id];
    return given === undefined ? [] : [{ question, given }];
  });
}

/** The stored answers in the contract's shape, in question order. */
export function toAnswers(kept: KeptAnswers): CompatibilityAnswer[] {
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
