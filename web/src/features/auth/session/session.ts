import { useEffect } from 'react';
import { create } from 'zustand';
import type { AnswerOf } from '#contract/endpoint.ts';
import type { Language } from '#contract/languages.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { readableAddress } from '#contract/text.ts';
import { call, endSessionOnServer } from '../../../api/call.ts';
import { keys } from '../../../api/keys.ts';
import { queryClient } from '../../../api/query-client.ts';
import {
  clearSession,
  type EndReason,
  keepSession,
  onSessionChange,
  readSession,
  type StoredUser,
} from '../../../api/session/stored-session.ts';
import { chooseLanguage } from '../../../ui/text/catalogues.ts';
import { language } from '../../../ui/text/text.ts';

type AuthStatus = 'idle' | 'loading' | 'succeeded' | 'failed' | 'resend_loading' | 'resend_succeeded' | 'resend_failed';

export interface SessionState {
  token: string | null;
  refreshToken: string | null;
  /** The user as last received from the server. It decides what is shown, never what is allowed. */
  user: StoredUser | null;
  /** Whether the user has premium, as last received or as set here; null until known. */
  isVIP: boolean | null;
  status: AuthStatus;
  error: string | null;
  requiresVerification: boolean;
  requiresProfileCompletion: boolean;
  onboardingComplete: boolean;
  /** The terms have changed since the user accepted them. */
  requiresTerms?: boolean | undefined;
  /** Staff have to set up two-step verification before they can do anything else. */
  requiresSecondFactor?: boolean | undefined;
  /** When two-step verification will be turned off because the user reported it lost. */
  secondFactorRemovalAt?: string | null | undefined;
  /** When a change of the email address will be undone. */
  addressRestoreAt?: string | null | undefined;
  /** Verifies the email address together with the emailed code; kept in memory only. */
  verificationToken: string | null;
  /** The time until which the account that was just deleted can be restored. */
  restoreUntil: string | null;
  /** Why the last session ended; null if there was none. */
  ended: EndReason | null;
}

const signedOutState = {
  isVIP: null,
  status: 'idle',
  error: null,
  requiresVerification: false,
  requiresProfileCompletion: false,
  onboardingComplete: false,
  verificationToken: null,
  restoreUntil: null,
  requiresTerms: false,
  requiresSecondFactor: false,
  secondFactorRemovalAt: null,
  addressRestoreAt: null,
} satisfies Partial<SessionState>;

/** The user who is signed in on this device, and the state of the last session command. */
export const useSession = create<SessionState>()(() => ({ ...readSession(), ...signedOutState, ended: null }));

onSessionChange((stored, ended) => {
  const isOtherUser = stored.user?._id !== useSession.getState().user?._id;
  useSession.setState({ ...stored, ended, ...(isOtherUser || ended ? signedOutState : {}) });
});

let accountLanguage: Language | undefined;

// Applies the language of the account on each of the user's devices, as soon as it is known or changes.
onSessionChange(({ user }) => {
  const isKnown = user?.language === accountLanguage;
  accountLanguage = user?.language;
  if (!isKnown && accountLanguage !== undefined && accountLanguage !== language)
    chooseLanguage(accountLanguage).catch(() => undefined);
});

/** Clears status and error before a new attempt. */
export function resetStatus(): void {
  useSession.setState({ status: 'idle', error: null });
}

/** Shows the user with or without premium until the next answer from the server. */
export function setVip(isVIP: boolean): void {
  useSession.setState({ isVIP });
}

/** The name to show for a user: first and last name, otherwise the name, otherwise the email address. */
export function displayName(user: Partial<Pick<StoredUser, 'firstName' | 'lastName' | 'name' | 'email'>>): string {
  return [user.firstName, user.lastName].filter(Boolean).join(' ') || user.name || readableAddress(user.email ?? '');
}

const freshForMs = 60_000;
const neverRead = { userId: '', at: -Infinity };
let lastRead = neverRead;
/** How many sessions have ended in this tab. */
let ends = 0;

onSessionChange((_session, ended) => {
  if (!ended) return;
  lastRead = neverRead;
  ends += 1;
});

/**
 * Loads the signed-in user from the server and updates the session, unless it has ended meanwhile; throws an `ApiError`
 * on failure.
 */
export async function readCurrentUser(signal?: AbortSignal): Promise<void> {
  const endsBefore = ends;
  const { userData } = await call(getProfile, signal ? { signal } : {});
  if (ends !== endsBefore) return;
  const { user, privacySettings: _, ...steps } = userData;
  const { token, user: stored } = readSession();
  if (token === null || (stored !== null && stored._id !== user._id)) return;
  lastRead = { userId: user._id, at: performance.now() };
  keepSession({ user });
  useSession.setState({ isVIP: user.isVIP, ...steps });
  // Stories and forms use this answer instead of sending their own request. If they have already loaded or changed the
  // profile, theirs is newer.
  queryClient.setQueryData<AnswerOf<typeof getProfile>['userData']>(keys.ownProfile, (known) => known ?? userData);
}

/** Loads the signed-in user at most once a minute, so that a changed name or role shows up here too. */
export function useCurrentUser(): void {
  const userId = useSession((session) => (session.token === null ? null : (session.user?._id ?? '')));

  useEffect(() => {
    if (userId === null) return;
    if (lastRead.userId === userId && performance.now() - lastRead.at < freshForMs) return;
    lastRead = { userId, at: performance.now() };
    // Without an answer the stored user is kept; `call` has already handled an expired session.
    readCurrentUser().catch(() => {
      lastRead = neverRead;
    });
  }, [userId]);
}

/**
 * Updates the rest of the app after members have changed their profile: the name in the header, and what is still
 * missing.
 */
export function noteOwnUser(user: OwnUser): void {
  keepSession({ user });
  useSession.setState({
    isVIP: user.isVIP,
    requiresProfileCompletion: !user.isAdmin && !user.profileComplete,
    onboardingComplete: user.profileComplete,
  });
}

/** Signs out on this device at once, even offline. The server is notified if it can be reached. */
export function signOut(): void {
  void endSession();
}

/** Like `signOut`, and then also out of the house's account, if the session was opened with it. */
export async function signOutOfHouse(): Promise<void> {
  const address = await endSession();
  // Meanwhile someone may have signed in again.
  if (address !== null && readSession().token === null) window.location.assign(address);
}

async function endSession(): Promise<string | null> {
  const { token, refreshToken } = readSession();
  clearSession('signedOut');
  return token === null ? null : await endSessionOnServer({ token, refreshToken });
}
