import type { OwnUser } from '#contract/profiles/user.ts';

/** What is stored of the user on the device: only what screens need before the first answer. */
export type StoredUser = Pick<OwnUser, '_id' | 'firstName' | 'lastName' | 'name' | 'email' | 'isAdmin' | 'staffRole'>;

export interface StoredSession {
  token: string | null;
  refreshToken: string | null;
  user: StoredUser | null;
}

/** Why a session is over: it expired, or the user signed out (here or in another tab). */
export type EndReason = 'expired' | 'signedOut';

type Listener = (session: StoredSession, ended: EndReason | null) => void;

const tokenKey = 'token';
const userKey = 'user';
const refreshTokenKey = 'refreshToken';
const keys = [tokenKey, userKey, refreshTokenKey];
/** Entries that belong to the device; all others are removed with the session. */
const deviceEntries = /^(color-scheme|single-keys|device:.*)$/;
const listeners = new Set<Listener>();

function parseUser(json: string | null): StoredUser | null {
  if (json === null) return null;
  try {
    const user: unknown = JSON.parse(json);
    return typeof user === 'object' && user !== null && '_id' in user ? (user as StoredUser) : null;
  } catch {
    return null;
  }
}

/** The session as stored now, whichever tab wrote it. */
export function readSession(): StoredSession {
  return {
    token: localStorage.getItem(tokenKey),
    refreshToken: localStorage.getItem(refreshTokenKey),
    user: parseUser(localStorage.getItem(userKey)),
  };
}

function announce(ended: EndReason | null): void {
  if (ended) sessionStorage.clear();
  const session = readSession();
  for (const listener of listeners) listener(session, ended);
}

/** Removes everything that belongs to the person who was signed in, so that the next user never sees it. */
function dropUserEntries(): void {
  const ofSession = (key: string) => keys.includes(key);
  for (const key of Object.keys(localStorage))
    if (!deviceEntries.test(key) && !ofSession(key)) localStorage.removeItem(key);
}

/** Stores the given parts of a session; of the user, only what may be stored on the device. */
export function keepSession({
  token,
  refreshToken,
  user,
}: {
  token?: string | undefined;
  refreshToken?: string | undefined;
  user?: StoredUser;
}): void {
  if (user !== undefined && user._id !== readSession().user?._id) dropUserEntries();
  if (token !== undefined) localStorage.setItem(tokenKey, token);
  if (refreshToken !== undefined) localStorage.setItem(refreshTokenKey, refreshToken);
  if (user !== undefined) {
    const { _id, firstName, lastName, name, email, isAdmin, staffRole } = user;
    localStorage.setItem(userKey, JSON.stringify({ _id, firstName, lastName, name, email, isAdmin, staffRole }));
  }
  announce(null);
}

/** Removes the session and everything stored for its user, for all tabs. */
export function clearSession(reason: EndReason): void {
  for (const key of Object.keys(localStorage)) if (!deviceEntries.test(key)) localStorage.removeItem(key);
  announce(reason);
}

/**
 * Calls `listener` after every change of the session, in this tab or another. Returns a function that unsubscribes.
 */
export function onSessionChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Calls `listener` with the ids of the users now and before (undefined: signed out) whenever another user signs in or the user
 * signs out, in this tab or another. Renewing a token doesn't count.
 */
export function onUserChange(listener: (userId: string | undefined, before: string | undefined) => void): void {
  let known = readSession().user?._id;
  onSessionChange(({ user }) => {
    const before = known;
    known = user?._id;
    if (known !== before) listener(known, before);
  });
}

/** Reads the entries again: another tab may have changed them. */
export function rereadSession(): void {
  announce(localStorage.getItem(tokenKey) === null ? 'signedOut' : null);
}

window.addEventListener('storage', ({ key }) => {
  if (key === null || keys.includes(key)) rereadSession();
});
