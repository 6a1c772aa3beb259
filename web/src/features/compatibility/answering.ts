import type { CompatibilityAnswer, Importance, putAnswer } from '#contract/compatibility/compatibility.ts';
import { type Question, questionById, questions } from '#contract/compatibility/questions.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import type { FieldError } from '#contract/errors.ts';
import { readDraft } from '../../ui/form/drafts.ts';

/** The form of one answer; accepted options separated by commas, '' for not chosen yet. */
export type AnswerForm = Record<'answer' | 'accepted' | 'importance', string>;

/** The name of the draft of the answer that is being given. */
export const answerDraft = 'compatibility-answer';

export const listOf = (text: string) => (text === '' ? [] : text.split(','));

/** The form's values for what is saved; most questions matter somewhat. */
export function formOfAnswer(saved: CompatibilityAnswer | undefined): AnswerForm {
  return {
    answer: saved?.answer ?? '',
    accepted: saved?.accepted.join(',') ?? '',
    importance: saved?.importance ?? 'somewhat',
  };
}

/** What was chosen for this question before a reload, if those options still exist. */
export function draftOfAnswer({ id, options }: Question): Partial<AnswerForm> {
  const draft = readDraft(answerDraft);
  if (draft?.['questionId'] !== id) return {};
  const { answer = '', accepted = '', importance = '' } = draft;
  const isKnown = [answer, ...listOf(accepted)].every(
    (one) => one === '' || options.some((option) => option.id === one),
  );
  return isKnown ? { answer, accepted, importance } : {};
}

/** The answer as it is sent; a question that doesn't matter has no accepted options. */
export function bodyOfAnswer({ answer, accepted, importance }: AnswerForm): BodyInput<typeof putAnswer> {
  return {
    answer,
    accepted: importance === 'irrelevant' ? [] : listOf(accepted),
    importance: importance as Importance,
  };
}

/** What is missing. */
export function answerGaps({ answer, accepted, importance }: AnswerForm): FieldError[] {
  return [
    ...(answer === '' ? [{ field: 'answer', msg: 'Choose your own answer' }] : []),
    ...(accepted === '' && importance !== 'irrelevant'
      ? [{ field: 'accepted', msg: 'Choose at least one, or that it does not matter' }]
      : []),
  ];
}

/** The question that is open, and those that come after it. */
export interface Asked {
  question: Question;
  rest: readonly Question[];
  /** An answer given before is changed, and nothing follows. */
  isChange: boolean;
}

/** The first of these questions with the rest to follow; null when there is none. */
export function askedFrom([question, ...rest]: readonly Question[]): Asked | null {
  return question === undefined ? null : { question, rest, isChange: false };
}

/** The questions without an answer. */
export function unanswered(answers: readonly CompatibilityAnswer[]): Question[] {
  return questions.filter(({ id }) => !answers.some(({ questionId }) => questionId === id));
}

/** A single question whose answer is changed. */
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
