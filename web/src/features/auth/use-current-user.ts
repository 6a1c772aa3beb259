import { useEffect } from 'react';
import { getProfile } from '#contract/profiles.ts';
import { call } from '../../api/call.ts';
import { keepSession, onSessionChange } from '../../api/stored-session.ts';
import { useSession } from './session.ts';

const freshForMs = 60_000;
const never = { userId: '', at: -Infinity };
let last = never;

onSessionChange((_session, ended) => {
  if (ended) last = never;
});

/** Asks the server who is signed in, once a minute at most, so that a changed name, role or lost admin flag shows here too. */
export function useCurrentUser(): void {
  const userId = useSession((session) => (session.token === null ? null : (session.user?._id ?? '')));

  useEffect(() => {
    if (userId === null) return;
    if (last.userId === userId && performance.now() - last.at < freshForMs) return;
    const leaving = new AbortController();
    call(getProfile, { signal: leaving.signal }).then(
      ({ userData: { user, requiresVerification, requiresProfileCompletion, onboardingComplete } }) => {
        last = { userId: user._id, at: performance.now() };
        keepSession({ user });
        useSession.setState({ requiresVerification, requiresProfileCompletion, onboardingComplete });
      },
      // Without an answer the stored user stays; a session that ran out has been dealt with by `call`.
      () => undefined,
    );
    return () => leaving.abort();
  }, [userId]);
}
