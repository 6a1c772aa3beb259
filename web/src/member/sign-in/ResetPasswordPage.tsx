import { t } from '@lingui/core/macro';
import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { resetMethods as listResetMethods, resetPassword, type SignInMethod } from '#contract/auth/auth.ts';
import { memberPasswordMinLength, staffPasswordMinLength } from '#contract/constants.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import { useEndpoint } from '../../api/endpoint-query.ts';
import { ApiError, errorMessage } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { clearSession } from '../../api/session/stored-session.ts';
import { useLinkToken } from '../../features/auth/sign-in/use-link-token.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { CheckField } from '../../ui/form/Field.tsx';
import { PasswordForm } from '../../ui/form/PasswordForm.tsx';
import { useFields } from '../../ui/form/use-form.ts';
import { formatDate } from '../../ui/text/format.ts';
import { AuthPage, AuthFields } from './AuthPage.tsx';

const methodNames: Partial<Record<SignInMethod['kind'], string>> = { google: 'Google', facebook: 'Facebook' };

function NewPassword({ token, onDone }: { token: string; onDone: () => void }) {
  const change = useMutation({
    mutationFn: (body: BodyInput<typeof resetPassword>) => call(resetPassword, { body }),
    onSuccess: () => {
      clearSession('signedOut');
      onDone();
    },
    onError: (error) => {
      if (error instanceof ApiError) fields.showErrors(error.errors);
    },
  });
  const fields = useFields({ password: '' }, change.reset);

  /** The account's sign-in methods; the request changes nothing. If it fails, all methods are removed, which is the safe choice. */
  const { methods = [] } = useEndpoint(listResetMethods, { body: { token } }, { retry: false }).data ?? {};
  const [keep, setKeep] = useState<string[]>([]);

  function send() {
    const body = fields.check(resetPassword.body, { ...fields.values, token, keep });
    if (body && !change.isPending) change.mutate(body);
  }

  return (
    <PasswordForm
      fields={fields}
      isNew
      label={t`New password`}
      description={t`At least ${{ members: memberPasswordMinLength }} characters, ${{ staff: staffPasswordMinLength }} for staff. Common passwords are not accepted.`}
      problem={
        change.error && (
          <Notice kind="error" action={<Link to="/app/forgot-password">{t`Ask for a new link`}</Link>}>
            {errorMessage(change.error)}
          </Notice>
        )
      }
      sendText={t`Change password`}
      busyText={t`Changing...`}
      isBusy={change.isPending}
      onSend={send}
    >
      {methods.length > 0 && (
        <Stack component="fieldset" gap="0.5rem">
          <legend>{t`Other sign-in methods`}</legend>
          <p>{t`Tick the ones you added and still want. We remove the others, in case they are not yours.`}</p>
          {methods.map((method) => (
            <CheckField
              key={method._id}
              name={method._id}
              checked={keep.includes(method._id)}
              label={t`${{ method: methodNames[method.kind] ?? t`Passkey “${{ name: method.name ?? '' }}”` }}, added ${{ date: formatDate(method.addedAt) }}`}
              onChange={({ currentTarget }) =>
                setKeep(currentTarget.checked ? [...keep, method._id] : keep.filter((id) => id !== method._id))
              }
            />
          ))}
        </Stack>
      )}
    </PasswordForm>
  );
}

/** Sets a new password with the token of the emailed link. */
export function ResetPasswordPage() {
  const token = useLinkToken('token');
  const [isDone, setDone] = useState(false);
  return (
    <AuthPage title={t`Set a new password`}>
      {isDone ? (
        <AuthFields>
          <Notice kind="success">{t`Your password was changed, and all your devices were signed out.`}</Notice>
          <Button component={Link} to="/app/sign-in" size="md">
            {t`Sign in`}
          </Button>
        </AuthFields>
      ) : token === null ? (
        <AuthFields>
          <Notice kind="warning">{t`Open this page with the link from our email.`}</Notice>
          <Button component={Link} to="/app/forgot-password" size="md">
            {t`Ask for a new link`}
          </Button>
        </AuthFields>
      ) : (
        <NewPassword token={token} onDone={() => setDone(true)} />
      )}
    </AuthPage>
  );
}
