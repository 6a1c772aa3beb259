import { retryAttempts, retryBaseDelayMs } from '#contract/constants.ts';
import { ApiError } from './api-error.ts';

/** Whether a request may go through on another try: it found no answer, or a server error. */
export function isWorthRepeating(error: unknown): boolean {
  return error instanceof ApiError && (error.status === null || error.status >= 500);
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    function stop() {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    }
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Runs `attempt` up to three times, one second apart, doubling; a 4xx answer or an abort ends it at once. */
export async function retry<T>(attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (tries >= retryAttempts || !isWorthRepeating(error)) throw error;
      await pause(retryBaseDelayMs * 2 ** (tries - 1), signal);
    }
  }
}
