import { lazy, type ReactNode, useEffect, useState } from 'react';
import { t } from '@lingui/core/macro';
import type { Preferences } from '#contract/discovery.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { Skeleton } from '../../../../ui/feedback/PageStates.tsx';
import { StepForm } from '../../../../ui/steps/StepForm.tsx';
import { LazyBoundary } from '../../../../ui/loading/LazyBoundary.tsx';
import { preloadable } from '../../../../ui/loading/preload.ts';
import { hasPicture } from '../completeness.tsx';
import { PeopleStep } from './PeopleStep.tsx';
import type { WelcomeStep } from './welcome-steps.ts';
import type { WelcomeStepProps } from './user-step.ts';

const [AgesStep, preloadAges] = preloadable(async () => (await import('./AgesStep.tsx')).AgesStep);
const [PlaceStep, preloadPlace] = preloadable(async () => (await import('./PlaceStep.tsx')).PlaceStep);
const [PromptsStep, preloadPrompts] = preloadable(async () => (await import('./PromptsStep.tsx')).PromptsStep);

/** For the few who joined with a provider. */
const NameStep = lazy(async () => ({ default: (await import('./ProviderSteps.tsx')).NameStep }));
const BirthdayStep = lazy(async () => ({ default: (await import('./ProviderSteps.tsx')).BirthdayStep }));

interface PicturesStepProps {
  user: OwnUser;
  /** The places for pictures. */
  pictures: ReactNode;
  onNext: () => void;
}

/** The step for pictures, which are saved as soon as they are added. */
function PicturesStep({ user, pictures, onNext }: PicturesStepProps) {
  const [isRefused, setRefused] = useState(false);
  const isDone = hasPicture(user);
  return (
    <StepForm
      isTall
      problem={isRefused && !isDone ? t`Please add at least one picture, or finish later.` : null}
      onSubmit={(event) => {
        event.preventDefault();
        if (isDone) onNext();
        else setRefused(true);
      }}
    >
      {pictures}
    </StepForm>
  );
}

interface WelcomeFormProps extends WelcomeStepProps {
  step: WelcomeStep;
  preferences: Preferences;
  onMoved: (location: OwnUser['location']) => void;
  onPreferences: (preferences: Preferences) => void;
  pictures: ReactNode;
  questions: ReactNode;
}

function StepOf({ step, preferences, onMoved, onPreferences, pictures, questions, ...given }: WelcomeFormProps) {
  const { user, onUser, onNext } = given;
  switch (step) {
    case 'name':
      return <NameStep {...given} />;
    case 'birthday':
      return <BirthdayStep {...given} />;
    case 'people':
      return (
        <PeopleStep
          {...given}
          onUser={(saved) => {
            onUser(saved);
            onPreferences({ ...preferences, seeking: saved.seeking });
          }}
        />
      );
    case 'ages':
      return <AgesStep ownAge={user.age} preferences={preferences} onPreferences={onPreferences} onNext={onNext} />;
    case 'place':
      return <PlaceStep user={user} onMoved={onMoved} onNext={onNext} />;
    case 'pictures':
      return <PicturesStep user={user} pictures={pictures} onNext={onNext} />;
    case 'prompts':
      return <PromptsStep {...given} />;
    case 'questions':
      return questions;
  }
}

/** The form for one of the steps after registration. */
export function WelcomeForm(props: WelcomeFormProps) {
  useEffect(() => {
    preloadAges();
    preloadPlace();
    preloadPrompts();
  }, []);
  return (
    <LazyBoundary fallback={<Skeleton height="16rem" />}>
      <StepOf {...props} />
    </LazyBoundary>
  );
}
