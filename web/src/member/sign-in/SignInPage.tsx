import { t } from '@lingui/core/macro';
import { useLayoutEffect, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { login } from '#contract/auth/session.ts';
import { signIn, type SignInOutcome } from '../../features/auth/session/session-commands.ts';
import { resetStatus, useSession } from '../../features/auth/session/session.ts';
import { memberHome, requestedPage, staffHome } from '../../features/auth/session/guards.tsx';
import { useIdentityReturn } from '../../features/auth/sign-in/identities.ts';
import { IdentityButtons } from '../../features/auth/sign-in/IdentityButtons.tsx';
import { useLinkToken } from '../../features/auth/sign-in/use-link-token.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { LoadingState, Skeleton } from '../../ui/feedback/PageStates.tsx';
import { PasswordForm } from '../../ui/form/PasswordForm.tsx';
import { useFields } from '../../ui/form/use-form.ts';
import { lazyPart } from '../../ui/loading/LazyBoundary.tsx';
import { formatDate } from '../../ui/text/format.ts';
import { AuthPage, AuthFields } from './AuthPage.tsx';

/** Passkeys and two-step verification, loaded separately because most sign-ins don't need them. */
const [SignInSteps] = lazyPart(
  async () => (await import('../../features/auth/sign-in/SignInSteps.tsx')).SignInSteps,
  <Skeleton height="2.625rem" />,
);
/** Loaded separately, because only people whose account is about to be deleted need it. */
const [RestoreAccount] = lazyPart(async () => (await import('./RestoreAccount.tsx')).RestoreAccount);
/** Only for people whose account was closed. */
const [LockedLink] = lazyPart(async () => (await import('./LockedLink.tsx')).LockedLink);
function SigningIn() {
  return (
    <AuthPage title={t`Sign in`}>
      <LoadingState text={t`Signing in...`} />
    </AuthPage>
  );
}

const [IdentityReturn] = lazyPart(async () => (await import('./IdentityReturn.tsx')).IdentityReturn, <SigningIn />);

/** Where a member continues: new ones confirm their email address first, and then complete their profile. */
function nextPage(): string {
  const { requiresVerification, requiresProfileCompletion } = useSession.getState();
  if (requiresVerification) return '/app/verify-email';
  return requiresProfileCompletion ? '/app/welcome' : memberHome;
}

/** Whether this page was opened by a link that confirmed an address. */
const hasJustConfirmed = (state: unknown) => typeof state === 'object' && state !== null && 'isConfirmed' in state;

interface NoticesProps {
  /** The server's answer to a sign-in with an account about to be deleted, as text. */
  offered: string | undefined;
  /** The token that restores the account; null if restoring isn't offered. */
  restoreWith: string | null;
  isRestored: boolean;
  /** The address of an account that was refused because it is closed. */
  lockedEmail: string | null;
  onRestored: () => void;
}

/** Shows why signing in failed, or the state of an account that is or was about to be deleted. */
function Notices({ offered, restoreWith, isRestored, lockedEmail, onRestored }: NoticesProps) {
  const error = useSession((session) => session.error);
  const restoreUntil = useSession((session) => session.restoreUntil);
  const isConfirmed = hasJustConfirmed(useLocation().state);
  const restoreButton = restoreWith !== null && <RestoreAccount token={restoreWith} onRestored={onRestored} />;
  const lockedLink = lockedEmail !== null && <LockedLink email={lockedEmail} />;
  if (error !== null)
    return (
      <Notice kind={error === offered ? 'info' : 'error'} action={lockedLink || restoreButton}>
        {error}
      </Notice>
    );
  return (
    <>
      {restoreWith !== null && (
        <Notice kind="info" action={restoreButton}>
          {t`Your account is about to be deleted. You can still restore it.`}
        </Notice>
      )}
      {restoreWith === null && restoreUntil !== null && (
        <Notice kind="info">
          {t`Your account was deleted and other members no longer see you. Until ${{ date: formatDate(restoreUntil) }} you can restore it: just sign in.`}
        </Notice>
      )}
      {isConfirmed && <Notice kind="success">{t`Your email address is confirmed. Sign in to continue.`}</Notice>}
      {isRestored && (
        <Notice kind="success">{t`Welcome back. Your account is as you left it. Sign in to continue.`}</Notice>
      )}
    </>
  );
}

/** Links for people who can't sign in. */
function Foot() {
  return (
    <>
      <p>
        {t`New here?`} <Link to="/app/join">{t`Join {brand}`}</Link>
      </p>
      <Link to="/app/forgot-password">{t`Forgot your password?`}</Link>
    </>
  );
}

/** Where members sign in. Accounts about to be deleted can be restored here; staff continue to their dashboard. */
export function SignInPage() {
  const navigate = useNavigate();
  const state: unknown = useLocation().state;
  const status = useSession((session) => session.status);
  /** The offer to restore an account about to be deleted: its token, and the server's text. */
  const [offer, setOffer] = useState<{ token: string; text: string } | null>(null);
  const [isRestored, setRestored] = useState(false);
  const [lockedEmail, setLockedEmail] = useState<string | null>(null);
  /** The next step of signing in, and the page to go to after it. */
  const [step, setStep] = useState<{ outcome: SignInOutcome; page: string | null } | null>(null);
  const emailedToken = useLinkToken('restore');
  const [returned, settleReturn] = useIdentityReturn();
  const fields = useFields({ email: '', password: '' }, () => {
    resetStatus();
    setOffer(null);
    setLockedEmail(null);
  });

  // A layout effect, so that it runs before other parts of the page start a command.
  useLayoutEffect(resetStatus, []);

  async function enter() {
    if (status === 'loading') return;
    const credentials = fields.check(login.body, fields.values, ['email', 'password']);
    if (credentials === null) return;
    setOffer(null);
    follow(await signIn(credentials), requestedPage(state));
  }

  function follow(outcome: SignInOutcome, page: string | null) {
    if ('refused' in outcome) {
      const { restoreToken, text, code } = outcome.refused;
      const email = fields.values.email.trim();
      setLockedEmail(code === 'ACCOUNT_DEACTIVATED' && email !== '' ? email : null);
      setOffer(restoreToken === null ? null : { token: restoreToken, text });
    }
    if ('challenge' in outcome) setStep({ outcome, page });
    if ('user' in outcome) {
      void navigate(page ?? (outcome.user.isAdmin ? staffHome() : nextPage()), { replace: true });
    }
  }

  function followStep(outcome: SignInOutcome | null) {
    if (outcome === null) setStep(null);
    else follow(outcome, step === null ? requestedPage(state) : step.page);
  }

  function endReturn(outcome: SignInOutcome | null, { isNew, from }: { isNew: boolean; from: string | null }) {
    settleReturn();
    if (outcome !== null) follow(outcome, isNew ? nextPage() : from);
  }

  async function restored() {
    resetStatus();
    setRestored(true);
    useSession.setState({ restoreUntil: null });
    setOffer(null);
    if (fields.values.email !== '' && fields.values.password !== '') await enter();
  }

  if (returned !== null) return <IdentityReturn returned={returned} onEnd={endReturn} />;

  return (
    <AuthPage title={t`Sign in`} lead={t`Good to see you again.`} foot={<Foot />}>
      <AuthFields>
        <Notices
          offered={offer?.text}
          restoreWith={offer?.token ?? (isRestored ? null : emailedToken)}
          isRestored={isRestored}
          lockedEmail={lockedEmail}
          onRestored={() => void restored()}
        />
        {step === null && (
          <PasswordForm
            fields={fields}
            email={fields.bind('email')}
            sendText={t`Sign in`}
            busyText={t`Signing in...`}
            isBusy={status === 'loading'}
            onSend={() => void enter()}
          />
        )}
        <SignInSteps outcome={step?.outcome ?? null} password="" onOutcome={followStep} />
      </AuthFields>
      {step === null && (
        <IdentityButtons
          purpose="signIn"
          text={(provider) => t`Continue with ${provider}`}
          from={requestedPage(state)}
          or="above"
        />
      )}
    </AuthPage>
  );
}
