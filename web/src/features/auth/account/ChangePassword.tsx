import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { changePassword } from '#contract/auth/auth.ts';
import { memberPasswordMinLength, staffPasswordMinLength } from '#contract/constants.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import { ApiError, errorMessage } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { PasswordField } from '../../../ui/form/PasswordField.tsx';
import { useFields } from '../../../ui/form/use-fields.ts';
import { useText } from '../../../ui/text/text.ts';
import classes from '../account.module.css';
import { accountChanged } from '../queries.ts';

interface ChangePasswordProps {
  /** The account's address, for password managers. */
  email: string;
  isStaff: boolean;
  /** There is no password yet, and the person has just confirmed their identity. */
  isFirst?: boolean;
}

/** The field that a refusal belongs to, by its code. */
const refusedFields: Record<string, string> = { WRONG_PASSWORD: 'currentPassword', PASSWORD_REFUSED: 'password' };

/** Changes the password, or sets the first one. Every other device is signed out. */
export function ChangePassword({ email, isStaff, isFirst = false }: ChangePasswordProps) {
  const t = useText();
  const minLength = isStaff ? staffPasswordMinLength : memberPasswordMinLength;
  const [isAtField, setAtField] = useState(false);
  const change = useMutation({
    mutationFn: (body: BodyInput<typeof changePassword>) => call(changePassword, { body }),
    onSuccess: () => {
      fields.reset();
      accountChanged();
    },
    onError: (error) => {
      if (!(error instanceof ApiError)) return;
      const field = refusedFields[error.code];
      setAtField(fields.showErrors(field === undefined ? error.errors : [{ field, msg: error.message }]));
    },
  });
  const fields = useFields({ currentPassword: '', password: '' }, change.reset);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (change.isPending) return;
    const { password, currentPassword } = fields.values;
    const body = fields.check(changePassword.body, isFirst ? { password } : { password, currentPassword });
    if (!body) return;
    if ([...body.password].length >= minLength) change.mutate(body);
    else fields.showErrors([{ field: 'password', msg: t('Use at least {count} characters', { count: minLength }) }]);
  }

  return (
    <form ref={fields.form} noValidate className={classes.narrowForm} onSubmit={submit}>
      {change.isSuccess && <Notice kind="success">{t('Password changed. Your other devices were signed out.')}</Notice>}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      {!isFirst && (
        <PasswordField
          {...fields.bind('currentPassword')}
          required
          label={t('Current password')}
          autoComplete="current-password"
        />
      )}
      <PasswordField
        {...fields.bind('password')}
        required
        label={t('New password')}
        description={t('At least {count} characters. Common passwords are not accepted.', { count: minLength })}
        autoComplete="new-password"
      />
      {change.error && !isAtField && <Notice kind="error">{t(errorMessage(change.error))}</Notice>}
      <div>
        <BusyButton type="submit" isBusy={change.isPending} busyText={isFirst ? t('Setting...') : t('Changing...')}>
          {isFirst ? t('Set password') : t('Change password')}
        </BusyButton>
      </div>
    </form>
  );
}
