import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { passkeyLogin } from '#contract/auth/passkeys.ts';
import type { Assertion } from '#contract/auth/passkey.ts';
import { call } from '../../../api/call.ts';
import { useText } from '../../../ui/text/text.ts';
import { failCommand } from '../session/command-status.ts';
import { canUsePasskeys, offersPasskeys, passkeyText, stopAsking, askPasskey } from '../factors/passkey-browser.ts';
import { resetStatus } from '../session/session.ts';
import { enter, type SignInOutcome } from './sign-in.ts';

/** A challenge lives five minutes; the one that is offered is taken back before. */
const offerAgainMs = 4 * 60_000;

interface PasskeyDoorProps {
  staffOnly: boolean;
  onOutcome: (outcome: SignInOutcome) => void;
}

/** Signs in by passkey: by its button, or chosen where the address is typed. Nothing where the browser has none. */
export function PasskeyDoor({ staffOnly, onOutcome }: PasskeyDoorProps) {
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
