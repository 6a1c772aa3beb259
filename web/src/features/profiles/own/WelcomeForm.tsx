import { t } from '@lingui/core/macro';
import { Button, Stack } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { maximumAgeYears, minimumAgeYears } from '#contract/constants.ts';
import type { Preferences } from '#contract/discovery.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { Buttons } from '../../../ui/layout/Rows.tsx';
import { LazyBoundary } from '../../../ui/loading/LazyBoundary.tsx';
import { preloadable } from '../../../ui/loading/preload.ts';
import { AboutForm, GoalForm, InterestsForm } from './DetailForms.tsx';
import { PlaceForm } from './PlaceForm.tsx';
import { PromptsForm } from './PromptsForm.tsx';
import { type CompletionField, hasPicture, missingFields } from './completeness.tsx';

/** Preloaded, because it is needed by the second step. */
const [PreferencesForm, preloadPreferencesForm] = preloadable(
  async () => (await import('./PreferencesSection.tsx')).PreferencesForm,
);

interface PicturesStepProps {
  user: OwnUser;
  /** The member's pictures, with the picture rules. */
  pictures: ReactNode;
  onNext: () => void;
}

/** The step for pictures, which are saved as soon as they are added. */
function PicturesStep({ user, pictures, onNext }: PicturesStepProps) {
  const [isRefused, setRefused] = useState(false);
  const isDone = hasPicture(user);
  return (
    <Stack gap="1.1rem">
      {pictures}
      {isRefused && !isDone && <Notice kind="error">{t`Please add at least one picture, or finish later.`}</Notice>}
      <Buttons ofForm>
        <Button onClick={() => (isDone ? onNext() : setRefused(true))}>{t`Continue`}</Button>
      </Buttons>
    </Stack>
  );
}

/** Most people look for someone about their own age. */
const ageGapYears = 10;

/** The suggested age range for new members, close to their own age. */
function agesNear(age: number | null): Preferences['age'] {
  if (age === null) return null;
  const min = Math.max(minimumAgeYears, age - ageGapYears);
  return { min, max: Math.min(maximumAgeYears, age + ageGapYears), required: true };
}

interface WelcomeFormProps {
  step: WelcomeStep;
  user: OwnUser;
  preferences: Preferences;
  onUser: (user: OwnUser) => void;
  onMoved: (location: OwnUser['location']) => void;
  onPreferences: (preferences: Preferences) => void;
  /** The content of the pictures step. */
  pictures: ReactNode;
  /** Called when the step has been saved or skipped. */
  onNext: () => void;
}

/** The form for one of the steps after registration; optional steps can be skipped. */
export function WelcomeForm(props: WelcomeFormProps) {
  useEffect(preloadPreferencesForm, []);
  const { step, user, preferences, onUser, onMoved, onPreferences, pictures, onNext } = props;
  const needed = { submitText: t`Save and continue`, onDone: onNext };
  const optional = { ...needed, cancelText: t`Skip`, onCancel: onNext, user, onUser };
  switch (step) {
    case 'about':
      return <AboutForm {...needed} isFirst user={user} onUser={onUser} />;
    case 'seeking':
      return (
        <LazyBoundary fallback={<Skeleton height="16rem" />}>
          <PreferencesForm
            {...needed}
            isFirst
            preferences={{ ...preferences, age: preferences.age ?? agesNear(user.age) }}
            onPreferences={onPreferences}
          />
        </LazyBoundary>
      );
    case 'place':
      return <PlaceForm {...needed} user={user} onMoved={onMoved} />;
    case 'pictures':
      return <PicturesStep user={user} pictures={pictures} onNext={onNext} />;
    case 'interests':
      return <InterestsForm {...optional} />;
    case 'goal':
      return <GoalForm {...optional} />;
    case 'prompts':
      return <PromptsForm {...optional} />;
  }
}

/** The steps after registration in order; the first four are required. */
export const welcomeSteps = ['about', 'seeking', 'place', 'pictures', 'interests', 'goal', 'prompts'] as const;
export type WelcomeStep = (typeof welcomeSteps)[number];

/** The step that asks for each missing part of the profile. */
export const stepOfField: Record<CompletionField, WelcomeStep> = {
  firstName: 'about',
  birthDate: 'about',
  gender: 'about',
  seeking: 'seeking',
  location: 'place',
  pictures: 'pictures',
};

/** The step in an address, or null. */
export function stepOf(param: string | null): WelcomeStep | null {
  return welcomeSteps.find((step) => step === param) ?? null;
}

/**
 * The first step that is missing something required, otherwise the first empty optional step; null when all steps are
 * done.
 */
export function firstOpenStep(user: OwnUser): WelcomeStep | null {
  const [missing] = missingFields(user);
  if (missing !== undefined) return stepOfField[missing];
  if (user.interests.length === 0) return 'interests';
  if (user.goal === null) return 'goal';
  return user.prompts.length === 0 ? 'prompts' : null;
}

/** The next or previous step; null if there is none. */
export function neighbourOf(step: WelcomeStep, distance: 1 | -1): WelcomeStep | null {
  return welcomeSteps[welcomeSteps.indexOf(step) + distance] ?? null;
}
