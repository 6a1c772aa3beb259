import { type CompatibilityAnswer, importanceWords } from '#contract/compatibility/compatibility.ts';
import { type Question, questions } from '#contract/compatibility/questions.ts';
import type { Db } from '../../platform/db/db.ts';
import type { KeptAnswer, KeptAnswers } from '../../platform/db/schema.ts';
import { keptAnswers } from './queries.ts';

/** The answers with their questions, in the order of these; what is asked no more is left out. */
function answered(kept: KeptAnswers): { question: Question; given: KeptAnswer }[] {
  return questions.flatMap((question) => {
    const given = kept[question.id];
    return given === undefined ? [] : [{ question, given }];
  });
}

/** What is kept as the contract has it, in the order of the questions. */
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

/** What a member answered, as a person reads it. */
export async function answersInWords(db: Db, accountId: string): Promise<AnswerInWords[]> {
  return answered(await keptAnswers(db, accountId)).map(({ question, given: [answer, accepted, importance] }) => ({
    question: question.text,
    answer: wordsOf(question, answer),
    accepted: accepted.map((optionId) => wordsOf(question, optionId)),
    importance: importanceWords[importance],
  }));
}
