import type { UseMutationResult } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { errorCode, errorMessage } from '../../../api/api-error.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { PasswordField } from '../../../ui/form/PasswordField.tsx';
import { useText } from '../../../ui/text/text.ts';
import classes from '../account.module.css';

interface PasswordFormProps {
  /** The account's address, for password managers. */
  email: string;
  text: string;
  busyText: string;
  /** No password is asked for: there is none, and the person has just confirmed their identity. */
  isProven: boolean;
  /** What is done with the password; without one where none is asked for. */
  command: UseMutationResult<unknown, Error, string | undefined>;
}

/** Asks for the current password before something that matters. The field is empty again once it worked. */
export function PasswordForm({ email, text, busyText, isProven, command }: PasswordFormProps) {
  const t = useText();
  const field = useRef<HTMLInputElement>(null);
  const [password, setPassword] = useState('');
  const [isMissing, setMissing] = useState(false);
  const error = errorMessage(command.error);
  const isWrongPassword = errorCode(command.error) === 'WRONG_PASSWORD';
  const fieldError = isMissing ? t('This is required') : isWrongPassword && error !== null ? t(error) : null;

  useEffect(() => {
    if (isWrongPassword) field.current?.focus();
  }, [isWrongPassword]);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (command.isPending) return;
    const isBlank = !isProven && password === '';
    setMissing(isBlank);
    if (isBlank) field.current?.focus();
    else command.mutate(isProven ? undefined : password, { onSuccess: () => setPassword('') });
  }

  return (
    <form noValidate className={classes.narrowForm} onSubmit={submit}>
      {!isProven && (
        <>
          <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
          <PasswordField
            ref={field}
            name="password"
            required
            label={t('Current password')}
            autoComplete="current-password"
            value={password}
            error={fieldError}
            onChange={(event) => {
              setPassword(event.currentTarget.value);
              setMissing(false);
              command.reset();
            }}
          />
        </>
      )}
      {error !== null && !isWrongPassword && <Notice kind="error">{t(error)}</Notice>}
      <div>
        <BusyButton type="submit" isBusy={command.isPending} busyText={busyText}>
          {text}
        </BusyButton>
      </div>
    </form>
  );
}
