import { t } from '@lingui/core/macro';
import { type ReactNode, useState } from 'react';
import type { Preferences } from '#contract/discovery.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { AboutForm, HabitsForm, InterestsForm, LanguagesForm } from './DetailForms.tsx';
import { type OwnPart, ownParts } from './own-parts.ts';
import { PlaceForm } from './PlaceForm.tsx';
import { PreferencesForm } from './PreferencesSection.tsx';
import { PromptsForm } from './PromptsForm.tsx';

interface EditDialogProps {
  /** Null if none is edited at the moment. */
  part: OwnPart | null;
  user: OwnUser;
  /** Undefined for staff, and until they are loaded. */
  preferences: Preferences | undefined;
  /** The member's pictures, which are saved as soon as they are changed. */
  pictures: ReactNode;
  onUser: (user: OwnUser) => void;
  onMoved: (location: OwnUser['location']) => void;
  onPreferences: (preferences: Preferences) => void;
  /** Called without a change, or after one has been saved. */
  onClose: (hasSaved: boolean) => void;
}

type PartFormProps = EditDialogProps & { part: Exclude<OwnPart, 'pictures'> };

function PartForm({ part, user, preferences, onUser, onMoved, onPreferences, onClose }: PartFormProps) {
  const leave = { onCancel: () => onClose(false), onDone: () => onClose(true) };
  const own = { ...leave, user, onUser };
  switch (part) {
    case 'about':
      return <AboutForm {...own} />;
    case 'place':
      return <PlaceForm {...leave} user={user} onMoved={onMoved} />;
    case 'habits':
      return <HabitsForm {...own} />;
    case 'interests':
      return <InterestsForm {...own} />;
    case 'languages':
      return <LanguagesForm {...own} />;
    case 'prompts':
      return <PromptsForm {...own} />;
    case 'wishes':
      return preferences && <PreferencesForm {...leave} preferences={preferences} onPreferences={onPreferences} />;
  }
}

/**
 * The form for one part of the profile, above the page. Typed text is kept if it is closed without Cancel. Pictures continue to upload when
 * they are closed, and failed ones are still there.
 */
export function EditDialog(props: EditDialogProps) {
  const { part, pictures } = props;
  const [hadPictures, setHadPictures] = useState(false);
  if (part === 'pictures' && !hadPictures) setHadPictures(true);
  const close = () => props.onClose(false);
  return (
    <>
      {hadPictures && (
        <Dialog title={t(ownParts.pictures)} isOpen={part === 'pictures'} onClose={close}>
          {pictures}
        </Dialog>
      )}
      {part !== null && part !== 'pictures' && (
        <Dialog title={t(ownParts[part])} onClose={close}>
          <PartForm {...props} part={part} />
        </Dialog>
      )}
    </>
  );
}
