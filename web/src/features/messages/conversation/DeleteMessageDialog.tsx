import { Button } from '@mantine/core';
import { deleteMessage, type MessageView } from '#contract/messages.ts';
import { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { tellOwn } from '../../../api/realtime/realtime.ts';
import { useCommand } from '../../../api/use-command.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { useText } from '../../../ui/text/text.ts';

interface DeleteMessageDialogProps {
  matchId: string;
  message: MessageView;
  onClose: () => void;
}

/** Asks once more: a message that is deleted is gone for both. */
export function DeleteMessageDialog({ matchId, message, onClose }: DeleteMessageDialogProps) {
  const t = useText();
  const command = useCommand();

  async function remove() {
    const isDone = await command.run(async () => {
      try {
        const { data } = await call(deleteMessage, { params: { id: matchId, seq: `${message.seq}` } });
        tellOwn({ kind: 'message', matchId, message: data.message });
      } catch (error) {
        // It was deleted on another device.
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      }
    });
    if (isDone) onClose();
  }

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
          <BusyButton isBusy={command.isPending} busyText={t('Deleting...')} onClick={() => void remove()}>
            {t('Delete')}
          </BusyButton>
        </>
      }
    >
      <p>{t('It is deleted for both of you. That there was a message can still be seen.')}</p>
      {command.error !== null && (
        <Notice kind="error">{t('The message is still there: {error}', { error: t(command.error) })}</Notice>
      )}
    </Dialog>
  );
}
