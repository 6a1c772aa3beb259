import type { OwnUser } from '#contract/profiles/user.ts';
import { deviceStorage, tabStorage } from '../../browser-storage.ts';

/** The part of the user that is stored on the device: only what screens need before the first answer. */
export type StoredUser = Pick<OwnUser, '_id' | 'firstName' | 'lastName' | 'name' | 'email' | 'isAdmin' | 'staffRole'> &
  Partial<Pick<OwnUser, 'language'>>;

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
/** The idempotency key of a renewal whose answer has not arrived. */
const renewalKeyKey = 'renewalKey';
const keys = [tokenKey, userKey, refreshTokenKey];
/** Entries that belong to the device; all others are removed with the session. */
const deviceEntries = /^(color-scheme|language|single-keys|device:.*)$/;
const draftEntries = /^draft:/;
/**
 * Messages that a person has written but not sent (see `kept.ts`). They are kept after an expired session, but only for
 * that person.
 */
const unsentEntries = /^kept:[^:]+:(draft|outbox):/;
/** In a tab whose session has expired: the id of the user whose drafts it still contains. */
const draftsOfKey = 'drafts-of';
/**
 * Set and removed at once to notify other tabs that the session has expired; they could not know that from the missing
 * entries.
 */
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

/** The session as it is stored now, even if another tab wrote it. */
export function readSession(): StoredSession {
  return {
    token: deviceStorage.read(tokenKey),
    refreshToken: deviceStorage.read(refreshTokenKey),
    user: parseUser(deviceStorage.read(userKey)),
  };
}

let lastUserId = readSession().user?._id;
/** Whether another tab has reported that the session expired. */
let hasExpired = false;

/** After a session has expired, its tab keeps what was typed. If someone else signs in, it is deleted. */
function tidyTab(userId: string | undefined, ended: EndReason | null): void {
  const draftsOf = tabStorage.read(draftsOfKey);
  const isForAnother = draftsOf !== null && userId !== undefined && draftsOf !== userId;
  for (const key of tabStorage.keys())
    if (ended === 'signedOut' || (draftEntries.test(key) ? isForAnother : ended !== null)) tabStorage.remove(key);
  if (ended === 'signedOut') return;
  if (ended === 'expired') tabStorage.write(draftsOfKey, lastUserId ?? '');
  else if (userId !== undefined) tabStorage.remove(draftsOfKey);
}

function announce(ended: EndReason | null): void {
  const session = readSession();
  tidyTab(session.user?._id, ended);
  lastUserId = session.user?._id ?? lastUserId;
  if (session.token !== null) hasExpired = false;
  for (const listener of listeners) listener(session, ended);
}

/** Removes everything stored for other people, so that this user never sees it. */
function dropEntriesOfOthers(userId: string): void {
  const isOwn = (key: string) => keys.includes(key) || (unsentEntries.test(key) && key.startsWith(`kept:${userId}:`));
  for (const key of deviceStorage.keys()) if (!deviceEntries.test(key) && !isOwn(key)) deviceStorage.remove(key);
}

/**
 * The idempotency key for renewing the stored session. It stays the same until new tokens are stored, even after a
 * reload and in other tabs, so that the server gives all tries the same answer. `make` creates a new key.
 */
export function renewalKey(make: () => string): string {
  const key = deviceStorage.read(renewalKeyKey) ?? make();
  deviceStorage.write(renewalKeyKey, key);
  return key;
}

/** Stores the given parts of a session, and only those fields of the user that may be stored on the device. */
export function keepSession({
  token,
  refreshToken,
  user,
}: {
  token?: string | undefined;
  refreshToken?: string | undefined;
  user?: StoredUser;
}): void {
  if (user !== undefined && user._id !== readSession().user?._id) dropEntriesOfOthers(user._id);
  if (token !== undefined) deviceStorage.write(tokenKey, token);
  if (refreshToken !== undefined) {
    deviceStorage.write(refreshTokenKey, refreshToken);
    deviceStorage.remove(renewalKeyKey);
  }
  if (user !== undefined) {
    const { _id, firstName, lastName, name, email, isAdmin, staffRole, language } = user;
    const stored = { _id, firstName, lastName, name, email, isAdmin, staffRole, language };
    deviceStorage.write(userKey, JSON.stringify(stored));
  }
  announce(null);
}

/**
 * Removes the session and everything stored for its user in all tabs. After an expired session, unsent messages are
 * kept.
 */
export function clearSession(reason: EndReason): void {
  lastUserId = readSession().user?._id ?? lastUserId;
  if (reason === 'expired') deviceStorage.write(endKey, reason);
  const stays = (key: string) => deviceEntries.test(key) || (reason === 'expired' && unsentEntries.test(key));
  for (const key of deviceStorage.keys()) if (!stays(key)) deviceStorage.remove(key);
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
 * Calls `listener` with the current and the previous user id (undefined: signed out) whenever another user signs in or
 * the user signs out, in this tab or another. Renewing a token does not count. Returns a function that unsubscribes.
 */
export function onUserChange(listener: (userId: string | undefined, before: string | undefined) => void): void {
  let known = readSession().user?._id;
  onSessionChange(({ user }) => {
    const before = known;
    known = user?._id;
    if (known !== before) listener(known, before);
  });
}

/** Reads the stored session again, because another tab may have changed it. */
export function rereadSession(): void {
  const reason = hasExpired ? 'expired' : 'signedOut';
  announce(deviceStorage.read(tokenKey) === null ? reason : null);
}

window.addEventListener('storage', ({ key, newValue }) => {
  if (key === endKey && newValue === 'expired') hasExpired = true;
  if (key === null || keys.includes(key)) rereadSession();
});

// Another person may have signed in before this tab was restored.
tidyTab(lastUserId, null);
