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
const draftEntries = /^draft:/;
/** In a tab whose session expired: whose drafts it still has. */
const draftsOfKey = 'drafts-of';
/** Set and removed at once: tells the other tabs that the session expired, which its missing entries don't. */
const endKey = 'sessionEnd';
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

let lastUserId = readSession().user?._id;
/** Whether another tab said that the session expired. */
let hasExpired = false;

/** What was typed outlives an expired session in its tab; when someone signs in again, only the same person gets it back. */
function tidyTab(userId: string | undefined, ended: EndReason | null): void {
  const draftsOf = sessionStorage.getItem(draftsOfKey);
  const isForAnother = draftsOf !== null && userId !== undefined && draftsOf !== userId;
  if (ended === 'signedOut') return sessionStorage.clear();
  for (const key of Object.keys(sessionStorage))
    if (draftEntries.test(key) ? isForAnother : ended !== null) sessionStorage.removeItem(key);
  if (ended === 'expired') sessionStorage.setItem(draftsOfKey, lastUserId ?? '');
  else if (userId !== undefined) sessionStorage.removeItem(draftsOfKey);
}

function announce(ended: EndReason | null): void {
  const session = readSession();
  tidyTab(session.user?._id, ended);
  lastUserId = session.user?._id ?? lastUserId;
  if (session.token !== null) hasExpired = false;
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
  lastUserId = readSession().user?._id ?? lastUserId;
  if (reason === 'expired') localStorage.setItem(endKey, reason);
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
  const reason = hasExpired ? 'expired' : 'signedOut';
  announce(localStorage.getItem(tokenKey) === null ? reason : null);
}

window.addEventListener('storage', ({ key, newValue }) => {
  if (key === endKey && newValue === 'expired') hasExpired = true;
  if (key === null || keys.includes(key)) rereadSession();
});

// Another person may have signed in while this tab was not loaded.
tidyTab(lastUserId, null);
