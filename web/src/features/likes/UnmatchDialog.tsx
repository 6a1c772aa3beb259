import { Button } from '@mantine/core';
import type { MatchView } from '#contract/connections/likes.ts';
import { useCommand } from '../../api/use-command.ts';
import { BusyButton } from '../../ui/form/BusyButton.tsx';
import { Dialog } from '../../ui/feedback/Dialog.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { memberName } from '../../ui/text/person.ts';
import { useText } from '../../ui/text/text.ts';

interface UnmatchDialogProps {
  match: MatchView;
  /** Ends it; rejects where that did not work. */
  onUnmatch: () => Promise<void>;
  onClose: () => void;
}

/** Asks once more: a match that is ended does not come back. */
export function UnmatchDialog({ match, onUnmatch, onClose }: UnmatchDialogProps) {
  const t = useText();
  const command = useCommand();
  const name = memberName(match.user, t);
  return (
    <Dialog
      title={t('Unmatch {name}?', { name })}
      size="narrow"
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('Keep the match')}
          </Button>
          <BusyButton isBusy={command.isPending} busyText={t('Ending...')} onClick={() => void command.run(onUnmatch)}>
            {t('Unmatch')}
          </BusyButton>
        </>
      }
    >
      <p>{t('The two of you will not see each other again. {name} is not told.', { name })}</p>
      {command.error !== null && (
        <Notice kind="error">{t('You are still a match: {error}', { error: t(command.error) })}</Notice>
      )}
    </Dialog>
  );
}
