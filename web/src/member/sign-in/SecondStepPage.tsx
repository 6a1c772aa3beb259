import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { confirmRemoval, stopRemoval } from '#contract/auth/factors.ts';
import { errorCode } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { useSession } from '../../features/auth/session/session.ts';
import { useLinkToken } from '../../features/auth/sign-in/use-link-token.ts';
import { ErrorNotice, Notice } from '../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../ui/form/BusyButton.tsx';
import { formatDate } from '../../ui/text/format.ts';
import { AuthPage, AuthFields } from './AuthPage.tsx';

function Remove({ token }: { token: string }) {
  const command = useMutation({
    mutationFn: async () => (await call(confirmRemoval, { body: { token } })).data.removalAt,
  });

  if (command.isSuccess) {
    return (
      <Notice kind="success">
        {t`Two-step verification will be turned off on ${{ date: formatDate(command.data) }}. From then on, your password alone is enough to sign in. We emailed you a link to stop this.`}
      </Notice>
    );
  }
  return (
    <>
      <p>
        {t`Three days from now, your password alone will be enough to sign in. Until then you can stop this, by email or on any signed-in device.`}
      </p>
      <ErrorNotice error={command.error} />
      {errorCode(command.error) === 'INVALID_CODE' ? (
        <Button component={Link} to="/app/sign-in" size="md">
          {t`Sign in`}
        </Button>
      ) : (
        <BusyButton size="md" isBusy={command.isPending} busyText={t`One moment...`} onClick={() => command.mutate()}>
          {t`Turn it off in three days`}
        </BusyButton>
      )}
    </>
  );
}

function Keep({ token }: { token: string }) {
  const command = useMutation({
    mutationFn: () => call(stopRemoval, { body: { token } }),
    onSuccess: () => useSession.setState({ secondFactorRemovalAt: null }),
  });

  if (command.isSuccess) {
    return (
      <>
        <Notice kind="success">{t`Two-step verification stays on.`}</Notice>
        <p>{t`If it wasn't you who asked, someone else knows your password. Choose a new one now.`}</p>
        <Button component={Link} to="/app/forgot-password" size="md" variant="default">
          {t`Choose a new password`}
        </Button>
      </>
    );
  }
  return (
    <>
      <p>{t`Someone who knows your password asked to turn off two-step verification.`}</p>
      <ErrorNotice error={command.error} />
      <BusyButton size="md" isBusy={command.isPending} busyText={t`Saving...`} onClick={() => command.mutate()}>
        {t`Keep two-step verification`}
      </BusyButton>
    </>
  );
}

/** The page that emails about lost two-step verification link to: to turn it off, or to keep it. */
export function SecondStepPage() {
  const remove = useLinkToken('remove');
  const keep = useLinkToken('keep');
  return (
    <AuthPage title={remove === null ? t`Two-step verification` : t`Turn off two-step verification?`}>
      <AuthFields>
        {remove !== null && <Remove token={remove} />}
        {keep !== null && <Keep token={keep} />}
        {remove === null && keep === null && (
          <>
            <Notice kind="warning">{t`Open this page with the link from our email.`}</Notice>
            <Button component={Link} to="/app/sign-in" size="md">
              {t`Sign in`}
            </Button>
          </>
        )}
      </AuthFields>
    </AuthPage>
  );
}
