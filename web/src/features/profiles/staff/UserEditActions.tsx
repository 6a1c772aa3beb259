import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { dropDraft } from '../../../ui/form/drafts.ts';
import { userDraft } from './user-edit.ts';

interface UserEditActionsProps {
  userId: string;
  formId: string;
  isSaving: boolean;
  /** Conflicts are shown with their own buttons, because saving again would be refused again. */
  isResolving: boolean;
  onCancel: () => void;
}

/** The buttons of the form with this id. Cancel also deletes the draft. */
export function UserEditActions({ userId, formId, isSaving, isResolving, onCancel }: UserEditActionsProps) {
  return (
    <>
      <Button
        variant="default"
        onClick={() => {
          dropDraft(userDraft(userId));
          onCancel();
        }}
      >
        {t`Cancel`}
      </Button>
      {!isResolving && (
        <BusyButton type="submit" form={formId} isBusy={isSaving} busyText={t`Saving...`}>
          {t`Save changes`}
        </BusyButton>
      )}
    </>
  );
}
