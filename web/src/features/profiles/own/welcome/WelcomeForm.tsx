import type { ReactNode } from 'react';
import type { Preferences } from '#contract/discovery/discovery.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { useText } from '../../../../ui/text/text.ts';
import { AboutForm } from '../AboutForm.tsx';
import { InterestsForm } from '../ChoiceForms.tsx';
import { GoalForm } from '../HabitsForm.tsx';
import { PlaceForm } from '../PlaceForm.tsx';
import { PicturesStep } from './PicturesStep.tsx';
import { PromptsForm } from '../PromptsForm.tsx';
import { type WelcomeStep } from './welcome-steps.ts';
import { WishesForm } from '../WishesForm.tsx';

interface WelcomeFormProps {
  step: WelcomeStep;
  user: OwnUser;
  preferences: Preferences;
  onUser: (user: OwnUser) => void;
  onMoved: (location: OwnUser['location']) => void;
  onPreferences: (preferences: Preferences) => void;
  /** What the step of pictures shows. */
  pictures: ReactNode;
  /** The step is saved, or left out. */
  onNext: () => void;
}

/** The form of one step; what no profile needs can be left out. */
export function WelcomeForm(props: WelcomeFormProps) {
  const { step, user, preferences, onUser, onMoved, onPreferences, pictures, onNext } = props;
  const t = useText();
  const needed = { submitText: t('Save and go on'), onDone: onNext };
  const optional = { ...needed, cancelText: t('Skip this'), onCancel: onNext, user, onUser };
  switch (step) {
    case 'about':
      return <AboutForm {...needed} isFirst user={user} onUser={onUser} />;
    case 'seeking':
      return <WishesForm {...needed} isFirst preferences={preferences} onPreferences={onPreferences} />;
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
