import { AsyncLocalStorage } from 'node:async_hooks';
import type { JobHelpers } from 'graphile-worker';
import type { Db } from '../db/db.ts';
import { addJob } from './jobs.ts';

const stopSignals = new AsyncLocalStorage<AbortSignal>();

/** Runs a job of a worker that aborts `signal` when it stops. */
export const untilStopped = <T>(signal: AbortSignal, work: () => T): T => stopSignals.run(signal, work);

const isStopping = (): boolean => stopSignals.getStore()?.aborted === true;

/** Thrown by a job whose worker stops. The job is queued once more and finds the rest of its work again. */
export class Unfinished extends Error {
  constructor() {
    super('The worker stops, and the job continues later.');
  }
}

/** Call this between two steps of a loop. Throws `Unfinished` if the worker that runs it stops. */
export function checkStop(): void {
  if (isStopping()) throw new Unfinished();
}

const pieceMs = 1000;

/** Starts a piece of long work; returns whether it should end, because a second has passed or the worker stops. */
export function startPiece(): () => boolean {
  const endsAt = performance.now() + pieceMs;
  return () => isStopping() || performance.now() >= endsAt;
}

/** Runs a job, and queues it again if it ends unfinished. */
export async function runToEnd(
  db: Db,
  { task, payload, job }: { task: string; payload: unknown; job: JobHelpers['job'] | undefined },
  work: () => unknown,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Unfinished)) throw error;
    const key = job?.key == null ? {} : { jobKey: job.key };
    await addJob(db, task, payload as object, { ...key, maxAttempts: job?.max_attempts ?? 1 });
  }
}
