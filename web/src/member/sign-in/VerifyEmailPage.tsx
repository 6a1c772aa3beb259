import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { ResendCode } from '../../features/auth/sign-in/ResendCode.tsx';
import { verify } from '../../features/auth/session/session-commands.ts';
import { resetStatus, useSession } from '../../features/auth/session/session.ts';
import { useCurrentUser } from '../../features/auth/session/current-user.ts';
import { useLinkToken } from '../../features/auth/sign-in/use-link-token.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { LoadingState } from '../../ui/feedback/PageStates.tsx';
import { SubmitButton } from '../../ui/form/SubmitButton.tsx';
import { useText } from '../../ui/text/text.ts';
import { DoorCard, DoorFields } from './AuthCard.tsx';

const codeLength = 6;

type Step = 'link' | 'code' | 'done';

function CodeForm({ onVerified }: { onVerified: () => void }) {
  const t = useText();
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
      <DoorFields>
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
      </DoorFields>
    </form>
  );
}

/** Where it goes on: a member's profile, as long as something is missing there. */
function Done() {
  const t = useText();
  useCurrentUser();
  const isSignedIn = useSession((session) => session.token !== null);
  const isIncomplete = useSession((session) => session.requiresProfileCompletion);
  const next = isIncomplete ? '/app/welcome' : '/home';
  return (
    <DoorCard title={t('Confirm your address')}>
      <DoorFields>
        <Notice kind="success">{t('Thank you, your e-mail address is confirmed.')}</Notice>
        <Button component={Link} to={isSignedIn ? next : '/app/sign-in'} size="md">
          {isSignedIn ? t('Continue') : t('Sign in')}
        </Button>
      </DoorFields>
    </DoorCard>
  );
}

/** Proves the e-mail address: by the mailed link, or by the code of the same mail. */
export function VerifyEmailPage() {
  const t = useText();
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
      <DoorCard title={t('Confirm your address')}>
        <LoadingState text={t('Confirming your address...')} />
      </DoorCard>
    );
  }
  if (step === 'done') return <Done />;
  return (
    <DoorCard
      title={t('Confirm your address')}
      lead={
        email !== undefined
          ? t('We have sent a mail with a code and a link to {email}.', { email })
          : canUseCode
            ? t('Enter the code from our mail.')
            : t('Open the link from our mail in this browser, or have a new code sent to you.')
      }
    >
      <DoorFields>
        {error !== null && <Notice kind="error">{t(error)}</Notice>}
        {canUseCode && <CodeForm onVerified={() => setStep('done')} />}
        <ResendCode />
      </DoorFields>
    </DoorCard>
  );
}
