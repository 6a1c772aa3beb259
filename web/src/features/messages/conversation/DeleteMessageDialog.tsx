import { Button } from '@mantine/core';
import type { MessageView } from '#contract/messages.ts';
import { errorMessage } from '../../../api/api-error.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { t } from '../../../ui/text/text.ts';
import { useDeleteMessage } from '../queries.ts';

interface DeleteMessageDialogProps {
  matchId: string;
  message: MessageView;
  onClose: () => void;
}

/** Asks once more: a message that is deleted is gone for both. */
export function DeleteMessageDialog({ matchId, message, onClose }: DeleteMessageDialogProps) {
  const { mutate, isPending, error } = useDeleteMessage(matchId);
  return (
    <Dialog
      title={t('Delete this message?')}
      size="narrow"
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('Keep it')}
          </Button>
          <BusyButton
            isBusy={isPending}
            busyText={t('Deleting...')}
            onClick={() => mutate(message.seq, { onSuccess: onClose })}
          >
            {t('Delete')}
          </BusyButton>
        </>
      }
    >
      <p>{t("It's deleted for both of you. You will both still see that there was a message.")}</p>
      {error !== null && (
        <Notice kind="error">{t('The message is still there: {error}', { error: t(errorMessage(error)) })}</Notice>
      )}
    </Dialog>
  );
}
