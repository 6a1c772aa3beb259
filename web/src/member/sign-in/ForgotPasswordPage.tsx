import { TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { Link } from 'react-router';
import { forgotPassword } from '#contract/auth/auth.ts';
import { resetTokenTtlMinutes } from '#contract/constants.ts';
import { call } from '../../api/call.ts';
import { useCommand } from '../../api/use-command.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { SubmitButton } from '../../ui/form/SubmitButton.tsx';
import { useText } from '../../ui/text/text.ts';
import { useFields } from '../../ui/form/use-fields.ts';
import { DoorCard, DoorFields } from './AuthCard.tsx';

/** Asks for a link to set a new password. The page never tells whether the address is known. */
export function ForgotPasswordPage() {
  const t = useText();
  const request = useCommand();
  const fields = useFields({ email: '' }, request.reset);

  function submit(event: FormEvent) {
    event.preventDefault();
    const body = fields.check(forgotPassword.body, fields.values, ['email']);
    if (body) void request.run(() => call(forgotPassword, { body }));
  }

  return (
    <DoorCard
      title={t('Forgot your password?')}
      lead={t('Tell us your address and we mail you a link to set a new one.')}
      foot={
        <p>
          <Link to="/app/sign-in">{t('Back to sign in')}</Link>
        </p>
      }
    >
      <form ref={fields.form} noValidate onSubmit={submit}>
        <DoorFields>
          {request.error !== null && <Notice kind="error">{t(request.error)}</Notice>}
          {request.isDone && (
            <Notice kind="success">
              {t(
                'If this address belongs to an account, a mail is on its way. Its link works once, for {minutes} minutes.',
                {
                  minutes: resetTokenTtlMinutes,
                },
              )}
            </Notice>
          )}
          <TextInput
            {...fields.bind('email')}
            type="email"
            size="md"
            required
            label={t('Email')}
            autoComplete="username"
          />
          <SubmitButton text={t('Send the link')} busyText={t('Sending...')} isBusy={request.isPending} />
        </DoorFields>
      </form>
    </DoorCard>
  );
}
