import { useEffect } from 'react';
import { getProfile } from '#contract/profiles/profiles.ts';
import { call } from '../../../api/call.ts';
import { keepSession, onSessionChange, readSession } from '../../../api/session/stored-session.ts';
import { useSession } from './session.ts';

const freshForMs = 60_000;
const never = { userId: '', at: -Infinity };
let last = never;

onSessionChange((_session, ended) => {
  if (ended) last = never;
});

/** Asks the server who is signed in, now, and draws that; throws the `ApiError`. */
export async function readCurrentUser(signal?: AbortSignal): Promise<void> {
  const { userData } = await call(getProfile, signal ? { signal } : {});
  const { user, privacySettings: _, ...steps } = userData;
  const { token, user: stored } = readSession();
  if (token === null || (stored !== null && stored._id !== user._id)) return;
  last = { userId: user._id, at: performance.now() };
  keepSession({ user });
  useSession.setState({ isVIP: user.isVIP, ...steps });
}

/** Asks the server who is signed in, once a minute at most, so that a changed name, role or lost admin flag shows here too. */
export function useCurrentUser(): void {
  const userId = useSession((session) => (session.token === null ? null : (session.user?._id ?? '')));

  useEffect(() => {
    if (userId === null) return;
    if (last.userId === userId && performance.now() - last.at < freshForMs) return;
    const leaving = new AbortController();
    // Without an answer the stored user stays; a session that ran out has been dealt with by `call`.
    readCurrentUser(leaving.signal).catch(() => undefined);
    return () => leaving.abort();
  }, [userId]);
}
