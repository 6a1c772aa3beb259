import { t } from '@lingui/core/macro';
import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { login } from '#contract/auth/session.ts';
import { hasNextStep, signIn, type SignInOutcome } from '../../features/auth/session/session-commands.ts';
import { resetStatus, useSession } from '../../features/auth/session/session.ts';
import { SignInSteps } from '../../features/auth/sign-in/SignInSteps.tsx';
import { requestedPage, staffHome } from '../../features/auth/session/guards.tsx';
import { useServiceConfig } from '../../api/service-config.ts';
import { lazyPart } from '../../ui/loading/LazyBoundary.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { PasswordForm } from '../../ui/form/PasswordForm.tsx';
import { useFields } from '../../ui/form/use-form.ts';
import { presentBrand } from '../../brand.ts';
import { LogoMark } from '../../ui/shell/Logo.tsx';
import { Hint } from '../../ui/layout/text-blocks.tsx';
import { PageHeading } from '../../ui/layout/Page.tsx';
import { ColorSchemeToggle } from '../../ui/theme/ColorSchemeToggle.tsx';
import classes from './LoginPage.module.css';
import { RingsArt } from '../../ui/layout/RingsArt.tsx';

/** Loaded only if staff sign in with the house's account, or have just come back from there. */
const [HouseSignIn] = lazyPart(async () => (await import('../../features/auth/sign-in/HouseSignIn.tsx')).HouseSignIn);

function Banner() {
  return (
    <section className={classes.banner}>
      <RingsArt className={classes.art} />
      <Group pos="relative" gap="0.7rem" ff="heading" fz="1.4rem" fw={700}>
        <LogoMark size={36} />
        {presentBrand().name}
      </Group>
      <Box pos="relative">
        <PageHeading className={classes.title}>{t`Admin Dashboard`}</PageHeading>
        <p className={classes.tagline}>{t`Manage users, subscriptions, and platform analytics`}</p>
      </Box>
    </section>
  );
}

function LinkNotice({ name, isLinked }: { name: string; isLinked: boolean }) {
  return (
    <Notice kind={isLinked ? 'success' : 'info'}>
      {isLinked
        ? t`Your accounts are linked. From now on, sign in with ${{ name }}.`
        : t`There is already a staff account with your address. Sign in to it once to link ${{ name }} to it.`}
    </Notice>
  );
}

/** Where staff sign in. People without the admin flag stay on this page and get no session. */
export function LoginPage() {
  const navigate = useNavigate();
  const state: unknown = useLocation().state;
  const status = useSession((session) => session.status);
  const error = useSession((session) => session.error);
  /** The result of signing in, unless it leads to another page. */
  const [outcome, setOutcome] = useState<SignInOutcome | null>(null);
  const house = useServiceConfig()?.house;
  /** Links the house's account, once its owner has signed in to their staff account; `linked` after that. */
  const [linking, setLinking] = useState<{ token: string } | 'linked' | null>(null);
  const fields = useFields({ email: '', password: '' }, () => {
    resetStatus();
    setOutcome(null);
  });

  useEffect(resetStatus, []);

  async function send() {
    if (status === 'loading') return;
    const credentials = fields.check(login.body, fields.values, ['email', 'password']);
    if (credentials !== null) follow(await signIn(credentials, { staffOnly: true }));
  }

  function follow(next: SignInOutcome | null, before: unknown = state) {
    if (next && 'user' in next && !next.requiresSecondFactor) {
      if (linking !== null && linking !== 'linked') return void link(linking.token);
      return void navigate(requestedPage(before) ?? staffHome(), { replace: true });
    }
    setOutcome(next);
  }

  async function link(token: string) {
    const { linkToHouse } = await import('../../features/auth/sign-in/HouseSignIn.tsx');
    setLinking((await linkToHouse(token)) ? 'linked' : null);
    setOutcome(null);
    fields.reset();
  }

  return (
    <main className={classes.page}>
      <Banner />
      <section className={classes.side} aria-labelledby="welcome">
        <div className={classes.corner}>
          <ColorSchemeToggle />
        </div>
        <Stack gap="1.15rem" w="min(24rem, 100%)">
          <div>
            <Title order={2} id="welcome" fz="1.9rem" mb="0.35rem">
              {t`Welcome Back`}
            </Title>
            <Text c="dimmed">{t`Sign in to your admin account`}</Text>
          </div>
          {outcome && 'notAdmin' in outcome && (
            <Notice kind="warning">{t`You don't have admin privileges to access this panel.`}</Notice>
          )}
          {error !== null && <Notice kind="error">{error}</Notice>}
          {house && linking !== null && <LinkNotice name={house.name} isLinked={linking === 'linked'} />}
          {!hasNextStep(outcome) && (
            <PasswordForm
              fields={fields}
              email={fields.bind('email')}
              sendText={t`Sign In`}
              busyText={t`Signing In...`}
              isBusy={status === 'loading'}
              onSend={() => void send()}
            />
          )}
          {house && !hasNextStep(outcome) && (
            <HouseSignIn name={house.name} onOutcome={follow} onLinkable={(token) => setLinking({ token })} />
          )}
          <SignInSteps outcome={outcome} password={fields.values.password} staffOnly onOutcome={follow} />
          <Hint ta="center" className={classes.note ?? ''}>
            {t`Contact system administrator for access credentials`}
          </Hint>
          <Hint ta="center">
            {t`Not a member of staff?`}{' '}
            <Link to="/app/sign-in" state={state}>
              {t`Sign in as a member`}
            </Link>
          </Hint>
        </Stack>
      </section>
    </main>
  );
}
