import { t } from '@lingui/core/macro';
import { Box } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { stopRestore } from '#contract/auth/auth.ts';
import { stopRemoval } from '#contract/auth/factors.ts';
import { errorMessage } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { locale } from '../../../ui/text/text.ts';
import { accountChanged } from '../queries.ts';
import { useSession, type SessionState } from '../session/session.ts';

interface StoppableNoticeProps {
  text: string;
  button: string;
  stop: () => Promise<unknown>;
  /** The part of the session to clear afterwards. */
  stopped: Partial<SessionState>;
}

/** Announces a pending change to the account, with a button that stops it. */
function StoppableNotice({ text, button, stop, stopped }: StoppableNoticeProps) {
  const command = useMutation({
    mutationFn: stop,
    onSuccess: () => {
      useSession.setState(stopped);
      accountChanged();
    },
  });
  return (
    <Notice
      kind="warning"
      action={
        <BusyButton size="sm" isBusy={command.isPending} busyText={t`Saving...`} onClick={() => command.mutate()}>
          {button}
        </BusyButton>
      }
    >
      {text} {command.error && errorMessage(command.error)}
    </Notice>
  );
}

/** Warns that two-step verification is about to be turned off, with a button to stop that. */
export function RemovalNotice({ at }: { at: string }) {
  return (
    <StoppableNotice
      text={t`Someone who knows your password asked to turn off two-step verification. It will be turned off on ${{ date: formatDate(at, locale) }}. If that wasn't you, keep it and change your password.`}
      button={t`Keep two-step verification`}
      stop={() => call(stopRemoval, { body: {} })}
      stopped={{ secondFactorRemovalAt: null }}
    />
  );
}

/** Warns that the account is about to go back to its previous email address, with a button to stop that. */
export function RestoreNotice({ at }: { at: string }) {
  return (
    <StoppableNotice
      text={t`Someone with access to your previous email address and your password asked to undo the change of address. On ${{ date: formatDate(at, locale) }} your account will go back to the previous address, with a new password. If that wasn't you, stop this and change your password.`}
      button={t`Stop this`}
      stop={() => call(stopRestore, { body: {} })}
      stopped={{ addressRestoreAt: null }}
    />
  );
}

/** Both notices, shown above every page. */
export function AccountBanners() {
  const removalAt = useSession((session) => session.secondFactorRemovalAt ?? null);
  const restoreAt = useSession((session) => session.addressRestoreAt ?? null);
  if (removalAt === null && restoreAt === null) return null;
  return (
    <Box maw="60rem" mt="1rem" mx="auto" px="1rem">
      {removalAt !== null && <RemovalNotice at={removalAt} />}
      {restoreAt !== null && <RestoreNotice at={restoreAt} />}
    </Box>
  );
}
