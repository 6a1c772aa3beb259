import { t } from '@lingui/core/macro';
import { IconBuilding } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { houseSignIn, linkHouse, startHouse } from '#contract/auth/house.ts';
import { errorMessage } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { tabStorage } from '../../../browser-storage.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { failCommand, type SignInOutcome } from '../session/session-commands.ts';
import { resetStatus, signOut } from '../session/session.ts';
import { enterWith, notStored } from './identities.ts';

const stateKey = 'house-page';

/** The parameters with which a browser came back from the house's provider; without a code, the person did not sign in there. */
interface Returned {
  code: string | null;
  state: string;
  iss?: string;
}

/** Runs only once, in the tab that was redirected: signing in clears the loaded data, which renders this part again. */
function returnedBy(search: string): Returned | null {
  if (tabStorage.read(stateKey) === null) return null;
  const given = new URLSearchParams(search);
  const [code, state, iss] = [given.get('code'), given.get('state'), given.get('iss')];
  if (state === null || (code === null && given.get('error') === null)) return null;
  return { code, state, ...(iss !== null && { iss }) };
}

interface HouseSignInProps {
  /** The house's name for its account. */
  name: string;
  /** `before` is the state of this page before the redirect, including the requested page. */
  onOutcome: (outcome: SignInOutcome, before: unknown) => void;
  /** A staff account has the person's address; with this token its owner links the two. */
  onLinkable: (linkToken: string) => void;
}

/** The button for signing in with the house's account. It also finishes the sign-in when staff come back. */
export function HouseSignIn({ name, onOutcome, onLinkable }: HouseSignInProps) {
  const navigate = useNavigate();
  const location = useLocation();
  const [returned] = useState(() => returnedBy(location.search));
  const isFinished = useRef(false);

  const leaving = useMutation({
    mutationFn: async () => {
      resetStatus();
      const { url } = (await call(startHouse)).data;
      if (!tabStorage.write(stateKey, JSON.stringify(location.state ?? null))) throw notStored();
      window.location.assign(url);
    },
    onError: (error) => failCommand(errorMessage(error)),
  });

  const finish = useEffectEvent(async ({ code, ...rest }: Returned) => {
    // Restores the requested page, and removes the code from the address.
    const before: unknown = JSON.parse(tabStorage.read(stateKey) ?? 'null');
    tabStorage.remove(stateKey);
    await navigate(location.pathname, { replace: true, state: before });
    if (code === null) return failCommand(t`You came back from ${{ provider: name }} without signing in.`);
    const outcome = await enterWith(() => call(houseSignIn, { body: { code, ...rest } }), { staffOnly: true });
    if ('linkToken' in outcome) onLinkable(outcome.linkToken);
    else if (!('joining' in outcome)) onOutcome(outcome, before);
  });

  useEffect(() => {
    if (returned === null || isFinished.current) return;
    isFinished.current = true;
    void finish(returned);
  }, [returned]);

  // After the browser's Back button, the page is restored as it was left, with a busy button.
  useEffect(() => {
    const wake = (event: PageTransitionEvent) => event.persisted && leaving.reset();
    window.addEventListener('pageshow', wake);
    return () => window.removeEventListener('pageshow', wake);
  });

  return (
    <BusyButton
      variant="default"
      size="md"
      fullWidth
      leftSection={<IconBuilding size={20} stroke={1.75} aria-hidden="true" />}
      isBusy={leaving.isPending || leaving.isSuccess}
      busyText={t`One moment...`}
      onClick={() => leaving.mutate()}
    >
      {t`Sign in with ${{ name }}`}
    </BusyButton>
  );
}

/** Links the house's account to the staff account that was just signed in, which signs it out. Returns whether it worked. */
export async function linkToHouse(linkToken: string): Promise<boolean> {
  const failure = await call(linkHouse, { body: { linkToken } }).then(
    () => null,
    (error: unknown) => errorMessage(error as Error),
  );
  signOut();
  if (failure !== null) failCommand(failure);
  return failure === null;
}
