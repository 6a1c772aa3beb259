import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { AppError } from '../../../platform/http/app-error.ts';

// argon2id, the library's default, with 19 MiB, two passes, one lane (OWASP's first choice): about 25 ms.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const parameterText = 'm=19456,t=2,p=1';

// Hashing shares libuv's four threads with file access and DNS: run two at once, and refuse when more than 20 are waiting.
const atOnce = pLimit(2);
const longestQueue = 20;

function queued<T>(work: () => Promise<T>): Promise<T> {
  if (atOnce.pendingCount >= longestQueue) {
    throw new AppError('UNAVAILABLE', 'The service is busy. Please try again in a moment.', { retryAfterSeconds: 2 });
  }
  return atOnce(work);
}

let dummyHash: Promise<string> | undefined;

/** Hashes a password in Unicode's NFC with argon2id, because keyboards type `é` as one character or as two; 503 when too many are waiting. */
export async function hashPassword(password: string): Promise<string> {
  return await queued(() => hash(password.normalize('NFC'), parameters));
}

/** Whether `password` matches the hash `stored`. Takes as long when `stored` is null. 503 when too many are waiting. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  dummyHash ??= hash('no account has this password', parameters);
  const compared = stored ?? (await dummyHash);
  const normal = password.normalize('NFC');
  // Releases up to 0.2 hashed passwords as they were typed.
  const forms = normal === password ? [normal] : [normal, password];
  for (const form of forms) if (await queued(() => verify(compared, form))) return stored !== null;
  return false;
}

/** Whether the hash `stored` was made with other parameters than the current ones. */
export function needsRehash(stored: string): boolean {
  return !stored.includes(parameterText);
}
