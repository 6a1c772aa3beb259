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

/** Reads the signed-in user from the server and shows that; throws the `ApiError`. */
export async function readCurrentUser(signal?: AbortSignal): Promise<void> {
  const { userData } = await call(getProfile, signal ? { signal } : {});
  const { user, privacySettings: _, ...steps } = userData;
  const { token, user: stored } = readSession();
  if (token === null || (stored !== null && stored._id !== user._id)) return;
  lastRead = { userId: user._id, at: performance.now() };
  keepSession({ user });
  useSession.setState({ isVIP: user.isVIP, ...steps });
}

/** Reads the signed-in user at most once a minute, so that a changed name or role shows here too. */
export function useCurrentUser(): void {
  const userId = useSession((session) => (session.token === null ? null : (session.user?._id ?? '')));

  useEffect(() => {
    if (userId === null) return;
    if (lastRead.userId === userId && performance.now() - lastRead.at < freshForMs) return;
    const leaving = new AbortController();
    // Without an answer the stored user stays; `call` has handled a session that ran out.
    readCurrentUser(leaving.signal).catch(() => undefined);
    return () => leaving.abort();
  }, [userId]);
}

/** Updates the rest of the app after members changed their own profile: the name in the header, and what is still missing. */
export function noteOwnUser(user: OwnUser): void {
  keepSession({ user });
  useSession.setState({
    isVIP: user.isVIP,
    requiresProfileCompletion: !user.isAdmin && !user.profileComplete,
    onboardingComplete: user.profileComplete,
  });
}

/** Signs out on this device at once, even offline; the server is told when it can be reached. */
export function signOut(): void {
  const { token, refreshToken } = readSession();
  clearSession('signedOut');
  if (token !== null) void endSessionOnServer({ token, refreshToken });
}
