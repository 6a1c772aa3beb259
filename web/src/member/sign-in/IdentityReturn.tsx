import { t } from '@lingui/core/macro';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { joinWithIdentity, linkByPassword } from '#contract/auth/identities.ts';
import { readableAddress } from '#contract/text.ts';
import { failCommand, type SignInOutcome } from '../../features/auth/session/session-commands.ts';
import { resetStatus, useSession } from '../../features/auth/session/session.ts';
import {
  endTrip,
  signInWithIdentity,
  type IdentityQuestion,
  type Joining,
  joinByIdentity,
  linkIdentity,
  providerNames,
  type Returned,
  type IdentityOutcome,
} from '../../features/auth/sign-in/identities.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { LoadingState } from '../../ui/feedback/PageStates.tsx';
import { PasswordForm } from '../../ui/form/PasswordForm.tsx';
import { StepField } from '../../ui/steps/StepField.tsx';
import { StepForm } from '../../ui/steps/StepForm.tsx';
import { StepPage } from '../../ui/steps/StepPage.tsx';
import { useFields } from '../../ui/form/use-form.ts';
import { AuthPage } from './AuthPage.tsx';
import { ConsentLine } from './ConsentLine.tsx';

interface JoinStepProps {
  /** The provider's name. */
  provider: string;
  joining: Joining;
  onOutcome: (outcome: IdentityOutcome) => void;
  onCancel: () => void;
}

/** First sign-in with a provider: asks for consent, and for an email address if the provider has none. */
function JoinStep({ provider, joining, onOutcome, onCancel }: JoinStepProps) {
  const status = useSession((session) => session.status);
  const error = useSession((session) => session.error);
  const { token: joinToken, firstName, email, isEmailProven } = joining;
  const fields = useFields({ email: email ?? '' }, resetStatus);

  const lead = isEmailProven
    ? t`You'll join with ${{ email: readableAddress(email ?? '') }}.`
    : email === null
      ? t`${provider} did not give us your email address. We'll send a code there to check that it's yours.`
      : t`${provider} gave us this address; you can enter another one. We'll send a code there to check that it's yours.`;

  useEffect(resetStatus, []);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (status === 'loading') return;
    const given = { acceptTerms: true, joinToken, ...(isEmailProven ? {} : { email: fields.values.email }) };
    const body = fields.check(joinWithIdentity.body, given, isEmailProven ? [] : ['email']);
    if (!body) return;
    const outcome = await joinByIdentity(body);
    if (!('refused' in outcome) || outcome.refused.code === 'INVALID_CODE') onOutcome(outcome);
  }

  return (
    <StepPage title={firstName === null ? t`Welcome` : t`Welcome, ${{ name: firstName }}`} number={1} lead={lead}>
      <StepForm
        ref={fields.form}
        isBusy={status === 'loading'}
        problem={error}
        submitText={t`Agree and join`}
        busyText={t`Joining...`}
        onSubmit={(event) => void submit(event)}
      >
        {!isEmailProven && (
          <StepField {...fields.bind('email')} type="email" aria-label={t`Email`} autoComplete="email" />
        )}
        <ConsentLine />
      </StepForm>
      <p>
        {t`Already a member?`}{' '}
        <Link to="/app/sign-in" onClick={onCancel}>
          {t`Sign in another way`}
        </Link>
      </p>
    </StepPage>
  );
}

interface LinkStepProps {
  /** The provider's name. */
  provider: string;
  linkToken: string;
  onOutcome: (outcome: IdentityOutcome) => void;
  onCancel: () => void;
}

/** The email address already has an account: asks for its password once and links the two. */
function LinkStep({ provider, linkToken, onOutcome, onCancel }: LinkStepProps) {
  const status = useSession((session) => session.status);
  const error = useSession((session) => session.error);
  const fields = useFields({ password: '' }, resetStatus);
  const isAtField = fields.errors['password'] !== undefined;

  useEffect(resetStatus, []);

  async function send() {
    if (status === 'loading') return;
    const body = fields.check(linkByPassword.body, { ...fields.values, linkToken }, ['password']);
    if (!body) return;
    const outcome = await linkIdentity(body);
    if (!('refused' in outcome)) onOutcome(outcome);
    else if (outcome.refused.code === 'WRONG_PASSWORD')
      fields.showErrors([{ field: 'password', msg: outcome.refused.text }]);
    else if (outcome.refused.code !== 'TOO_MANY_REQUESTS') onOutcome(outcome);
  }

  return (
    <AuthPage
      title={t`Is this you?`}
      lead={t`There is already an account with this address. Enter its password once, and you can sign in with ${provider} from then on.`}
      foot={
        <>
          <p>
            {t`No password, or using two-step verification? Sign in as usual and link ${provider} in your settings.`}
          </p>
          <p>
            <Link to="/app/forgot-password">{t`Forgot your password?`}</Link>
          </p>
          <p>
            <Link to="/app/sign-in" onClick={onCancel}>
              {t`Sign in another way`}
            </Link>
          </p>
        </>
      }
    >
      <PasswordForm
        fields={fields}
        problem={error !== null && !isAtField && <Notice kind="error">{error}</Notice>}
        sendText={t`Sign in and link ${provider}`}
        busyText={t`Signing in...`}
        isBusy={status === 'loading'}
        onSend={() => void send()}
      />
    </AuthPage>
  );
}

interface IdentityReturnProps {
  returned: Returned;
  /** Called at the end of signing in; null if it failed and the reason is already shown. `isNew`: the user has just joined. */
  onEnd: (outcome: SignInOutcome | null, how: { isNew: boolean; from: string | null }) => void;
}

/** Shown after returning from Google or Facebook: signs the user in, or asks for missing details first. */
export function IdentityReturn({ returned, onEnd }: IdentityReturnProps) {
  const [question, setQuestion] = useState<IdentityQuestion | null>(null);
  const isStarted = useRef(false);
  const { trip, token } = returned;
  const provider = providerNames[trip?.provider ?? 'google'];

  const cancel = () => {
    resetStatus();
    onEnd(null, { isNew: false, from: null });
  };

  function follow(outcome: IdentityOutcome, isNew = false) {
    if ('linkToken' in outcome || 'joining' in outcome) setQuestion(outcome);
    else onEnd(outcome, { isNew, from: trip?.from ?? null });
  }

  useEffect(() => {
    if (isStarted.current) return;
    isStarted.current = true;
    endTrip();
    if (token !== null) {
      void signInWithIdentity(token).then(follow);
      return;
    }
    failCommand(
      trip === null
        ? t`This sign-in was started in another tab. Please try again.`
        : t`You came back from ${provider} without signing in.`,
    );
    onEnd(null, { isNew: false, from: null });
  });

  if (question === null) {
    return (
      <AuthPage title={t`Sign in`}>
        <LoadingState text={t`Signing in...`} />
      </AuthPage>
    );
  }
  return 'joining' in question ? (
    <JoinStep
      provider={provider}
      joining={question.joining}
      onOutcome={(outcome) => follow(outcome, true)}
      onCancel={cancel}
    />
  ) : (
    <LinkStep provider={provider} linkToken={question.linkToken} onOutcome={follow} onCancel={cancel} />
  );
}
