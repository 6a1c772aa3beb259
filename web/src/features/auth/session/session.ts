import { create } from 'zustand';
import { type EndReason, onSessionChange, readSession, type StoredUser } from '../../../api/session/stored-session.ts';

export type AuthStatus =
  'idle' | 'loading' | 'succeeded' | 'failed' | 'resend_loading' | 'resend_succeeded' | 'resend_failed';

export interface SessionState {
  token: string | null;
  refreshToken: string | null;
  /** As the server last described them. Decides what is shown, never what is allowed. */
  user: StoredUser | null;
  /** Whether they have premium, as the server last said or as set here; null until known. */
  isVIP: boolean | null;
  status: AuthStatus;
  error: string | null;
  requiresVerification: boolean;
  requiresProfileCompletion: boolean;
  onboardingComplete: boolean;
  /** Staff have to set up two-step verification before anything else. */
  requiresSecondFactor?: boolean | undefined;
  /** When two-step verification will be turned off, after it was reported lost. */
  secondFactorRemovalAt?: string | null | undefined;
  /** Verifies the email address together with the emailed code; kept in memory only. */
  verificationToken: string | null;
  /** Until when an account that was just deleted can be restored. */
  restoreUntil: string | null;
  /** Why the session ended; null where there was none before. */
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
  requiresSecondFactor: false,
  secondFactorRemovalAt: null,
} satisfies Partial<SessionState>;

/** Who is signed in on this device, and the state of the last command on the session. */
export const useSession = create<SessionState>()(() => ({ ...readSession(), ...signedOutState, ended: null }));

onSessionChange((stored, ended) => {
  const isOtherUser = stored.user?._id !== useSession.getState().user?._id;
  useSession.setState({ ...stored, ended, ...(isOtherUser || ended ? signedOutState : {}) });
});

/** Clears status and error before a new attempt. */
export function resetStatus(): void {
  useSession.setState({ status: 'idle', error: null });
}

/** Shows the person with or without premium from now on, until the server says otherwise. */
export function setVip(isVIP: boolean): void {
  useSession.setState({ isVIP });
}

/** The name to show for a user: first and last name, else the name, else the email address. */
export function displayName(user: Pick<StoredUser, 'firstName' | 'lastName' | 'name' | 'email'>): string {
  return [user.firstName, user.lastName].filter(Boolean).join(' ') || user.name || user.email;
}
