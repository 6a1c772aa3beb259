import { useEffect, useRef, useState } from 'react';
import { failCommand } from '../../features/auth/session/command-status.ts';
import { enterWith, type Joining, type ShownOutcome } from '../../features/auth/sign-in/identity-commands.ts';
import { endTrip, type Returned } from '../../features/auth/sign-in/identity-return.ts';
import { providerNames } from '../../features/auth/sign-in/identity-trip.ts';
import { resetStatus } from '../../features/auth/session/session.ts';
import type { SignInOutcome } from '../../features/auth/sign-in/sign-in.ts';
import { LoadingState } from '../../ui/feedback/PageStates.tsx';
import { useText } from '../../ui/text/text.ts';
import { DoorCard } from './DoorCard.tsx';
import { JoinStep } from './JoinStep.tsx';
import { LinkStep } from './LinkStep.tsx';

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
