import type { CompatibilityAnswer } from '#contract/compatibility/compatibility.ts';
import { type Question, questionById, questions } from '#contract/compatibility/questions.ts';
import { readDraft } from '../../api/session/drafts.ts';
import { answerDraft } from './answer-form.ts';

/** The question that is open, and those that come after it. */
export interface Asked {
  question: Question;
  rest: readonly Question[];
  /** An answer given before is changed, and nothing follows. */
  isChange: boolean;
}

/** What is asked when somebody begins, or goes on: the questions without an answer, in their order; null when there is none. */
export function askedFrom([question, ...rest]: readonly Question[]): Asked | null {
  return question === undefined ? null : { question, rest, isChange: false };
}

/** The questions without an answer. */
export function unanswered(answers: readonly CompatibilityAnswer[]): Question[] {
  return questions.filter(({ id }) => !answers.some(({ questionId }) => questionId === id));
}

/** The one question alone whose answer is changed. */
export function askedAgain(questionId: string): Asked | null {
  const question = questionById(questionId);
  return question === undefined ? null : { question, rest: [], isChange: true };
}

/** The question that was open before a reload. */
export function askedBefore(answers: readonly CompatibilityAnswer[]): Asked | null {
  const questionId = readDraft(answerDraft)?.['questionId'];
  if (questionId === undefined) return null;
  if (answers.some((answer) => answer.questionId === questionId)) return askedAgain(questionId);
  const open = unanswered(answers);
  return askedFrom(
    open.slice(
      Math.max(
        0,
        open.findIndex(({ id }) => id === questionId),
      ),
    ),
  );
}
