import { useEffect } from 'react';
import { getProfile } from '#contract/profiles/profiles.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { call, endSessionOnServer } from '../../../api/call.ts';
import { clearSession, keepSession, onSessionChange, readSession } from '../../../api/session/stored-session.ts';
import { useSession } from './session.ts';

const freshForMs = 60_000;
const neverRead = { userId: '', at: -Infinity };
let lastRead = neverRead;

onSessionChange((_session, ended) => {
  if (ended) lastRead = neverRead;
});

/** Asks the server who is signed in, now, and draws that; throws the `ApiError`. */
export async function readCurrentUser(signal?: AbortSignal): Promise<void> {
  const { userData } = await call(getProfile, signal ? { signal } : {});
  const { user, privacySettings: _, ...steps } = userData;
  const { token, user: stored } = readSession();
  if (token === null || (stored !== null && stored._id !== user._id)) return;
  lastRead = { userId: user._id, at: performance.now() };
  keepSession({ user });
  useSession.setState({ isVIP: user.isVIP, ...steps });
}

/** Asks the server who is signed in, once a minute at most, so that a changed name, role or lost admin flag shows here too. */
export function useCurrentUser(): void {
  const userId = useSession((session) => (session.token === null ? null : (session.user?._id ?? '')));

  useEffect(() => {
    if (userId === null) return;
    if (lastRead.userId === userId && performance.now() - lastRead.at < freshForMs) return;
    const leaving = new AbortController();
    // Without an answer the stored user stays; a session that ran out has been dealt with by `call`.
    readCurrentUser(leaving.signal).catch(() => undefined);
    return () => leaving.abort();
  }, [userId]);
}

/** Tells the rest of the app who the member is after a change of their own: the name in the header, and what is still to do. */
export function noteOwnUser(user: OwnUser): void {
  keepSession({ user });
  useSession.setState({
    isVIP: user.isVIP,
    requiresProfileCompletion: !user.isAdmin && !user.profileComplete,
    onboardingComplete: user.profileComplete,
  });
}

/** Signs out: gone from the device at once, offline too; the server hears of it when it can be reached. */
export function signOut(): void {
  const { token, refreshToken } = readSession();
  clearSession('signedOut');
  if (token !== null) void endSessionOnServer({ token, refreshToken });
}
