import { ApiError } from '../api-error.ts';
import { randomKey } from '../request.ts';
import { keepSession, readSession } from './stored-session.ts';

const lockName = 'heartwood-session-renewal';

interface TokenPair {
  token: string;
  refreshToken: string;
}

let lastInThisTab: Promise<unknown> = Promise.resolve();
let pending = { refreshToken: '', key: '' };

/** One key for each refresh token and all its tries: the server gives the same answer for the same key. */
function keyFor(refreshToken: string): string {
  if (pending.refreshToken !== refreshToken) pending = { refreshToken, key: randomKey() };
  return pending.key;
}

/** Runs one task at a time across all tabs; without `navigator.locks` (plain http), within this tab. */
function alone<T>(task: () => Promise<T>): Promise<T> {
  const locks = navigator.locks as LockManager | undefined;
  if (locks) return locks.request(lockName, task);
  const result = lastInThisTab.then(task, task);
  lastInThisTab = result.catch(() => undefined);
  return result;
}

/**
 * A token newer than `staleToken`: another tab's, or one from `exchange`, which gets the refresh token and the key to
 * send with it. Null if the session can't be renewed; throws if no answer came, because then nothing is known about
 * the session.
 */
export function renewToken(
  staleToken: string,
  exchange: (refreshToken: string, key: string) => Promise<TokenPair>,
): Promise<string | null> {
  return alone(async () => {
    const stored = readSession();
    if (stored.token === null) return null;
    if (stored.token !== staleToken) return stored.token;
    if (stored.refreshToken === null) return null;
    try {
      const pair = await exchange(stored.refreshToken, keyFor(stored.refreshToken));
      if (readSession().token !== staleToken) return readSession().token;
      keepSession(pair);
      return pair.token;
    } catch (error) {
      if (error instanceof ApiError && !error.isUnanswered) return null;
      throw error;
    }
  });
}
