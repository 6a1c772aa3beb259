import { create } from 'zustand';
import { type EndReason, onSessionChange, readSession, type StoredUser } from '../../../api/session/stored-session.ts';

export type AuthStatus =
  'idle' | 'loading' | 'succeeded' | 'failed' | 'resend_loading' | 'resend_succeeded' | 'resend_failed';

export interface SessionState {
  token: string | null;
  refreshToken: string | null;
  /** As last told by the server. It decides what is drawn, never what is allowed. */
  user: StoredUser | null;
  /** Whether they have premium, as last told by the server or set here; null until it is told. */
  isVIP: boolean | null;
  status: AuthStatus;
  error: string | null;
  requiresVerification: boolean;
  requiresProfileCompletion: boolean;
  onboardingComplete: boolean;
  /** Staff who must set a second factor up before anything else. */
  requiresSecondFactor?: boolean | undefined;
  /** When the second factor goes, as somebody asked who says to have lost it. */
  secondFactorRemovalAt?: string | null | undefined;
  /** The handle that verifies together with the mailed code; kept in memory alone. */
  verificationToken: string | null;
  /** Until when somebody who has just left can return. */
  restoreUntil: string | null;
  /** Why there is no session any more; null before there was one. */
  ended: EndReason | null;
}

const nobody = {
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

/** Who is signed in on this device, and how the last command on the session went. */
export const useSession = create<SessionState>()(() => ({ ...readSession(), ...nobody, ended: null }));

onSessionChange((stored, ended) => {
  const isSomebodyElse = stored.user?._id !== useSession.getState().user?._id;
  useSession.setState({ ...stored, ended, ...(isSomebodyElse || ended ? nobody : {}) });
});

/** Ready for a new attempt: no status, no error. */
export function resetStatus(): void {
  useSession.setState({ status: 'idle', error: null });
}

/** Draws the person with or without premium from now on, until the server says otherwise. */
export function setVip(isVIP: boolean): void {
  useSession.setState({ isVIP });
}

/** A name to address somebody by: first and last name, else the name, else the address. */
export function displayName(user: Pick<StoredUser, 'firstName' | 'lastName' | 'name' | 'email'>): string {
  return [user.firstName, user.lastName].filter(Boolean).join(' ') || user.name || user.email;
}
