import { Button } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { memberPasswordMinLength } from '#contract/constants.ts';
import { resetStatus, useSession } from '../../features/auth/session/session.ts';
import { type LinkProof, verify } from '../../features/auth/session/session-commands.ts';
import { SubmitButton } from '../../ui/form/BusyButton.tsx';
import { PasswordField } from '../../ui/form/PasswordField.tsx';
import { t } from '../../ui/text/text.ts';
import { AuthFields } from './AuthCard.tsx';

interface OwnerProofFormProps {
  /** What the email contained. */
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
  const [password, setPassword] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const isNew = choosesNew || (needed.purpose === 'join' && !needed.hasPassword);

  useEffect(() => field.current?.focus(), [isNew]);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (status === 'loading' || password === '') return;
    const given = isNew ? { newPassword: password } : { password };
    if ((await verify({ ...shown, ...given })) === true) onVerified();
  }

  function switchTo(isChoosing: boolean) {
    setChoosesNew(isChoosing);
    setPassword('');
    resetStatus();
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <AuthFields>
        <PasswordField
          key={String(isNew)}
          name="password"
          required
          ref={field}
          label={isNew ? t('New password') : t('Password')}
          description={
            isNew
              ? t(
                  'At least {count} characters. Every other way into this account is removed, in case someone else signed up with your address.',
                  { count: memberPasswordMinLength },
                )
              : t('The password of the account this email is about.')
          }
          autoComplete={isNew ? 'new-password' : 'current-password'}
          value={password}
          onChange={(event) => {
            setPassword(event.currentTarget.value);
            resetStatus();
          }}
        />
        <SubmitButton
          text={isNew ? t('Set password and confirm') : t('Confirm my email address')}
          busyText={t('Confirming...')}
          isBusy={status === 'loading'}
        />
        {needed.purpose === 'join' && needed.hasPassword && (
          <Button variant="subtle" onClick={() => switchTo(!choosesNew)}>
            {choosesNew ? t('I know the password') : t("I don't know the password")}
          </Button>
        )}
      </AuthFields>
    </form>
  );
}
