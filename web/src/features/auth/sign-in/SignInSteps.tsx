import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { Suspense, useEffect, useEffectEvent, useState } from 'react';
import type { Assertion } from '#contract/auth/passkey.ts';
import { passkeyLogin } from '#contract/auth/passkeys.ts';
import { call } from '../../../api/call.ts';
import { useText } from '../../../ui/text/text.ts';
import { enter, failCommand, type SignInOutcome } from '../session/session-commands.ts';
import { askPasskey, canUsePasskeys, offersPasskeys, passkeyText, stopAsking } from '../factors/passkey-ceremony.ts';
import { resetStatus } from '../session/session.ts';
import { lazyPart } from '../../../ui/loading/lazy-page.tsx';
import { CodeStep } from './CodeStep.tsx';
import classes from '../sign-in.module.css';
import { staffSetUpReason } from './StaffSetUp.tsx';

/** A challenge lives five minutes; the one that is offered is taken back before. */
const offerAgainMs = 4 * 60_000;

interface PasskeyDoorProps {
  staffOnly: boolean;
  onOutcome: (outcome: SignInOutcome) => void;
}

/** Signs in by passkey: by its button, or chosen where the address is typed. Nothing where the browser has none. */
function PasskeyDoor({ staffOnly, onOutcome }: PasskeyDoorProps) {
  const t = useText();
  const [round, setRound] = useState(0);
  const offerAgain = () => setRound((before) => before + 1);

  async function signIn(credential: Assertion) {
    const outcome = await enter(() => call(passkeyLogin, { body: { credential } }), { staffOnly });
    if ('refused' in outcome) offerAgain();
    onOutcome(outcome);
  }
  const take = useEffectEvent(signIn);

  useEffect(() => {
    const leaving = new AbortController();
    async function offer() {
      if (!(await offersPasskeys()) || leaving.signal.aborted) return;
      const credential = await askPasskey({ isOffered: true });
      leaving.signal.throwIfAborted();
      await take(credential);
    }
    // Whoever types on instead has said no to nothing.
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

const staffSetUpPart = lazyPart(() => import('./StaffSetUp.tsx').then((module) => module.StaffSetUp));

interface DoorStepsProps {
  /** What has come of signing in so far; null before. */
  outcome: SignInOutcome | null;
  /** What was typed: whoever sets a second factor up need not type it again. */
  password: string;
  staffOnly?: boolean;
  onOutcome: (outcome: SignInOutcome | null) => void;
}

/** What a door has besides address and password: passkeys before, a code or the set-up of a second factor after. */
export function DoorSteps({ outcome, password, staffOnly = false, onOutcome }: DoorStepsProps) {
  const t = useText();
  const door = { staffOnly, onOutcome };
  if (outcome === null || 'refused' in outcome || 'notAdmin' in outcome) return <PasskeyDoor {...door} />;
  if ('challenge' in outcome)
    return <CodeStep {...door} challenge={outcome.challenge} onRestart={() => onOutcome(null)} />;
  return (
    <Suspense>
      <section className={classes.step} aria-labelledby="second-step">
        <div>
          <h3 id="second-step" className={classes.stepTitle}>
            {t('Set up your second step')}
          </h3>
          <p className={classes.stepSoft}>{t(staffSetUpReason)}</p>
        </div>
        <staffSetUpPart.Part
          password={password}
          onDone={() => onOutcome({ user: outcome.user })}
          onStartAgain={() => onOutcome(null)}
        />
      </section>
    </Suspense>
  );
}
