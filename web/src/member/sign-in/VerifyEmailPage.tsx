import { t } from '@lingui/core/macro';
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { readableAddress } from '#contract/text.ts';
import { memberHome } from '../../features/auth/session/guards.tsx';
import { resetStatus, signOut, useCurrentUser, useSession } from '../../features/auth/session/session.ts';
import { type LinkProof, verify } from '../../features/auth/session/session-commands.ts';
import { ResendCode } from '../../features/auth/sign-in/ResendCode.tsx';
import { useLinkToken } from '../../features/auth/sign-in/use-link-token.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { SubmitButton } from '../../ui/form/BusyButton.tsx';
import { digitsOf } from '../../ui/form/form-values.ts';
import { useSelfSubmit } from '../../ui/form/CodeField.tsx';
import { AuthCard, AuthFields } from './AuthCard.tsx';
import { OwnerProofForm } from './OwnerProofForm.tsx';

const codeLength = 6;

interface CodeFormProps {
  onVerified: () => void;
  onNeeded: (asked: { code: string; needed: LinkProof }) => void;
}

function CodeForm({ onVerified, onNeeded }: CodeFormProps) {
  const [code, setCode] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const status = useSession((session) => session.status);
  useSelfSubmit(field, code);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (code === '' || status === 'loading') return;
    const outcome = await verify({ code });
    if (outcome === true) onVerified();
    else if (outcome === false) field.current?.focus();
    else onNeeded({ code, needed: outcome });
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <AuthFields>
        <TextInput
          ref={field}
          name="code"
          size="md"
          required
          label={t`Six-digit code`}
          description={t`It is checked right away. No email? Check your spam folder, and that the address is right.`}
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="[0-9]{6}"
          value={code}
          onChange={(event) => {
            setCode(digitsOf(event.currentTarget.value).slice(0, codeLength));
            resetStatus();
          }}
        />
        <SubmitButton text={t`Confirm`} busyText={t`Confirming...`} isBusy={status === 'loading'} />
      </AuthFields>
    </form>
  );
}

interface LinkFormProps {
  token: string;
  onVerified: () => void;
}

/** Confirms by the emailed link. Nothing happens before the press, because mail scanners open links too. */
function LinkForm({ token, onVerified }: LinkFormProps) {
  const status = useSession((session) => session.status);
  const [needed, setNeeded] = useState<LinkProof | null>(null);
  if (needed !== null) return <OwnerProofForm shown={{ token }} needed={needed} onVerified={onVerified} />;

  async function confirm() {
    if (status === 'loading') return;
    const outcome = await verify({ token });
    if (outcome === true) onVerified();
    else if (outcome !== false) setNeeded(outcome);
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void confirm();
      }}
    >
      <AuthFields>
        <SubmitButton text={t`Confirm my email address`} busyText={t`Confirming...`} isBusy={status === 'loading'} />
      </AuthFields>
    </form>
  );
}

/** The next step: the profile, if something is missing there. */
function Done() {
  useCurrentUser();
  const isSignedIn = useSession((session) => session.token !== null);
  const isIncomplete = useSession((session) => session.requiresProfileCompletion);
  const next = isIncomplete ? '/app/welcome' : memberHome;
  return (
    <AuthCard title={t`Email address confirmed`}>
      <AuthFields>
        <Notice kind="success">{t`Thanks, your email address is confirmed.`}</Notice>
        <Button component={Link} to={isSignedIn ? next : '/app/sign-in'} size="md">
          {isSignedIn ? t`Continue` : t`Sign in`}
        </Button>
      </AuthFields>
    </AuthCard>
  );
}

/** The link for people who mistyped their address. An account without a confirmed address is deleted automatically. */
function WrongAddress() {
  const navigate = useNavigate();

  function startOver() {
    signOut();
    void navigate('/app/join', { replace: true });
  }

  return (
    <Button variant="subtle" onClick={startOver}>
      {t`Wrong address? Join again`}
    </Button>
  );
}

/** Confirms the email address by the link or the code of the same email. */
export function VerifyEmailPage() {
  const token = useLinkToken('token');
  const error = useSession((session) => session.error);
  const canUseCode = useSession((session) => session.token !== null || session.verificationToken !== null);
  const email = useSession((session) => session.user?.email);
  const isUnconfirmed = useSession((session) => session.token !== null && session.requiresVerification);
  const [isDone, setDone] = useState(false);
  const [asked, setAsked] = useState<{ code: string; needed: LinkProof } | null>(null);

  function enterAnother() {
    setAsked(null);
    resetStatus();
  }

  if (isDone) return <Done />;
  if (token !== null) {
    return (
      <AuthCard title={t`Confirm your email address`} lead={t`One more step, and your address is confirmed.`}>
        <AuthFields>
          {error !== null && <Notice kind="error">{error}</Notice>}
          <LinkForm token={token} onVerified={() => setDone(true)} />
          {error !== null && <ResendCode />}
        </AuthFields>
      </AuthCard>
    );
  }
  return (
    <AuthCard
      title={t`Confirm your email address`}
      lead={
        email !== undefined
          ? t`We sent an email with a code and a link to ${{ email: readableAddress(email) }}.`
          : asked !== null
            ? t`The code is right. One more step, and your address is confirmed.`
            : canUseCode
              ? t`Enter the code from our email.`
              : t`Open the link from our email in this browser, or ask for a new code.`
      }
    >
      <AuthFields>
        {error !== null && <Notice kind="error">{error}</Notice>}
        {asked !== null ? (
          <>
            <OwnerProofForm shown={{ code: asked.code }} needed={asked.needed} onVerified={() => setDone(true)} />
            <Button variant="subtle" onClick={enterAnother}>
              {t`Use another code`}
            </Button>
          </>
        ) : (
          <>
            {canUseCode && <CodeForm onVerified={() => setDone(true)} onNeeded={setAsked} />}
            <ResendCode />
          </>
        )}
        {isUnconfirmed && <WrongAddress />}
      </AuthFields>
    </AuthCard>
  );
}
