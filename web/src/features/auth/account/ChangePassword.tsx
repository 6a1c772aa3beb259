import { type FormEvent, useState } from 'react';
import { changePassword } from '#contract/auth/auth.ts';
import { memberPasswordMinLength, staffPasswordMinLength } from '#contract/constants.ts';
import type { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { useCommand } from '../../../api/use-command.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { PasswordField } from '../../../ui/form/PasswordField.tsx';
import { useText } from '../../../ui/text/text.ts';
import { useFields } from '../../../ui/form/use-fields.ts';
import classes from '../account.module.css';

interface PasswordsProps {
  email: string;
  leastLength: number;
  isFirst: boolean;
  onEdit: () => void;
  onDone: () => void;
}

/** Which field a refusal belongs to. */
const refusedFields: Record<string, string> = { WRONG_PASSWORD: 'currentPassword', PASSWORD_REFUSED: 'password' };

function Passwords({ email, leastLength, isFirst, onEdit, onDone }: PasswordsProps) {
  const t = useText();
  const change = useCommand();
  const [isAtField, setAtField] = useState(false);
  const fields = useFields({ currentPassword: '', password: '' }, () => {
    change.reset();
    onEdit();
  });

  function showRefusal({ code, message, errors }: ApiError) {
    const field = refusedFields[code];
    setAtField(fields.showErrors(field === undefined ? errors : [{ field, msg: message }]));
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    const { password, currentPassword } = fields.values;
    const body = fields.check(changePassword.body, isFirst ? { password } : { password, currentPassword });
    if (!body) return;
    if ([...body.password].length < leastLength) {
      fields.showErrors([{ field: 'password', msg: t('Use at least {count} characters', { count: leastLength }) }]);
      return;
    }
    if (await change.run(() => call(changePassword, { body }), showRefusal)) onDone();
  }

  return (
    <form ref={fields.form} noValidate className={classes.emailForm} onSubmit={(event) => void submit(event)}>
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
        description={t('At least {count} characters. Commonly used passwords are refused.', { count: leastLength })}
        autoComplete="new-password"
      />
      {change.error !== null && !isAtField && <Notice kind="error">{t(change.error)}</Notice>}
      <div>
        <BusyButton type="submit" isBusy={change.isPending} busyText={isFirst ? t('Setting it...') : t('Changing...')}>
          {isFirst ? t('Set password') : t('Change password')}
        </BusyButton>
      </div>
    </form>
  );
}

interface ChangePasswordFormProps {
  /** The account's address, for password managers. */
  email: string;
  isStaff: boolean;
  /** There is none yet, and who they are is proven already. */
  isFirst?: boolean;
  onChanged: () => void;
}

/** Changes one's own password with the current one, or sets the first; every other device is signed out. */
export function ChangePasswordForm({ email, isStaff, isFirst = false, onChanged }: ChangePasswordFormProps) {
  const t = useText();
  const [changes, setChanges] = useState(0);
  const [isDone, setDone] = useState(false);

  function done() {
    setChanges(changes + 1);
    setDone(true);
    onChanged();
  }

  return (
    <div className={classes.emailForm}>
      {isDone && <Notice kind="success">{t('Your password is changed. Your other devices are signed out.')}</Notice>}
      <Passwords
        key={changes}
        email={email}
        isFirst={isFirst}
        leastLength={isStaff ? staffPasswordMinLength : memberPasswordMinLength}
        onEdit={() => setDone(false)}
        onDone={done}
      />
    </div>
  );
}
