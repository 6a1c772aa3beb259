import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { BusyButton } from './BusyButton.tsx';
import { Notice } from '../feedback/Notice.tsx';
import classes from './PasswordForm.module.css';
import { PasswordField } from './PasswordField.tsx';
import { useText } from '../text/text.ts';

interface PasswordFormProps {
  /** The account's address, for password managers. */
  email: string;
  text: string;
  busyText: string;
  color?: string;
  isBusy: boolean;
  /** What is wrong; with `isWrongPassword` it belongs to the field. */
  error: string | null;
  isWrongPassword: boolean;
  /** Nothing is asked for: there is no password, and who they are is proven already. */
  isProven?: boolean;
  /** Buttons before the one that sends. */
  children?: ReactNode;
  onEdit: () => void;
  /** Answers whether it worked: then the field is empty again. Without a password where none is asked for. */
  onSubmit: (password?: string) => Promise<boolean>;
}

/** Asks for the current password before something that matters. */
export function PasswordForm(props: PasswordFormProps) {
  const { email, text, busyText, color, isBusy, error, isWrongPassword, isProven, children, onEdit, onSubmit } = props;
  const t = useText();
  const field = useRef<HTMLInputElement>(null);
  const [password, setPassword] = useState('');
  const [isMissing, setMissing] = useState(false);
  const fieldError = isMissing ? t('This is required') : isWrongPassword && error !== null ? t(error) : null;

  useEffect(() => {
    if (isWrongPassword) field.current?.focus();
  }, [isWrongPassword]);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    if (isProven) {
      await onSubmit();
      return;
    }
    setMissing(password === '');
    if (password === '') field.current?.focus();
    else if (await onSubmit(password)) setPassword('');
  }

  return (
    <form noValidate className={classes.form} onSubmit={(event) => void submit(event)}>
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
              onEdit();
            }}
          />
        </>
      )}
      {error !== null && !isWrongPassword && <Notice kind="error">{t(error)}</Notice>}
      <div>
        {children}
        <BusyButton type="submit" isBusy={isBusy} busyText={busyText} {...(color ? { color } : {})}>
          {text}
        </BusyButton>
      </div>
    </form>
  );
}
