import { TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { joinWithIdentity, linkByPassword } from '#contract/auth/identities.ts';
import {
  endTrip,
  enterWith,
  type Joining,
  joinShown,
  linkShown,
  providerNames,
  type Returned,
  type ShownOutcome,
} from '../../features/auth/sign-in/identities.ts';
import { resetStatus, useSession } from '../../features/auth/session/session.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { SubmitButton } from '../../ui/form/SubmitButton.tsx';
import { useText } from '../../ui/text/text.ts';
import { useFields } from '../../ui/form/use-fields.ts';
import { DoorCard, DoorFields } from './AuthCard.tsx';
import { TermsField } from './TermsField.tsx';
import { PasswordField } from '../../ui/form/PasswordField.tsx';
import { failCommand, type SignInOutcome } from '../../features/auth/session/session-commands.ts';
import { LoadingState } from '../../ui/feedback/PageStates.tsx';

interface JoinStepProps {
  /** By its name. */
  provider: string;
  joining: Joining;
  onOutcome: (outcome: ShownOutcome) => void;
  onGiveUp: () => void;
}

/** Who signs in for the first time joins: with their consent, and an address if the provider knows none. */
function JoinStep({ provider, joining, onOutcome, onGiveUp }: JoinStepProps) {
  const t = useText();
  const status = useSession((session) => session.status);
  const error = useSession((session) => session.error);
  const { token: joinToken, firstName, email, isEmailProven } = joining;
  const fields = useFields({ email: email ?? '', acceptTerms: false }, resetStatus);

  const lead = isEmailProven
    ? t('You are new here. You join with {email}, as {provider} knows you.', { email: email ?? '', provider })
    : email === null
      ? t('You are new here. One thing {provider} could not tell us: where we reach you.', { provider })
      : t('You are new here. {provider} told us this address; enter another one if you like.', { provider });

  useEffect(resetStatus, []);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (status === 'loading') return;
    const { acceptTerms, email: address } = fields.values;
    const given = isEmailProven ? { acceptTerms, joinToken } : { acceptTerms, joinToken, email: address };
    const body = fields.check(joinWithIdentity.body, given, isEmailProven ? [] : ['email']);
    if (!body) return;
    const outcome = await joinShown(body);
    if (!('refused' in outcome) || outcome.refused.code === 'INVALID_CODE') onOutcome(outcome);
  }

  return (
    <DoorCard
      title={firstName === null ? t('Welcome') : t('Welcome, {name}', { name: firstName })}
      lead={lead}
      foot={
        <p>
          {t('Already a member?')}{' '}
          <Link to="/app/sign-in" onClick={onGiveUp}>
            {t('Sign in another way')}
          </Link>
        </p>
      }
    >
      <form ref={fields.form} noValidate onSubmit={(event) => void submit(event)}>
        <DoorFields>
          {error !== null && <Notice kind="error">{t(error)}</Notice>}
          {!isEmailProven && (
            <TextInput
              {...fields.bind('email')}
              type="email"
              size="md"
              required
              label={t('Email')}
              description={t('We mail a code there, to know that it is yours.')}
              autoComplete="email"
            />
          )}
          <TermsField {...fields.bindCheckbox('acceptTerms')} />
          <SubmitButton text={t('Join')} busyText={t('Joining...')} isBusy={status === 'loading'} />
        </DoorFields>
      </form>
    </DoorCard>
  );
}

interface LinkStepProps {
  /** By its name. */
  provider: string;
  linkToken: string;
  onOutcome: (outcome: ShownOutcome) => void;
  onGiveUp: () => void;
}

/** The address has an account: asks for its password once, which links the two. */
function LinkStep({ provider, linkToken, onOutcome, onGiveUp }: LinkStepProps) {
  const t = useText();
  const status = useSession((session) => session.status);
  const error = useSession((session) => session.error);
  const fields = useFields({ password: '' }, resetStatus);
  const isAtField = fields.errors['password'] !== undefined;

  useEffect(resetStatus, []);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (status === 'loading') return;
    const body = fields.check(linkByPassword.body, { ...fields.values, linkToken }, ['password']);
    if (!body) return;
    const outcome = await linkShown(body);
    if (!('refused' in outcome)) onOutcome(outcome);
    else if (outcome.refused.code === 'WRONG_PASSWORD')
      fields.showErrors([{ field: 'password', msg: outcome.refused.text }]);
    else if (outcome.refused.code !== 'TOO_MANY_REQUESTS') onOutcome(outcome);
  }

  return (
    <DoorCard
      title={t('Is this you?')}
      lead={t(
        'There is an account with this address already. Enter its password once, and {provider} signs you in to it from then on.',
        { provider },
      )}
      foot={
        <>
          <p>
            {t(
              'Without a password, or with a second step, sign in as you usually do and link {provider} in your settings.',
              { provider },
            )}
          </p>
          <p>
            <Link to="/app/forgot-password">{t('Forgot your password?')}</Link>
          </p>
          <p>
            <Link to="/app/sign-in" onClick={onGiveUp}>
              {t('Sign in another way')}
            </Link>
          </p>
        </>
      }
    >
      <form ref={fields.form} noValidate onSubmit={(event) => void submit(event)}>
        <DoorFields>
          {error !== null && !isAtField && <Notice kind="error">{t(error)}</Notice>}
          <PasswordField {...fields.bind('password')} required label={t('Password')} autoComplete="current-password" />
          <SubmitButton
            text={t('Sign in and link {provider}', { provider })}
            busyText={t('Signing in...')}
            isBusy={status === 'loading'}
          />
        </DoorFields>
      </form>
    </DoorCard>
  );
}

interface IdentityReturnProps {
  returned: Returned;
  /** It came to an end; null where only its words are left, which are told already. `isNew`: they have just joined. */
  onEnd: (outcome: SignInOutcome | null, how: { isNew: boolean; from: string | null }) => void;
}

type Asked = { linkToken: string } | { joining: Joining };

/** Somebody is back from Google or Facebook: signs them in, or asks for what is missing first. */
export function IdentityReturn({ returned, onEnd }: IdentityReturnProps) {
  const t = useText();
  const [asked, setAsked] = useState<Asked | null>(null);
  const isShown = useRef(false);
  const { trip, shown } = returned;
  const provider = providerNames[trip?.provider ?? 'google'];

  const giveUp = () => {
    resetStatus();
    onEnd(null, { isNew: false, from: null });
  };

  function follow(outcome: ShownOutcome, isNew = false) {
    if ('linkToken' in outcome || 'joining' in outcome) setAsked(outcome);
    else onEnd(outcome, { isNew, from: trip?.from ?? null });
  }

  useEffect(() => {
    if (isShown.current) return;
    isShown.current = true;
    endTrip();
    if (shown !== null) {
      void enterWith(shown).then(follow);
      return;
    }
    failCommand(
      trip === null
        ? 'This sign-in was not begun in this tab. Please begin again.'
        : t('You came back from {provider} without signing in.', { provider }),
    );
    onEnd(null, { isNew: false, from: null });
  });

  if (asked === null) {
    return (
      <DoorCard title={t('Sign in')}>
        <LoadingState text={t('Signing in...')} />
      </DoorCard>
    );
  }
  return 'joining' in asked ? (
    <JoinStep
      provider={provider}
      joining={asked.joining}
      onOutcome={(outcome) => follow(outcome, true)}
      onGiveUp={giveUp}
    />
  ) : (
    <LinkStep provider={provider} linkToken={asked.linkToken} onOutcome={follow} onGiveUp={giveUp} />
  );
}
