import type { Readable } from 'node:stream';
import { msg } from '@lingui/core/runtime-macro';
import { AppError, invalid, tooMany } from './app-error.ts';

/** How many uploads of one member may be read or processed at a time. */
const mostOfMember = 4;
/** How many bytes may be held in memory. The limit for one network is lower than for all, so that no network takes up everything. */
const mostBytes = { network: 60_000_000, all: 100_000_000 };
/** How long a client may send nothing. */
export const stalledAfterMs = 5000;

/** An upload that is in progress. */
interface Place {
  /** Counts bytes that have arrived; 503 if there is no room for them. */
  take(bytes: number): void;
  /** Frees the place and the room for its bytes. */
  leave(): void;
}

/**
 * Counts the uploads in progress. Only bytes that have arrived take up room, because a claimed length costs its sender
 * nothing. `enter` throws 429 while the member has four uploads in progress.
 */
export function uploadRoom(): { enter(member: string, network: string): Place } {
  const counts = new Map<string, number>();
  const change = (subject: string, by: number): number => {
    const count = (counts.get(subject) ?? 0) + by;
    if (count > 0) counts.set(subject, count);
    else counts.delete(subject);
    return count;
  };
  return {
    enter(member, network) {
      const [uploads, ofNetwork, ofAll] = [`uploads ${member}`, `bytes ${network}`, 'bytes'];
      if ((counts.get(uploads) ?? 0) >= mostOfMember)
        throw tooMany(msg`Please wait for your other uploads to finish`, 2);
      change(uploads, 1);
      let taken = 0;
      return {
        take(bytes) {
          taken += bytes;
          const held = { network: change(ofNetwork, bytes), all: change(ofAll, bytes) };
          if (held.network > mostBytes.network || held.all > mostBytes.all)
            throw new AppError('UNAVAILABLE', msg`Many pictures are being uploaded. Please try again in a moment.`, {
              retryAfterSeconds: 2,
            });
        },
        leave() {
          change(uploads, -1);
          change(ofNetwork, -taken);
          change(ofAll, -taken);
        },
      };
    },
  };
}

/**
 * The result of `read`, while each chunk of `body` is given to `take`. Rejects with 408 if nothing arrives for five
 * seconds, and with what `take` throws; `read` then continues until the body is closed.
 */
export async function whileArriving<T>(
  body: Readable,
  take: (bytes: number) => void,
  read: () => Promise<T>,
): Promise<T> {
  const { promise: refused, reject } = Promise.withResolvers<never>();
  const stalled = setTimeout(
    () => reject(invalid('file', msg`The request did not arrive in time`, 'REQUEST_TIMEOUT')),
    stalledAfterMs,
  );
  const onChunk = (chunk: Buffer) => {
    stalled.refresh();
    try {
      take(chunk.length);
    } catch (error) {
      reject(error);
    }
  };
  body.on('data', onChunk);
  try {
    return await Promise.race([read(), refused]);
  } finally {
    clearTimeout(stalled);
    body.off('data', onChunk);
  }
}
