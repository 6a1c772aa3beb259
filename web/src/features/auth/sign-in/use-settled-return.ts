import { useEffect, useRef, useState } from 'react';
import { confirmIdentity, type IdentityProvider, type WaysIn } from '#contract/auth/identities.ts';
import { call } from '../../../api/call.ts';
import { useCommand } from '../../../api/use-command.ts';
import { useText } from '../../../ui/text/text.ts';
import { endTrip, type Returned, type Shown } from './identity-return.ts';
import { providerNames } from './identity-trip.ts';
import { useIdentityReturn } from './use-identity-return.ts';

interface Ends {
  /** They would link this. */
  onLink: (provider: IdentityProvider, shown: Shown) => void;
  /** They have confirmed that it is them. */
  onConfirmed: (ways: WaysIn) => void;
}

/** Settles in the settings what somebody went to a provider for; answers how it ended, in words where it failed. */
export function useSettledReturn({ onLink, onConfirmed }: Ends): { isConfirmed: boolean; error: string | null } {
  const t = useText();
  const [returned, settle] = useIdentityReturn();
  const confirming = useCommand();
  const [words, setWords] = useState<string | null>(null);
  const isSettled = useRef(false);

  useEffect(() => {
    if (returned === null || isSettled.current) return;
    isSettled.current = true;
    endTrip();
    void settleOne(returned).finally(settle);
  });

  async function settleOne({ trip, shown }: Returned): Promise<void> {
    if (trip === null) return setWords(t('This was not begun in this tab. Please begin again.'));
    const provider = providerNames[trip.provider];
    if (shown === null) return setWords(t('You came back from {provider} without signing in.', { provider }));
    if (trip.purpose === 'link') return onLink(trip.provider, shown);
    await confirming.run(async () => onConfirmed((await call(confirmIdentity, { body: shown })).data));
  }

  return { isConfirmed: confirming.isDone, error: words ?? confirming.error };
}
