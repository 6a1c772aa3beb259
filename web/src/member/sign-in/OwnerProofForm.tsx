import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { memberPasswordMinLength } from '#contract/constants.ts';
import { resetStatus, useSession } from '../../features/auth/session/session.ts';
import { type LinkProof, verify } from '../../features/auth/session/session-commands.ts';
import { PasswordForm } from '../../ui/form/PasswordForm.tsx';
import { useFields } from '../../ui/form/use-form.ts';

interface OwnerProofFormProps {
  /** The contents of the email. */
  shown: { token: string } | { code: string };
  needed: LinkProof;
  onVerified: () => void;
}

/**
 * Asks people who are not signed in for the password of the account, or for a new one: someone else may have signed up with this
 * address.
 */
export function OwnerProofForm({ shown, needed, onVerified }: OwnerProofFormProps) {
  const status = useSession((session) => session.status);
  const [choosesNew, setChoosesNew] = useState(false);
  const fields = useFields({ password: '' }, resetStatus);
  const field = useRef<HTMLInputElement>(null);
  const isNew = choosesNew || (needed.purpose === 'join' && !needed.hasPassword);

  useEffect(() => field.current?.focus(), [isNew]);

  async function send() {
    if (status === 'loading' || fields.hasBlank(['password'])) return;
    const { password } = fields.values;
    const given = isNew ? { newPassword: password } : { password };
    if ((await verify({ ...shown, ...given })) === true) onVerified();
  }

  function switchTo(isChoosing: boolean) {
    setChoosesNew(isChoosing);
    fields.reset();
    resetStatus();
  }

  return (
    <PasswordForm
      fields={fields}
      field={field}
      isNew={isNew}
      label={isNew ? t`New password` : t`Password`}
      description={
        isNew
          ? t`At least ${{ count: memberPasswordMinLength }} characters. All other sign-in methods will be removed, in case someone else signed up with your address.`
          : t`The password of the account this email is about.`
      }
      sendText={isNew ? t`Set password and confirm` : t`Confirm my email address`}
      busyText={t`Confirming...`}
      isBusy={status === 'loading'}
      onSend={() => void send()}
      foot={
        needed.purpose === 'join' &&
        needed.hasPassword && (
          <Button variant="subtle" onClick={() => switchTo(!choosesNew)}>
            {choosesNew ? t`I know the password` : t`I don't know the password`}
          </Button>
        )
      }
    />
  );
}
