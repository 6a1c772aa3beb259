import type { Preferences } from '#contract/discovery.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { type CompletionField, missingFields } from '../completeness.tsx';

/** The steps after registration in order; the last two can be skipped. */
export const welcomeSteps = [
  'name',
  'birthday',
  'people',
  'ages',
  'place',
  'pictures',
  'prompts',
  'questions',
] as const;
export type WelcomeStep = (typeof welcomeSteps)[number];

/** The position of each step among all steps of joining. */
export const numberOf: Record<WelcomeStep, number> = {
  name: 2,
  birthday: 3,
  people: 6,
  ages: 7,
  place: 8,
  pictures: 9,
  prompts: 10,
  questions: 11,
};

/** The step that asks for each missing part of the profile. */
export const stepOfField: Record<CompletionField, WelcomeStep> = {
  firstName: 'name',
  birthDate: 'birthday',
  gender: 'people',
  seeking: 'people',
  location: 'place',
  pictures: 'pictures',
};

/** The step in an address, or null. */
export function stepOf(param: string | null): WelcomeStep | null {
  return welcomeSteps.find((step) => step === param) ?? null;
}

/**
 * The first step that is missing something required, or the ages if none are chosen yet; otherwise the prompts if there are none, and null
 * when all is done.
 */
export function firstOpenStep(user: OwnUser, { age }: Preferences): WelcomeStep | null {
  const open: WelcomeStep[] = missingFields(user).map((field) => stepOfField[field]);
  if (open.length > 0 && age === null) open.push('ages');
  const first = welcomeSteps.find((step) => open.includes(step));
  return first ?? (user.prompts.length === 0 ? 'prompts' : null);
}

/** Whether a step only asks for what a provider has already supplied, or what was answered before. */
function isKnown(step: WelcomeStep, user: OwnUser): boolean {
  return (step === 'name' && user.firstName !== null) || (step === 'birthday' && user.birthDate !== null);
}

/** The next or previous step that asks something; null if there is none. */
export function neighbourOf(step: WelcomeStep, distance: 1 | -1, user: OwnUser): WelcomeStep | null {
  const next = welcomeSteps[welcomeSteps.indexOf(step) + distance];
  if (next === undefined) return null;
  return isKnown(next, user) ? neighbourOf(next, distance, user) : next;
}
