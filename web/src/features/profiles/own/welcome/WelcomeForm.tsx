import { type ReactNode, useEffect, useState } from 'react';
import { t } from '@lingui/core/macro';
import type { Preferences } from '#contract/discovery.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { Skeleton } from '../../../../ui/feedback/PageStates.tsx';
import { StepForm } from '../../../../ui/steps/StepForm.tsx';
import { lazyPart } from '../../../../ui/loading/LazyBoundary.tsx';
import { hasPicture } from '../completeness.tsx';
import { PeopleStep } from './PeopleStep.tsx';
import type { WelcomeStep } from './welcome-steps.ts';
import type { WelcomeStepProps } from './user-step.ts';

const waiting = <Skeleton height="16rem" />;
const [AgesStep, preloadAges] = lazyPart(async () => (await import('./AgesStep.tsx')).AgesStep, waiting);
const [PlaceStep, preloadPlace] = lazyPart(async () => (await import('./PlaceStep.tsx')).PlaceStep, waiting);
const [PromptsStep, preloadPrompts] = lazyPart(async () => (await import('./PromptsStep.tsx')).PromptsStep, waiting);

/** For the few who joined with a provider. */
const [NameStep] = lazyPart(async () => (await import('./ProviderSteps.tsx')).NameStep, waiting);
const [BirthdayStep] = lazyPart(async () => (await import('./ProviderSteps.tsx')).BirthdayStep, waiting);

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
  return <StepOf {...props} />;
}
