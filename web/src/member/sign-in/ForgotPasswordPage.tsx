import { t } from '@lingui/core/macro';
import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { Link } from 'react-router';
import { forgotPassword } from '#contract/auth/auth.ts';
import { resetTokenTtlMinutes } from '#contract/constants.ts';
import { call } from '../../api/call.ts';
import { ErrorNotice, Notice } from '../../ui/feedback/Notice.tsx';
import { SubmitButton } from '../../ui/form/BusyButton.tsx';
import { useFields } from '../../ui/form/use-form.ts';
import { AuthPage, AuthFields } from './AuthPage.tsx';

/** Requests a link to set a new password. The page never reveals whether an address is known. */
export function ForgotPasswordPage() {
  const request = useMutation({ mutationFn: (email: string) => call(forgotPassword, { body: { email } }) });
  const fields = useFields({ email: '' }, request.reset);

  function submit(event: FormEvent) {
    event.preventDefault();
    const body = fields.check(forgotPassword.body, fields.values, ['email']);
    if (body && !request.isPending) request.mutate(body.email);
  }

  return (
    <AuthPage
      title={t`Forgot your password?`}
      lead={t`Enter your email address and we'll send you a link to set a new one.`}
      foot={
        <p>
          <Link to="/app/sign-in">{t`Back to sign in`}</Link>
        </p>
      }
    >
      <form ref={fields.form} noValidate onSubmit={submit}>
        <AuthFields>
          <ErrorNotice error={request.error} />
          {request.isSuccess && (
            <Notice kind="success">
              {t`If this address belongs to an account, we have sent an email. Its link works once, for ${{ minutes: resetTokenTtlMinutes }} minutes.`}
            </Notice>
          )}
          <TextInput
            {...fields.bind('email')}
            type="email"
            size="md"
            required
            label={t`Email`}
            autoComplete="username"
          />
          <SubmitButton text={t`Send the link`} busyText={t`Sending...`} isBusy={request.isPending} />
        </AuthFields>
      </form>
    </AuthPage>
  );
}
