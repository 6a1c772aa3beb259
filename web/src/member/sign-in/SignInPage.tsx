import { Button, TextInput } from '@mantine/core';
import { type FormEvent, Suspense, useLayoutEffect, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { askedFor } from '../../features/auth/session/sign-in-paths.ts';
import { doorStepsPart } from '../../features/auth/sign-in/door-steps-part.ts';
import { restore, signIn, type SignInOutcome } from '../../features/auth/session/session-commands.ts';
import { resetStatus, useSession } from '../../features/auth/session/session.ts';
import { useIdentityReturn } from '../../features/auth/sign-in/identities.ts';
import { useLinkToken } from '../../features/auth/sign-in/use-link-token.ts';
import { formatDate } from '../../ui/text/format.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Bone, LoadingState } from '../../ui/feedback/PageStates.tsx';
import { PasswordField } from '../../ui/form/PasswordField.tsx';
import { SubmitButton } from '../../ui/form/SubmitButton.tsx';
import { useLocale, useText } from '../../ui/text/text.ts';
import { useFields } from '../../ui/form/use-fields.ts';
import { identityButtonsPart, identityReturnPart } from './door-parts.ts';
import { DoorCard, DoorFields } from './AuthCard.tsx';

/** The members' door. Somebody who is leaving is offered the way back; staff go on to their dashboard. */
export function SignInPage() {
  const t = useText();
  const locale = useLocale();
  const navigate = useNavigate();
  const state: unknown = useLocation().state;
  const status = useSession((session) => session.status);
  const error = useSession((session) => session.error);
  const restoreUntil = useSession((session) => session.restoreUntil);
  const [restoreToken, setRestoreToken] = useState<string | null>(null);
  const [isBack, setBack] = useState(false);
  /** The code that is still to come, and where it leads to. */
  const [step, setStep] = useState<{ outcome: SignInOutcome; asked: string | null } | null>(null);
  const mailedHandle = useLinkToken('restore');
  const [returned, settleReturn] = useIdentityReturn();
  const fields = useFields({ email: '', password: '' }, () => {
    resetStatus();
    setRestoreToken(null);
  });

  // Before anything on the page begins a command of its own.
  useLayoutEffect(resetStatus, []);

  async function enter() {
    const { email, password } = fields.values;
    if (email.trim() === '' || password === '' || status === 'loading') return;
    setRestoreToken(null);
    follow(await signIn({ email, password }), askedFor(state));
  }

  function follow(outcome: SignInOutcome, asked: string | null) {
    if ('refused' in outcome) setRestoreToken(outcome.refused.restoreToken);
    if ('challenge' in outcome) setStep({ outcome, asked });
    if ('user' in outcome) {
      const home = outcome.user.isAdmin ? '/dashboard' : '/home';
      void navigate(asked ?? home, { replace: true });
    }
  }

  function followStep(outcome: SignInOutcome | null) {
    if (outcome === null) setStep(null);
    else follow(outcome, step === null ? askedFor(state) : step.asked);
  }

  /** Whoever has just joined proves the address first, or goes on to their profile. */
  function endReturn(outcome: SignInOutcome | null, { isNew, from }: { isNew: boolean; from: string | null }) {
    settleReturn();
    const { requiresVerification } = useSession.getState();
    const next = requiresVerification ? '/app/verify-email' : '/app/welcome';
    if (outcome !== null) follow(outcome, isNew ? next : from);
  }

  async function comeBack(handle: string) {
    if (!(await restore(handle))) return;
    setBack(true);
    useSession.setState({ restoreUntil: null });
    setRestoreToken(null);
    await enter();
  }

  const handle = restoreToken ?? (isBack ? null : mailedHandle);
  const returnButton = handle !== null && (
    <Button variant="default" size="sm" onClick={() => void comeBack(handle)}>
      {t('Return')}
    </Button>
  );

  if (returned !== null) {
    const waiting = (
      <DoorCard title={t('Sign in')}>
        <LoadingState text={t('Signing in...')} />
      </DoorCard>
    );
    return (
      <Suspense fallback={waiting}>
        <identityReturnPart.Part returned={returned} onEnd={endReturn} />
      </Suspense>
    );
  }

  return (
    <DoorCard
      title={t('Sign in')}
      lead={t('Good to see you again.')}
      foot={
        <>
          <p>
            {t('New here?')} <Link to="/app/join">{t('Join Heartwood')}</Link>
          </p>
          <p>
            <Link to="/app/forgot-password">{t('Forgot your password?')}</Link>
          </p>
        </>
      }
    >
      <DoorFields>
        {error !== null && (
          <Notice kind="error" action={returnButton}>
            {t(error)}
          </Notice>
        )}
        {error === null && handle !== null && (
          <Notice kind="info" action={returnButton}>
            {t('Your account is about to be deleted. You can still return.')}
          </Notice>
        )}
        {error === null && handle === null && restoreUntil !== null && (
          <Notice kind="info">
            {t('Your account is deleted, and nobody sees you any more. Until {date} you can return: just sign in.', {
              date: formatDate(restoreUntil, locale),
            })}
          </Notice>
        )}
        {error === null && isBack && (
          <Notice kind="success">{t('Welcome back. Your account is as you left it; sign in to go on.')}</Notice>
        )}
        {step === null && (
          <form
            ref={fields.form}
            onSubmit={(event: FormEvent) => {
              event.preventDefault();
              void enter();
            }}
          >
            <DoorFields>
              <TextInput
                {...fields.bind('email')}
                type="email"
                size="md"
                required
                label={t('Email')}
                autoComplete="username webauthn"
              />
              <PasswordField
                {...fields.bind('password')}
                required
                label={t('Password')}
                autoComplete="current-password"
              />
              <SubmitButton text={t('Sign in')} busyText={t('Signing in...')} isBusy={status === 'loading'} />
            </DoorFields>
          </form>
        )}
        <Suspense fallback={<Bone height="2.625rem" />}>
          <doorStepsPart.Part outcome={step?.outcome ?? null} password="" onOutcome={followStep} />
        </Suspense>
      </DoorFields>
      {step === null && (
        <Suspense fallback={<Bone height="10.5rem" />}>
          <identityButtonsPart.Part
            purpose="signIn"
            text="Continue with {provider}"
            from={askedFor(state)}
            or="above"
          />
        </Suspense>
      )}
    </DoorCard>
  );
}
