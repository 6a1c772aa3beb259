import type { OwnUser } from '#contract/profiles/user.ts';
import { type CompletionField, missingFields } from '../completeness.tsx';

/** The steps after joining, in order; the first four are required. */
export const welcomeSteps = ['about', 'seeking', 'place', 'pictures', 'interests', 'goal', 'prompts'] as const;
export type WelcomeStep = (typeof welcomeSteps)[number];

/** The step at which a missing part is asked for. */
export const stepOfField: Record<CompletionField, WelcomeStep> = {
  firstName: 'about',
  birthDate: 'about',
  gender: 'about',
  seeking: 'seeking',
  location: 'place',
  pictures: 'pictures',
};

/** The step an address names, or null. */
export function stepOf(param: string | null): WelcomeStep | null {
  return welcomeSteps.find((step) => step === param) ?? null;
}

/** The first step that is missing something required, then the first optional one still empty; null when all are done. */
export function firstOpenStep(user: OwnUser): WelcomeStep | null {
  const [missing] = missingFields(user);
  if (missing !== undefined) return stepOfField[missing];
  if (user.interests.length === 0) return 'interests';
  if (user.goal === null) return 'goal';
  return user.prompts.length === 0 ? 'prompts' : null;
}

/** The next or previous step; null beyond the ends. */
export function neighbourOf(step: WelcomeStep, distance: 1 | -1): WelcomeStep | null {
  return welcomeSteps[welcomeSteps.indexOf(step) + distance] ?? null;
}
