import { Button } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import { resetPassword } from '#contract/auth/auth.ts';
import { memberPasswordMinLength, staffPasswordMinLength } from '#contract/constants.ts';
import { call } from '../../api/call.ts';
import { clearSession } from '../../api/session/stored-session.ts';
import { useCommand } from '../../api/use-command.ts';
import { useLinkToken } from '../../features/auth/sign-in/use-link-token.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { PasswordField } from '../../ui/form/PasswordField.tsx';
import { SubmitButton } from '../../ui/form/SubmitButton.tsx';
import { useText } from '../../ui/text/text.ts';
import { useFields } from '../../ui/form/use-fields.ts';
import { DoorCard, DoorFields } from './AuthCard.tsx';

function Done() {
  const t = useText();
  return (
    <DoorFields>
      <Notice kind="success">{t('Your password is changed, and all your devices are signed out.')}</Notice>
      <Button component={Link} to="/app/sign-in" size="md">
        {t('Sign in')}
      </Button>
    </DoorFields>
  );
}

function NoToken() {
  const t = useText();
  return (
    <DoorFields>
      <Notice kind="warning">{t('This page needs the link from our mail.')}</Notice>
      <Button component={Link} to="/app/forgot-password" size="md">
        {t('Ask for a new link')}
      </Button>
    </DoorFields>
  );
}

function NewPassword({ token, onDone }: { token: string; onDone: () => void }) {
  const t = useText();
  const change = useCommand();
  const fields = useFields({ password: '' }, change.reset);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const body = fields.check(resetPassword.body, { ...fields.values, token });
    if (!body) return;
    const isChanged = await change.run(
      () => call(resetPassword, { body }),
      (refusal) => fields.showErrors(refusal.errors),
    );
    if (!isChanged) return;
    clearSession('signedOut');
    onDone();
  }

  return (
    <form ref={fields.form} noValidate onSubmit={(event) => void submit(event)}>
      <DoorFields>
        {change.error !== null && (
          <Notice kind="error" action={<Link to="/app/forgot-password">{t('Ask for a new link')}</Link>}>
            {t(change.error)}
          </Notice>
        )}
        <PasswordField
          {...fields.bind('password')}
          required
          label={t('New password')}
          description={t('At least {members} characters, {staff} for staff. Commonly used passwords are refused.', {
            members: memberPasswordMinLength,
            staff: staffPasswordMinLength,
          })}
          autoComplete="new-password"
        />
        <SubmitButton text={t('Change password')} busyText={t('Changing...')} isBusy={change.isPending} />
      </DoorFields>
    </form>
  );
}

/** Sets a new password with the token of the mailed link. */
export function ResetPasswordPage() {
  const t = useText();
  const token = useLinkToken('token');
  const [isDone, setDone] = useState(false);
  return (
    <DoorCard title={t('Set a new password')}>
      {isDone ? <Done /> : token === null ? <NoToken /> : <NewPassword token={token} onDone={() => setDone(true)} />}
    </DoorCard>
  );
}
