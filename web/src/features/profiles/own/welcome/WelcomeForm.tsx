import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Preferences } from '#contract/discovery/discovery.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { Notice } from '../../../../ui/feedback/Notice.tsx';
import { t } from '../../../../ui/text/text.ts';
import { AboutForm } from '../AboutForm.tsx';
import { hasPicture } from '../completeness.tsx';
import { GoalForm, InterestsForm } from '../DetailForms.tsx';
import { PlaceForm } from '../PlaceForm.tsx';
import { PreferencesForm } from '../PreferencesSection.tsx';
import classes from '../profile.module.css';
import { PromptsForm } from '../PromptsForm.tsx';
import type { WelcomeStep } from './steps.ts';

interface PicturesStepProps {
  user: OwnUser;
  /** The member's pictures with their rules. */
  pictures: ReactNode;
  onNext: () => void;
}

/** The step for pictures; each is saved as soon as it is added. */
function PicturesStep({ user, pictures, onNext }: PicturesStepProps) {
  const [isRefused, setRefused] = useState(false);
  const isDone = hasPicture(user);
  return (
    <div className={classes.form}>
      {pictures}
      {isRefused && !isDone && <Notice kind="error">{t('Please add at least one picture, or finish later.')}</Notice>}
      <div className={classes.buttons}>
        <Button onClick={() => (isDone ? onNext() : setRefused(true))}>{t('Continue')}</Button>
      </div>
    </div>
  );
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
  /** The step is saved or skipped. */
  onNext: () => void;
}

/** The form of one step; optional steps can be skipped. */
export function WelcomeForm(props: WelcomeFormProps) {
  const { step, user, preferences, onUser, onMoved, onPreferences, pictures, onNext } = props;
  const needed = { submitText: t('Save and continue'), onDone: onNext };
  const optional = { ...needed, cancelText: t('Skip'), onCancel: onNext, user, onUser };
  switch (step) {
    case 'about':
      return <AboutForm {...needed} isFirst user={user} onUser={onUser} />;
    case 'seeking':
      return <PreferencesForm {...needed} isFirst preferences={preferences} onPreferences={onPreferences} />;
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
