import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useCurrentUser } from '../../features/auth/session/current-user.ts';
import { verify } from '../../features/auth/session/session-commands.ts';
import { resetStatus, useSession } from '../../features/auth/session/session.ts';
import { ResendCode } from '../../features/auth/sign-in/ResendCode.tsx';
import { useLinkToken } from '../../features/auth/sign-in/use-link-token.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { LoadingState } from '../../ui/feedback/PageStates.tsx';
import { SubmitButton } from '../../ui/form/SubmitButton.tsx';
import { t } from '../../ui/text/text.ts';
import { AuthCard, AuthFields } from './AuthCard.tsx';

const codeLength = 6;

type Step = 'link' | 'code' | 'done';

function CodeForm({ onVerified }: { onVerified: () => void }) {
  const [code, setCode] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const status = useSession((session) => session.status);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (code === '' || status === 'loading') return;
    if (await verify({ code })) onVerified();
    else field.current?.focus();
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <AuthFields>
        <TextInput
          ref={field}
          name="code"
          size="md"
          required
          label={t('Six-digit code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="[0-9]{6}"
          value={code}
          onChange={(event) => {
            setCode(event.currentTarget.value.replace(/\D/g, '').slice(0, codeLength));
            resetStatus();
          }}
        />
        <SubmitButton text={t('Confirm')} busyText={t('Confirming...')} isBusy={status === 'loading'} />
      </AuthFields>
    </form>
  );
}

/** What comes next: the profile, as long as something is missing there. */
function Done() {
  useCurrentUser();
  const isSignedIn = useSession((session) => session.token !== null);
  const isIncomplete = useSession((session) => session.requiresProfileCompletion);
  const next = isIncomplete ? '/app/welcome' : '/home';
  return (
    <AuthCard title={t('Confirm your email address')}>
      <AuthFields>
        <Notice kind="success">{t('Thanks, your email address is confirmed.')}</Notice>
        <Button component={Link} to={isSignedIn ? next : '/app/sign-in'} size="md">
          {isSignedIn ? t('Continue') : t('Sign in')}
        </Button>
      </AuthFields>
    </AuthCard>
  );
}

/** Confirms the email address by the link or the code of the same email. */
export function VerifyEmailPage() {
  const token = useLinkToken('token');
  const error = useSession((session) => session.error);
  const canUseCode = useSession((session) => session.token !== null || session.verificationToken !== null);
  const email = useSession((session) => session.user?.email);
  const [step, setStep] = useState<Step>(token === null ? 'code' : 'link');
  const tried = useRef<string | null>(null);

  useEffect(() => {
    if (token === null || tried.current === token) return;
    tried.current = token;
    void verify({ token }).then((isVerified) => setStep(isVerified ? 'done' : 'code'));
  }, [token]);

  if (step === 'link') {
    return (
      <AuthCard title={t('Confirm your email address')}>
        <LoadingState text={t('Confirming your email address...')} />
      </AuthCard>
    );
  }
  if (step === 'done') return <Done />;
  return (
    <AuthCard
      title={t('Confirm your email address')}
      lead={
        email !== undefined
          ? t('We sent an email with a code and a link to {email}.', { email })
          : canUseCode
            ? t('Enter the code from our email.')
            : t('Open the link from our email in this browser, or ask for a new code.')
      }
    >
      <AuthFields>
        {error !== null && <Notice kind="error">{t(error)}</Notice>}
        {canUseCode && <CodeForm onVerified={() => setStep('done')} />}
        <ResendCode />
      </AuthFields>
    </AuthCard>
  );
}
