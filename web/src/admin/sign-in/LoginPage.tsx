import { TextInput } from '@mantine/core';
import { type FormEvent, lazy, useEffect, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { hasNextStep, signIn, type SignInOutcome } from '../../features/auth/session/session-commands.ts';
import { resetStatus, useSession } from '../../features/auth/session/session.ts';
import { requestedPage } from '../../features/auth/session/guards.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { PasswordField } from '../../ui/form/PasswordField.tsx';
import { SubmitButton } from '../../ui/form/BusyButton.tsx';
import { useFields } from '../../ui/form/use-form.ts';
import { LogoMark } from '../../ui/shell/Logo.tsx';
import { PageHeading } from '../../ui/layout/Page.tsx';
import { LazyBoundary } from '../../ui/loading/LazyBoundary.tsx';
import { t } from '../../ui/text/text.ts';
import { ColorSchemeToggle } from '../../ui/theme/ColorSchemeToggle.tsx';
import classes from './LoginPage.module.css';

const SignInSteps = lazy(async () => ({
  default: (await import('../../features/auth/sign-in/SignInSteps.tsx')).SignInSteps,
}));
const RingsArt = lazy(async () => ({ default: (await import('../../ui/layout/RingsArt.tsx')).RingsArt }));

/** Where staff sign in. People without the admin flag stay on this page and get no session. */
export function LoginPage() {
  const navigate = useNavigate();
  const state: unknown = useLocation().state;
  const status = useSession((session) => session.status);
  const error = useSession((session) => session.error);
  /** The result of signing in, as long as it doesn't lead to another page. */
  const [outcome, setOutcome] = useState<SignInOutcome | null>(null);
  const fields = useFields({ email: '', password: '' }, () => {
    resetStatus();
    setOutcome(null);
  });

  useEffect(resetStatus, []);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const { email, password } = fields.values;
    if (status === 'loading' || fields.hasBlank(['email', 'password'])) return;
    follow(await signIn({ email, password }, { staffOnly: true }));
  }

  function follow(next: SignInOutcome | null) {
    if (next && 'user' in next && !next.requiresSecondFactor)
      return void navigate(requestedPage(state) ?? '/dashboard', { replace: true });
    setOutcome(next);
  }

  return (
    <main className={classes.page}>
      <section className={classes.banner}>
        <LazyBoundary>
          <RingsArt className={classes.art} />
        </LazyBoundary>
        <p className={classes.brand}>
          <LogoMark size={36} />
          Heartwood
        </p>
        <div className={classes.claim}>
          <PageHeading className={classes.title}>{t('Admin Dashboard')}</PageHeading>
          <p className={classes.tagline}>{t('Manage users, subscriptions, and platform analytics')}</p>
        </div>
      </section>
      <section className={classes.side} aria-labelledby="welcome">
        <div className={classes.corner}>
          <ColorSchemeToggle />
        </div>
        <div className={classes.form}>
          <div>
            <h2 id="welcome" className={classes.welcome}>
              {t('Welcome Back')}
            </h2>
            <p className={classes.lead}>{t('Sign in to your admin account')}</p>
          </div>
          {outcome && 'notAdmin' in outcome && (
            <Notice kind="warning">{t("You don't have admin privileges to access this panel.")}</Notice>
          )}
          {error !== null && <Notice kind="error">{t(error)}</Notice>}
          {!hasNextStep(outcome) && (
            <form className={classes.form} ref={fields.form} noValidate onSubmit={(event) => void submit(event)}>
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
              <SubmitButton text={t('Sign In')} busyText={t('Signing In...')} isBusy={status === 'loading'} />
            </form>
          )}
          <LazyBoundary>
            <SignInSteps outcome={outcome} password={fields.values.password} staffOnly onOutcome={follow} />
          </LazyBoundary>
          <p className={classes.note}>{t('Contact system administrator for access credentials')}</p>
          <p className={classes.member}>
            {t('Not a member of staff?')}{' '}
            <Link to="/app/sign-in" state={state}>
              {t('Sign in as a member')}
            </Link>
          </p>
        </div>
      </section>
    </main>
  );
}
