import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import { idSchema } from '../text.ts';

/**
 * How much another person's answer matters, and its weight: OkCupid's scale, from its FAQ 'Match
 * percentages', as https://blogs.ams.org/mathgradblog/2016/06/08/okcupid-math-online-dating/ gives it.
 */
export const importanceWeights = { irrelevant: 0, 'a-little': 1, somewhat: 10, very: 50, mandatory: 250 } as const;
export type Importance = keyof typeof importanceWeights;
export const importances = Object.keys(importanceWeights) as [Importance, ...Importance[]];

/** The same as text. */
export const importanceWords: Record<Importance, string> = {
  irrelevant: 'Not at all',
  'a-little': 'A little',
  somewhat: 'Somewhat',
  very: 'Very much',
  mandatory: 'A must',
};

/** No question has more options. */
export const optionsMax = 4;
/** With fewer shared questions that matter to both, there is no band. */
export const commonAnswersMin = 10;
/** How many given answers may be changed in seven days; a first answer is always free. */
export const answerChangesMax = 3;

export const compatibilityBands = ['low', 'good', 'high'] as const;
export type CompatibilityBand = (typeof compatibilityBands)[number];
/** The number shown for each band. Anything finer would reveal private answers. */
export const bandScores: Record<CompatibilityBand, number> = { low: 25, good: 60, high: 85 };

const answerSchema = z.object({
  questionId: z.string(),
  /** The option that is true of the member. */
  answer: z.string(),
  /** The options the member accepts in another person. */
  accepted: z.array(z.string()),
  importance: z.enum(importances),
});

/** A member's answer to one question; visible to them only. */
export type CompatibilityAnswer = z.output<typeof answerSchema>;

const allAnswers = answer({ data: z.object({ answers: z.array(answerSchema) }) });
const questionParams = z.object({ questionId: idSchema });

export const getAnswers = endpoint({
  method: 'GET',
  path: '/compatibility/answers',
  summary: 'List my answers to the compatibility questions, in question order.',
  access: 'signedIn',
  response: allAnswers,
  errors: ['FORBIDDEN'],
});

export const putAnswer = endpoint({
  method: 'PUT',
  path: '/compatibility/answers/{questionId}',
  summary:
    'Answer a question or change my answer: what is true of me, which answers I accept, and how much it matters.',
  access: 'signedIn',
  writes: true,
  params: questionParams,
  body: z
    .object({
      answer: idSchema,
      accepted: z.array(idSchema).check(z.maxLength(optionsMax, `Choose ${optionsMax} at most`)),
      importance: z.enum(importances),
    })
    .check(
      z.refine(({ accepted, importance }) => importance === 'irrelevant' || accepted.length > 0, {
        path: ['accepted'],
        error: 'Choose at least one',
      }),
    ),
  response: allAnswers,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'TOO_MANY_REQUESTS'],
});

export const deleteAnswer = endpoint({
  method: 'DELETE',
  path: '/compatibility/answers/{questionId}',
  summary: 'Delete my answer to a question.',
  access: 'signedIn',
  writes: true,
  params: questionParams,
  response: allAnswers,
  errors: ['FORBIDDEN', 'NOT_FOUND'],
});
