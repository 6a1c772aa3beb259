import { ApiError } from './api-error.ts';
import { randomKey } from './random-key.ts';
import { onSessionChange } from './stored-session.ts';

const unanswered = new Map<string, string>();

/**
 * Sends a creating request under its `Idempotency-Key`. One that found no answer may have arrived all the same: sent again by
 * hand, word for word, it goes under the same key, so that it has its effect once.
 */
export async function sendWithKey<T>(what: string, send: (key: string) => Promise<T>): Promise<T> {
  const key = unanswered.get(what) ?? randomKey();
  try {
    const answer = await send(key);
    unanswered.delete(what);
    return answer;
  } catch (error) {
    const isAnswered = error instanceof ApiError && error.status !== null && error.status < 500;
    if (isAnswered) unanswered.delete(what);
    else unanswered.set(what, key);
    throw error;
  }
}

onSessionChange(({ token }) => {
  if (token === null) unanswered.clear();
});
