import { msg } from '@lingui/core/runtime-macro';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { AppError } from '#platform/http/app-error.ts';

// argon2id, the library's default, with 19 MiB, two passes and one lane (OWASP's first choice) takes about 25 ms.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const parameterText = 'm=19456,t=2,p=1';

// Hashing shares libuv's four threads with file access and DNS, so only two run at the same time, and requests are
// refused while more than 20 wait.
const atOnce = pLimit(2);
const longestQueue = 20;

function queued<T>(work: () => Promise<T>): Promise<T> {
  if (atOnce.pendingCount >= longestQueue) {
    throw new AppError('UNAVAILABLE', msg`The service is busy. Please try again in a moment.`, {
      retryAfterSeconds: 2,
    });
  }
  return atOnce(work);
}

let dummyHash: Promise<string> | undefined;

/**
 * Hashes a password with argon2id, normalized to NFC because keyboards type `é` as one character or as two; 503 if too
 * many hashes are waiting.
 */
export async function hashPassword(password: string): Promise<string> {
  return await queued(() => hash(password.normalize('NFC'), parameters));
}

/**
 * Whether `password` matches the hash `stored`. Takes equally long if `stored` is null. 503 if too many hashes are
 * waiting.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  dummyHash ??= hash('no account has this password', parameters);
  const compared = stored ?? (await dummyHash);
  const normal = password.normalize('NFC');
  // Releases up to 0.2 hashed passwords without normalizing them.
  const forms = normal === password ? [normal] : [normal, password];
  for (const form of forms) if (await queued(() => verify(compared, form))) return stored !== null;
  return false;
}

/** Whether the hash `stored` was made with parameters other than the current ones. */
export function needsRehash(stored: string): boolean {
  return !stored.includes(parameterText);
}
