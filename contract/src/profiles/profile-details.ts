import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { trimmedText } from '../text.ts';
import { said } from '../said.ts';

export const genders = ['woman', 'man', 'non-binary'] as const;
export type Gender = (typeof genders)[number];

/** A gender as callers may write it; 'female' and 'male' are read as the first two. */
export const genderSchema = z.pipe(
  z.enum([...genders, 'female', 'male'], said(msg`Choose woman, man or non-binary`)),
  z.transform((word): Gender => (word === 'female' ? 'woman' : word === 'male' ? 'man' : word)),
);

export const genderOutSchema = z.enum(genders);

/** Languages members can list, as ISO 639 codes; the app has their names in `languageNames`. */
export const languages = [
  'ar',
  'bg',
  'bn',
  'bs',
  'ca',
  'cs',
  'cy',
  'da',
  'de',
  'el',
  'en',
  'es',
  'et',
  'eu',
  'fa',
  'fi',
  'fil',
  'fr',
  'ga',
  'gl',
  'gu',
  'he',
  'hi',
  'hr',
  'hu',
  'hy',
  'id',
  'is',
  'it',
  'ja',
  'ka',
  'kk',
  'ko',
  'ku',
  'lb',
  'lt',
  'lv',
  'mk',
  'ml',
  'mr',
  'ms',
  'mt',
  'nb',
  'nl',
  'pa',
  'pl',
  'pt',
  'ro',
  'ru',
  'sk',
  'sl',
  'so',
  'sq',
  'sr',
  'sv',
  'sw',
  'ta',
  'te',
  'th',
  'tr',
  'uk',
  'ur',
  'uz',
  'vi',
  'yue',
  'zh',
  'zu',
] as const;

/** Relationship goals. */
export const relationshipGoals = ['long-term', 'short-term', 'friendship', 'open-to-see'] as const;
export type RelationshipGoal = (typeof relationshipGoals)[number];

export const childrenAnswers = ['have', 'have-and-want-more', 'want', 'open', 'do-not-want'] as const;
export type ChildrenAnswer = (typeof childrenAnswers)[number];

export const smokingAnswers = ['never', 'sometimes', 'regularly', 'quitting'] as const;
export type SmokingAnswer = (typeof smokingAnswers)[number];

export const drinkingAnswers = ['never', 'rarely', 'socially', 'often'] as const;
export type DrinkingAnswer = (typeof drinkingAnswers)[number];

export const exerciseAnswers = ['never', 'sometimes', 'weekly', 'daily'] as const;
export type ExerciseAnswer = (typeof exerciseAnswers)[number];

export const interestsMax = 10;
export const languagesMax = 8;
export const promptsMax = 3;
export const promptAnswerMaxLength = 200;
/** The longest name of an interest or a prompt, in characters. */
export const choiceMaxLength = 80;
/** How many interests and prompts the owner can offer at most, because more would take too long to read. */
export const listedMost = { interest: 400, prompt: 60 };
export const heightMinCm = 120;
export const heightMaxCm = 230;

const isFreeOfRepetition = (list: readonly unknown[]) => new Set(list).size === list.length;
const onceEach = <T>() => z.refine<T[]>(isFreeOfRepetition, 'Choose each only once');

/** The check that no more than this are chosen. */
export const choicesUpTo = (maximum: number) => z.maxLength(maximum, said(msg`Choose ${{ maximum }} at most`));

/** An interest or a prompt. Which of them can be chosen is up to the owner, so the server checks it. */
export const choiceSchema = trimmedText(1, choiceMaxLength);

const promptSchema = z.object({ prompt: choiceSchema, answer: trimmedText(1, promptAnswerMaxLength) });

/** The questions with one answer. */
const answers = {
  goal: z.nullable(z.enum(relationshipGoals)),
  children: z.nullable(z.enum(childrenAnswers)),
  smoking: z.nullable(z.enum(smokingAnswers)),
  drinking: z.nullable(z.enum(drinkingAnswers)),
  exercise: z.nullable(z.enum(exerciseAnswers)),
};

/** The profile details that their owner can write: an absent field keeps its value, null clears it. */
export const detailFields = {
  ...z.partial(z.object(answers)).shape,
  interests: z.optional(z.nullable(z.array(choiceSchema).check(choicesUpTo(interestsMax), onceEach()))),
  languages: z.optional(z.nullable(z.array(z.enum(languages)).check(choicesUpTo(languagesMax), onceEach()))),
  heightCm: z.optional(
    z.nullable(
      z
        .int('Use whole centimeters')
        .check(
          z.minimum(heightMinCm, said(msg`Use ${{ minimum: heightMinCm }} or more`)),
          z.maximum(heightMaxCm, said(msg`Use ${{ maximum: heightMaxCm }} or less`)),
        ),
    ),
  ),
  prompts: z.optional(
    z.nullable(
      z.array(promptSchema).check(
        choicesUpTo(promptsMax),
        z.refine((list) => isFreeOfRepetition(list.map(({ prompt }) => prompt)), 'Choose each only once'),
      ),
    ),
  ),
};

/** The profile details as others see them; empty or null if the member left them out. */
export const detailsSchema = z.object({
  ...answers,
  interests: z.array(z.string()),
  languages: z.array(z.string()),
  heightCm: z.nullable(z.int()),
  prompts: z.array(z.object({ prompt: z.string(), answer: z.string() })),
});

export type ProfileDetails = z.output<typeof detailsSchema>;

/** Empty details. */
export const noDetails: ProfileDetails = {
  goal: null,
  interests: [],
  languages: [],
  children: null,
  smoking: null,
  drinking: null,
  exercise: null,
  heightCm: null,
  prompts: [],
};
