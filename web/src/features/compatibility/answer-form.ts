import type { CompatibilityAnswer, Importance, putAnswer } from '#contract/compatibility/compatibility.ts';
import type { Question } from '#contract/compatibility/questions.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import type { FieldError } from '#contract/errors.ts';
import { readDraft } from '../../api/session/drafts.ts';

/** One answer as it is given; the accepted options by commas, '' is not said yet. */
export type AnswerForm = Record<'answer' | 'accepted' | 'importance', string>;

/** The draft of the one answer being given, with its question. */
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

/** What was chosen for this question before a reload, if it still can be. */
export function draftOfAnswer({ id, options }: Question): Partial<AnswerForm> {
  const draft = readDraft(answerDraft);
  if (draft?.['questionId'] !== id) return {};
  const { answer = '', accepted = '', importance = '' } = draft;
  const isKnown = [answer, ...listOf(accepted)].every(
    (one) => one === '' || options.some((option) => option.id === one),
  );
  return isKnown ? { answer, accepted, importance } : {};
}

/** What is sent; where it does not matter nothing is asked of the other. */
export function bodyOfAnswer({ answer, accepted, importance }: AnswerForm): BodyInput<typeof putAnswer> {
  return {
    answer,
    accepted: importance === 'irrelevant' ? [] : listOf(accepted),
    importance: importance as Importance,
  };
}

/** What is not said yet. */
export function answerGaps({ answer, accepted, importance }: AnswerForm): FieldError[] {
  return [
    ...(answer === '' ? [{ field: 'answer', msg: 'Choose your own answer' }] : []),
    ...(accepted === '' && importance !== 'irrelevant'
      ? [{ field: 'accepted', msg: 'Choose at least one, or that it does not matter' }]
      : []),
  ];
}
