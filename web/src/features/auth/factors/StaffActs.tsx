import { t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { endUserSessions } from '#contract/auth/auth.ts';
import { resetFactors } from '#contract/auth/factors.ts';
import { refreshAfter } from '../../../api/endpoint-query.ts';
import { call } from '../../../api/call.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { ReasonButton } from '../../../ui/feedback/ReasonButton.tsx';
import { Buttons } from '../../../ui/layout/Rows.tsx';

export interface Act {
  /** The text of the button that opens the dialog. */
  button: string;
  title: string;
  text: string;
  confirm: string;
  busyText: string;
  done: string;
  send: (reason: string) => Promise<unknown>;
  /** Further inputs, and whether they are still empty. */
  fields?: ReactNode;
  isIncomplete?: boolean;
}

/** A button for an action on an account that requires a reason, with the result of the action. */
export function ActWithReason({ act, userId }: { act: Act; userId: string }) {
  const command = useMutation({
    mutationFn: act.send,
    onSuccess: () => void refreshAfter(resetFactors, { id: userId }),
  });
  return (
    <Stack maw="30rem">
      {command.isSuccess ? (
        <Notice kind="success">{act.done}</Notice>
      ) : (
        <Buttons>
          <ReasonButton
            text={act.button}
            title={act.title}
            description={t`Saved in the audit trail.`}
            confirm={act.confirm}
            busyText={act.busyText}
            command={command}
            isDisabled={act.isIncomplete === true}
          >
            <p>{act.text}</p>
            {act.fields}
          </ReasonButton>
        </Buttons>
      )}
    </Stack>
  );
}

/** For administrators: removes two-step verification and passkeys of a colleague who has lost them. */
export function ResetFactors({ userId, name }: { userId: string; name: string }) {
  const act: Act = {
    button: t`Reset two-step verification...`,
    title: t`Reset two-step verification for ${name}?`,
    text: t`First make sure the request really comes from them, by phone or in person. This removes their two-step verification and passkeys and signs them out everywhere. They then sign in with their password and set it up again.`,
    confirm: t`Reset`,
    busyText: t`Resetting...`,
    done: t`Two-step verification was reset, and all their devices were signed out.`,
    send: (reason) => call(resetFactors, { params: { id: userId }, body: { reason } }),
  };
  return <ActWithReason act={act} userId={userId} />;
}

/** For administrators: signs a user out on all devices, for example when a device was stolen. */
export function EndSessions({ userId, name }: { userId: string; name: string }) {
  const act: Act = {
    button: t`Sign out everywhere...`,
    title: t`Sign ${name} out everywhere?`,
    text: t`All their devices will be signed out, and a requested change of their email address will be canceled.`,
    confirm: t`Sign out everywhere`,
    busyText: t`Signing out...`,
    done: t`All their devices were signed out.`,
    send: (reason) => call(endUserSessions, { params: { id: userId }, body: { reason } }),
  };
  return <ActWithReason act={act} userId={userId} />;
}
