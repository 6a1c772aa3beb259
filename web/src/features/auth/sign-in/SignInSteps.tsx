import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { Suspense, useEffect, useEffectEvent, useState } from 'react';
import type { Assertion } from '#contract/auth/passkey.ts';
import { passkeyLogin } from '#contract/auth/passkeys.ts';
import { call } from '../../../api/call.ts';
import { lazyPart } from '../../../ui/loading/lazy-page.tsx';
import { t } from '../../../ui/text/text.ts';
import { askPasskey, canUsePasskeys, offersPasskeys, passkeyText, stopAsking } from '../factors/passkey-ceremony.ts';
import { enter, failCommand, type SignInOutcome } from '../session/session-commands.ts';
import { resetStatus } from '../session/session.ts';
import { CodeStep } from './CodeStep.tsx';

const staffSetUp = lazyPart(() => import('./StaffSetUp.tsx').then((module) => module.StaffSetUpStep));

/** A challenge is valid for five minutes; the one offered by autofill is renewed before that. */
const offerAgainMs = 4 * 60_000;

interface PasskeyButtonProps {
  staffOnly: boolean;
  onOutcome: (outcome: SignInOutcome) => void;
}

/** Signing in with a passkey: by its button, or from the autofill list of the email field. Nothing where the browser has none. */
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
    // People who type their password instead have not refused anything, so this fails silently.
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
      {t('Sign in with a passkey')}
    </Button>
  );
}

interface SignInStepsProps {
  /** The result of signing in so far; null before the first try. */
  outcome: SignInOutcome | null;
  /** What was typed, so that staff who set up two-step verification need not type it again. */
  password: string;
  staffOnly?: boolean;
  onOutcome: (outcome: SignInOutcome | null) => void;
}

/** What a sign-in page has besides email and password: passkeys before, then a code or setting up two-step verification. */
export function SignInSteps({ outcome, password, staffOnly = false, onOutcome }: SignInStepsProps) {
  const restart = () => onOutcome(null);
  if (outcome === null || 'refused' in outcome || 'notAdmin' in outcome) {
    return <PasskeyButton staffOnly={staffOnly} onOutcome={onOutcome} />;
  }
  if ('challenge' in outcome) {
    const { challenge } = outcome;
    return <CodeStep challenge={challenge} staffOnly={staffOnly} onOutcome={onOutcome} onRestart={restart} />;
  }
  return (
    <Suspense>
      <staffSetUp.Part password={password} onDone={() => onOutcome({ user: outcome.user })} onRestart={restart} />
    </Suspense>
  );
}
