import * as z from 'zod/mini';
import { maximumAgeYears, minimumAgeYears } from './constants.ts';
import { answer, endpoint } from './endpoint.ts';
import { interests } from './interests.ts';
import { languages } from './languages.ts';
import {
  childrenAnswers,
  drinkingAnswers,
  exerciseAnswers,
  heightMaxCm,
  heightMinCm,
  relationshipGoals,
  smokingAnswers,
} from './profile-details.ts';
import { genderOutSchema, genderSchema } from './gender.ts';

export const farthestKm = 20_000;

const isRange = () =>
  z.refine<{ min: number; max: number }>(({ min, max }) => min <= max, 'The first must not be the larger');

const ageSchema = z.int().check(z.minimum(minimumAgeYears), z.maximum(maximumAgeYears));
const heightSchema = z.int().check(z.minimum(heightMinCm), z.maximum(heightMaxCm));

/** A wish: `required` keeps others away, else it only counts. */
const anyOf = <T extends readonly [string, ...string[]]>(words: T) =>
  z.nullable(
    z.object({
      values: z.array(z.enum(words)).check(z.minLength(1, 'Choose at least one'), z.maxLength(words.length)),
      required: z.boolean(),
    }),
  );

/** Whom somebody wants to see: absent keeps, null means it does not matter. */
const preferenceFields = {
  age: z.nullable(z.object({ min: ageSchema, max: ageSchema, required: z.boolean() }).check(isRange())),
  /** Between the centres of the two place cells, km. */
  distance: z.nullable(z.object({ maxKm: z.int().check(z.minimum(1), z.maximum(farthestKm)), required: z.boolean() })),
  interests: anyOf(interests),
  goal: anyOf(relationshipGoals),
  languages: anyOf(languages),
  children: anyOf(childrenAnswers),
  smoking: anyOf(smokingAnswers),
  drinking: anyOf(drinkingAnswers),
  exercise: anyOf(exerciseAnswers),
  heightCm: z.nullable(z.object({ min: heightSchema, max: heightSchema, required: z.boolean() }).check(isRange())),
};

export const preferencesSchema = z.object({ seeking: z.array(genderOutSchema), ...preferenceFields });

export type Preferences = z.output<typeof preferencesSchema>;
export type PreferenceKey = keyof typeof preferenceFields;

/** What somebody wants who said nothing yet. */
export const noPreferences: Omit<Preferences, 'seeking'> = {
  age: null,
  distance: null,
  interests: null,
  goal: null,
  languages: null,
  children: null,
  smoking: null,
  drinking: null,
  exercise: null,
  heightCm: null,
};

export const getPreferences = endpoint({
  method: 'GET',
  path: '/discovery/preferences',
  summary: 'Whom I want to see.',
  access: 'signedIn',
  response: answer({ data: z.object({ preferences: preferencesSchema }) }),
  errors: ['FORBIDDEN'],
});

export const putPreferences = endpoint({
  method: 'PUT',
  path: '/discovery/preferences',
  summary: 'Say whom I want to see, and what of it is required: absent keeps, null means it does not matter.',
  access: 'signedIn',
  body: z.partial(z.object({ seeking: z.nullable(z.array(genderSchema).check(z.maxLength(3))), ...preferenceFields })),
  response: answer({ data: z.object({ preferences: preferencesSchema }) }),
  errors: ['FORBIDDEN'],
});
