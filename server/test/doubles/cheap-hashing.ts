import type * as Argon2 from '@node-rs/argon2';
import { vi } from 'vitest';
import { noteOutsideCall } from '../transaction-guard.ts';

const real = await vi.importActual<typeof Argon2>('@node-rs/argon2');
const cheap = { memoryCost: 8, timeCost: 1, parallelism: 1 };
const cheapText = 'm=8,t=1,p=1';

let isReal = false;

let running = 0;
/** How many hashes were made at the same time at most. */
export let mostAtOnce = 0;

/**
 * The library's hash with the cheapest parameters, which takes microseconds and needs no 19 MiB. The result states the
 * requested parameters.
 */
export const hash: typeof real.hash = async (password, options, signal) => {
  noteOutsideCall('hashing');
  if (isReal) return await real.hash(password, options, signal);
  const { memoryCost = 4096, timeCost = 3, parallelism = 1 } = options ?? {};
  running += 1;
  mostAtOnce = Math.max(mostAtOnce, running);
  const made = await real.hash(password, { ...options, ...cheap }, signal).finally(() => (running -= 1));
  return made.replace(cheapText, `m=${memoryCost},t=${timeCost},p=${parallelism}`);
};

/** Checks a password against a hash made by the function above. */
export const verify: typeof real.verify = async (stored, password, options, signal) => {
  noteOutsideCall('hashing');
  const asked = isReal ? stored : String(stored).replace(/m=\d+,t=\d+,p=\d+/, cheapText);
  return await real.verify(asked, password, options, signal);
};

/** Runs `work` with the real library, for the test of the hashes that the product stores. */
export async function withRealHashing<T>(work: () => Promise<T>): Promise<T> {
  isReal = true;
  try {
    return await work();
  } finally {
    isReal = false;
  }
}
