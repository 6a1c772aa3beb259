import { t } from '@lingui/core/macro';
import { Button, Stack, Title } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { askForRemoval, loginWithCode } from '#contract/auth/factors.ts';
import type { Assertion } from '#contract/auth/webauthn.ts';
import { passkeyLogin } from '#contract/auth/passkeys.ts';
import { errorCode, errorMessage } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton, SubmitButton } from '../../../ui/form/BusyButton.tsx';
import { CodeField, useSelfSubmit } from '../../../ui/form/CodeField.tsx';
import { Form } from '../../../ui/form/Form.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { lazyPart } from '../../../ui/loading/LazyBoundary.tsx';
import { askPasskey, canUsePasskeys, offersPasskeys, passkeyText, stopAsking } from '../factors/passkey-ceremony.ts';
import { enter, failCommand, type SignInOutcome } from '../session/session-commands.ts';
import { resetStatus, useSession } from '../session/session.ts';

const [PasskeyStep] = lazyPart(async () => (await import('./PasskeyStep.tsx')).PasskeyStep);
const [StaffSetUpStep] = lazyPart(async () => (await import('./StaffSetUp.tsx')).StaffSetUpStep);

/** A challenge is valid for five minutes; the one for the autofill list is renewed before that. */
const offerAgainMs = 4 * 60_000;

interface PasskeyButtonProps {
  staffOnly: boolean;
  onOutcome: (outcome: SignInOutcome) => void;
}

/**
 * Signs in with a passkey: with its button, or from the autofill list of the email field. Renders nothing if the
 * browser does not support passkeys.
 */
function PasskeyButton({ staffOnly, onOutcome }: PasskeyButtonProps) {
  const [round, setRound] = useState(0);
  const offerAgain = () => setRound((before) => before + 1);

  async function signIn(credential: Assertion) {
    const outcome = await enter(() => call(passkeyLogin, { body: { credential } }), { staffOnly });
    if ('refused' in outcome) offerAgain();
    onOutcome(outcome);
  }
  const signInOffered = useEffectEvent(signIn);

  useEffect(() => {
    const leaving = new AbortController();
    async function offer() {
      if (!(await offersPasskeys()) || leaving.signal.aborted) return;
      const credential = await askPasskey({ isOffered: true });
      leaving.signal.throwIfAborted();
      await signInOffered(credential);
    }
    // People who type their password instead have not refused anything, so this error is ignored.
    offer().catch(() => undefined);
    const again = setTimeout(offerAgain, offerAgainMs);
    return () => {
      leaving.abort();
      clearTimeout(again);
      stopAsking();
    };
  }, [round]);

  async function ask() {
    resetStatus();
    try {
      await signIn(await askPasskey());
    } catch (error) {
      failCommand(passkeyText(error));
      offerAgain();
    }
  }

  if (!canUsePasskeys()) return null;
  return (
    <Button
      variant="default"
      size="md"
      fullWidth
      leftSection={<IconKey size={20} stroke={1.75} aria-hidden="true" />}
      onClick={() => void ask()}
    >
      {t`Sign in with a passkey`}
    </Button>
  );
}

interface LostFactorProps {
  challenge: string;
  onBack: () => void;
  onExpired: () => void;
}

/** For people who have neither their app nor recovery codes: a link by email, followed by a three-day wait. */
function LostFactor({ challenge, onBack, onExpired }: LostFactorProps) {
  const command = useMutation({
    mutationFn: () => call(askForRemoval, { body: { challenge } }),
    onError: (error) => {
      if (errorCode(error) !== 'CHALLENGE_EXPIRED') return;
      failCommand(error.message);
      onExpired();
    },
  });

  return (
    <Stack gap="1.1rem">
      <Title order={2} fz="1.15rem">
        {t`Lost your app and your codes?`}
      </Title>
      {command.isSuccess ? (
        <Notice kind="success">{t`Check your email for a link. It works for an hour.`}</Notice>
      ) : (
        <>
          <p>
            {t`We'll email you a link. Three days after you use it, your password alone is enough to sign in. Until then it can be canceled from that email and on every device that is signed in, in case it wasn't you.`}
          </p>
          {command.error && <Notice kind="error">{errorMessage(command.error)}</Notice>}
          <BusyButton
            size="md"
            fullWidth
            isBusy={command.isPending}
            busyText={t`Sending...`}
            onClick={() => command.mutate()}
          >
            {t`Email me the link`}
          </BusyButton>
        </>
      )}
      <Stack gap="0.15rem" align="center">
        <Button variant="subtle" color="gray" size="sm" onClick={onBack}>
          {t`Back to the code`}
        </Button>
      </Stack>
    </Stack>
  );
}

