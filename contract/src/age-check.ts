import * as z from 'zod/mini';
import { answer, endpoint } from './endpoint.ts';
import { daySchema, idSchema, tokenText } from './text.ts';

/**
 * What is known about a member's age. `declared`: only their birth date. `assured`: a provider said that they are an adult. `failed`: it
 * said that they are not. `expired`: they began a check and didn't finish it.
 */
export const ageStates = ['declared', 'assured', 'failed', 'expired'] as const;
export type AgeState = (typeof ageStates)[number];

/** When a country requires that a member's age is assured. */
export const ageRules = ['joining', 'first-message', 'never'] as const;
export type AgeRule = (typeof ageRules)[number];

/** For how long a check that was started can be finished. */
export const ageCheckMinutes = 60;

const ageCheckSchema = z.object({
  state: z.enum(ageStates),
  /** The day on which that state began; null if only the birth date was ever given. */
  since: z.nullable(daySchema),
  /** The team asked for a check. Until it is passed, the member can't write to people first. */
  isAsked: z.boolean(),
  /** When the member's country requires it. */
  rule: z.enum(ageRules),
  /** The host name of the provider that checks it; null without a provider. */
  provider: z.nullable(z.string()),
  /** Whether a check can be started now. */
  canStart: z.boolean(),
});
export type AgeCheck = z.output<typeof ageCheckSchema>;

const ownAnswer = answer({ data: ageCheckSchema });

export const getAgeCheck = endpoint({
  method: 'GET',
  path: '/age-check',
  summary: 'Get what is known about my age, and when my country requires more.',
  access: 'signedIn',
  response: ownAnswer,
  errors: ['FORBIDDEN'],
});

export const startAgeCheck = endpoint({
  method: 'POST',
  path: '/age-check',
  summary:
    'Begin a check with the provider, at the returned address. It can be finished within an hour; beginning again continues the same one for another hour. 409 once the age is assured, after a failed check, and where no provider is set up.',
  access: 'signedIn',
  writes: true,
  limit: 'sensitive',
  response: answer({ data: z.object({ url: z.string() }) }),
  errors: ['FORBIDDEN', 'CONFLICT', 'TOO_MANY_REQUESTS'],
});

export const ageResults = ['adult', 'minor'] as const;

/** What a provider says at the end of a check, signed. */
export const ageAnswerSchema = z.object({
  /** The id that the check got when it was started. */
  check: idSchema,
  result: z.enum(ageResults),
  signature: tokenText,
});
export type AgeAnswer = z.output<typeof ageAnswerSchema>;

export const takeAgeAnswer = endpoint({
  method: 'POST',
  path: '/age-check/answer',
  summary:
    'Take the signed answer of the provider, which it sends itself or with the browser that returns from it. 404 for a wrong signature, which counts towards a limit, and for a check that is over or was answered.',
  access: 'everyone',
  writes: true,
  body: ageAnswerSchema,
  response: answer({}),
  errors: ['NOT_FOUND', 'TOO_MANY_REQUESTS'],
  stale: ['/age-check'],
});
