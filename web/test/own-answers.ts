import { type CompatibilityAnswer, deleteAnswer, getAnswers, putAnswer } from '#contract/compatibility.ts';
import { questions } from '#contract/compatibility-questions.ts';
import { serve } from './fake-server.ts';

/** Answers the calls of a member's answers, and keeps what is given and taken back. */
export function serveAnswers(first: readonly CompatibilityAnswer[] = []): void {
  let answers = [...first];
  const without = (id: string) => answers.filter(({ questionId }) => questionId !== id);
  const placeOf = (id: string) => questions.findIndex((question) => question.id === id);

  serve(getAnswers, () => ({ data: { answers } }));
  serve(putAnswer, ({ params: { questionId }, body }) => {
    answers = [...without(questionId), { questionId, ...body }];
    answers.sort((one, other) => placeOf(one.questionId) - placeOf(other.questionId));
    return { data: { answers } };
  });
  serve(deleteAnswer, ({ params: { questionId } }) => {
    answers = without(questionId);
    return { data: { answers } };
  });
}