interface CodeStepProps {
  challenge: string;
  staffOnly: boolean;
  onOutcome: (outcome: SignInOutcome) => void;
  /** Returns to email and password, where the reason is shown. */
  onRestart: () => void;
}

/** The step that asks for a code from the app or a recovery code, and offers help if both are lost. */
function CodeStep({ challenge, staffOnly, onOutcome, onRestart }: CodeStepProps) {
  const isBusy = useSession((session) => session.status === 'loading');
  const [code, setCode] = useState('');
  const [isRecovery, setRecovery] = useState(false);
  const [isLost, setLost] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // The staff page has another heading between the page's heading and this one.
  const order = staffOnly ? 3 : 2;

  useEffect(() => field.current?.focus(), [isRecovery, isLost]);
  useSelfSubmit(field, isRecovery ? '' : code);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (code === '' || isBusy) return;
    const outcome = await enter(() => call(loginWithCode, { body: { challenge, code } }), { staffOnly });
    if (!('refused' in outcome)) return onOutcome(outcome);
    if (outcome.refused.code === 'CHALLENGE_EXPIRED') return onRestart();
    setCode('');
    field.current?.focus();
  }

  function switchTo(change: () => void) {
    setCode('');
    resetStatus();
    change();
  }

  if (isLost) {
    const back = () => switchTo(() => setLost(false));
    return <LostFactor challenge={challenge} onBack={back} onExpired={onRestart} />;
  }
  return (
    <Form onSubmit={(event) => void submit(event)}>
      <Title order={order} fz="1.15rem">
        {t`One more step`}
      </Title>
      <CodeField
        ref={field}
        isRecovery={isRecovery}
        submitsItself
        value={code}
        onChange={(value) => {
          setCode(value);
          resetStatus();
        }}
      />
      <SubmitButton text={t`Continue`} busyText={t`Checking...`} isBusy={isBusy} />
      <Stack gap="0.15rem" align="center">
        <Button variant="subtle" size="sm" onClick={() => switchTo(() => setRecovery(!isRecovery))}>
          {isRecovery ? t`Use a code from your app` : t`Use a recovery code instead`}
        </Button>
        {!staffOnly && isRecovery && (
          <Button variant="subtle" size="sm" onClick={() => switchTo(() => setLost(true))}>
            {t`I don't have either`}
          </Button>
        )}
        <Button variant="subtle" color="gray" size="sm" onClick={() => switchTo(onRestart)}>
          {t`Start over`}
        </Button>
      </Stack>
      {staffOnly && isRecovery && (
        <Hint ta="center">{t`Lost both? Another administrator can reset your two-step verification.`}</Hint>
      )}
    </Form>
  );
}

interface SignInStepsProps {
  /** The result of signing in so far; null before the first try. */
  outcome: SignInOutcome | null;
  /** The typed password, so that staff who set up two-step verification do not have to type it again. */
  password: string;
  staffOnly?: boolean;
  onOutcome: (outcome: SignInOutcome | null) => void;
}

/**
 * The steps of a sign-in page besides email and password: passkeys first, then a code, a passkey after the house's
 * account, or setting up two-step verification.
 */
export function SignInSteps({ outcome, password, staffOnly = false, onOutcome }: SignInStepsProps) {
  const restart = () => onOutcome(null);
  if (outcome === null || 'refused' in outcome || 'notAdmin' in outcome) {
    return <PasskeyButton staffOnly={staffOnly} onOutcome={onOutcome} />;
  }
  if ('challenge' in outcome) {
    const { challenge, passkeyRequired } = outcome;
    if (passkeyRequired) return <PasskeyStep challenge={challenge} onOutcome={onOutcome} onRestart={restart} />;
    return <CodeStep challenge={challenge} staffOnly={staffOnly} onOutcome={onOutcome} onRestart={restart} />;
  }
  return <StaffSetUpStep password={password} onDone={() => onOutcome({ user: outcome.user })} onRestart={restart} />;
}
