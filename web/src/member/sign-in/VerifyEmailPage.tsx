import { t } from '@lingui/core/macro';
import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { readableAddress } from '#contract/text.ts';
import { memberHome } from '../../features/auth/session/guards.tsx';
import { resetStatus, useCurrentUser, useSession } from '../../features/auth/session/session.ts';
import { type LinkProof, undoJoining, verify } from '../../features/auth/session/session-commands.ts';
import { ResendCode } from '../../features/auth/sign-in/ResendCode.tsx';
import { useLinkToken } from '../../features/auth/sign-in/use-link-token.ts';
import { ErrorNotice, Notice } from '../../ui/feedback/Notice.tsx';
import { BusyButton, SubmitButton } from '../../ui/form/BusyButton.tsx';
import { digitsOf } from '../../ui/form/form-values.ts';
import { dropDraft, keepDraft } from '../../ui/form/drafts.ts';
import { answeredBefore, joinDraft } from '../../ui/steps/join-draft.ts';
import { StepField } from '../../ui/steps/StepField.tsx';
import { StepForm } from '../../ui/steps/StepForm.tsx';
import { StepPage } from '../../ui/steps/StepPage.tsx';
import { AuthPage, AuthFields } from './AuthPage.tsx';
import { OwnerProofForm } from './OwnerProofForm.tsx';

const codeLength = 6;

interface CodeFormProps {
  onVerified: () => void;
  onNeeded: (asked: { code: string; needed: LinkProof }) => void;
}

function CodeForm({ onVerified, onNeeded }: CodeFormProps) {
  const [code, setCode] = useState('');
  const form = useRef<HTMLFormElement>(null);
  const status = useSession((session) => session.status);
  const error = useSession((session) => session.error);

  // The form ignores a second submit while one is running.
  useEffect(() => {
    if (code.length === codeLength) form.current?.requestSubmit();
  }, [code]);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (code === '' || status === 'loading') return;
    const outcome = await verify({ code });
    if (outcome === true) onVerified();
    else if (outcome === false) form.current?.querySelector('input')?.focus();
    else onNeeded({ code, needed: outcome });
  }

  return (
    <StepForm
      ref={form}
      isBusy={status === 'loading'}
      problem={error}
      submitText={t`Confirm`}
      busyText={t`Confirming...`}
      onSubmit={(event) => void submit(event)}
    >
      <StepField
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        onChange={(event) => {
          setCode(digitsOf(event.currentTarget.value).slice(0, codeLength));
          resetStatus();
        }}
      />
    </StepForm>
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

/** The page after a confirmed address: the rest of joining, the app, or signing in. */
function useGoingOn() {
  const navigate = useNavigate();
  return () => {
    dropDraft(joinDraft);
    const { token, requiresProfileCompletion } = useSession.getState();
    const next = requiresProfileCompletion ? '/app/welcome' : memberHome;
    if (token === null) void navigate('/app/sign-in', { replace: true, state: { isConfirmed: true } });
    else void navigate(next, { replace: true });
  };
}

/** For people who mistyped their address: the account is deleted, its invitation can be used again, and their other answers stay. */
function WrongAddress() {
  const navigate = useNavigate();
  const startingOver = useMutation({
    mutationFn: async () => {
      const { email: _, ...others } = answeredBefore();
      await undoJoining();
      keepDraft(joinDraft, others);
      await navigate('/app/join', { replace: true });
    },
  });

  return (
    <>
      <ErrorNotice error={startingOver.error} />
      <BusyButton
        variant="subtle"
        isBusy={startingOver.isPending}
        busyText={t`One moment...`}
        onClick={() => startingOver.mutate()}
      >
        {t`Wrong address?`}
      </BusyButton>
    </>
  );
}

/** For people who are signed in, or have just asked for a code on this page. */
function CodeStep({ onVerified }: { onVerified: () => void }) {
  const email = useSession((session) => session.user?.email);
  const isUnconfirmed = useSession((session) => session.token !== null && session.requiresVerification);
  const [asked, setAsked] = useState<{ code: string; needed: LinkProof } | null>(null);

  if (asked !== null) {
    return (
      <ProofPage
        lead={t`The code is right. One more step, and your address is confirmed.`}
        form={<OwnerProofForm shown={{ code: asked.code }} needed={asked.needed} onVerified={onVerified} />}
      >
        <Button
          variant="subtle"
          onClick={() => {
            setAsked(null);
            resetStatus();
          }}
        >
          {t`Use another code`}
        </Button>
      </ProofPage>
    );
  }
  return (
    <StepPage
      title={t`Enter the six digits`}
      number={5}
      lead={
        email === undefined
          ? t`Enter the code from our email.`
          : t`We sent them to ${{ email: readableAddress(email) }}. Check spam, too.`
      }
    >
      <CodeForm onVerified={onVerified} onNeeded={setAsked} />
      <Stack gap="0.25rem">
        <ResendCode />
        {isUnconfirmed && <WrongAddress />}
      </Stack>
    </StepPage>
  );
}

/** The card for people who are not signed in. */
function ProofPage({ lead, form, children }: { lead: string; form: ReactNode; children?: ReactNode }) {
  const error = useSession((session) => session.error);
  return (
    <AuthPage title={t`Confirm your email address`} lead={lead}>
      <AuthFields>
        {error !== null && <Notice kind="error">{error}</Notice>}
        {form}
        {children}
      </AuthFields>
    </AuthPage>
  );
}

/** Confirms the email address by the link or the code of the same email. */
export function VerifyEmailPage() {
  useCurrentUser();
  const token = useLinkToken('token');
  const hasFailed = useSession((session) => session.error !== null);
  const canUseCode = useSession((session) => session.token !== null || session.verificationToken !== null);
  const goOn = useGoingOn();

  if (token !== null) {
    return (
      <ProofPage
        lead={t`One more step, and your address is confirmed.`}
        form={<LinkForm token={token} onVerified={goOn} />}
      >
        {hasFailed && <ResendCode />}
      </ProofPage>
    );
  }
  if (canUseCode) return <CodeStep onVerified={goOn} />;
  return (
    <ProofPage lead={t`Open the link from our email in this browser, or ask for a new code.`} form={<ResendCode />} />
  );
}
