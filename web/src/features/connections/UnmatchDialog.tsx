import { t } from '@lingui/core/macro';
import type { Person } from '#contract/profiles/user.ts';
import { ConfirmDialog } from '../../ui/feedback/FormDialog.tsx';
import { memberName } from '../../ui/text/person.ts';
import { useUnmatch } from './queries.ts';

interface UnmatchDialogProps {
  matchId: string;
  user: Person;
  onEnded: () => void;
  onClose: () => void;
}

/** Ends a match after a confirmation. */
export function UnmatchDialog({ matchId, user, onEnded, onClose }: UnmatchDialogProps) {
  const unmatch = useUnmatch();
  const name = memberName(user);
  return (
    <ConfirmDialog
      title={t`Unmatch ${name}?`}
      cancelText={t`Keep the match`}
      confirmText={t`Unmatch`}
      busyText={t`Ending...`}
      command={unmatch}
      errorText={(error) => t`You are still a match: ${error}`}
      onConfirm={() => unmatch.mutate(matchId, { onSuccess: onEnded })}
      onClose={onClose}
    >
      {t`You won't see each other again. ${name} isn't notified.`}
    </ConfirmDialog>
  );
}
