import { setTimeout as pause } from 'node:timers/promises';

/** Undoes one step of the start, within about `remainingMs`. */
export type Undo = (remainingMs: number) => Promise<unknown>;

export interface Lifecycle {
  /** Registers how to undo a completed step; the last step is undone first. */
  onStop(undo: Undo): void;
  /** Undoes everything once; later calls wait for the first. Returns the errors, and never takes longer than `withinMs`. */
  stop(): Promise<unknown[]>;
  /** Whether `stop` was called. */
  isStopping(): boolean;
}

/** Starts and stops a process in order. */
export function createLifecycle(withinMs: number): Lifecycle {
  const undos: Undo[] = [];
  let stopped: Promise<unknown[]> | null = null;

  async function undoAll(): Promise<unknown[]> {
    const deadline = performance.now() + withinMs;
    const problems: unknown[] = [];
    for (let undo = undos.pop(); undo !== undefined; undo = undos.pop()) {
      const remainingMs = Math.max(deadline - performance.now(), 0);
      const late = pause(remainingMs, new Error('a shutdown step took too long'), { ref: false });
      const problem = await Promise.race([
        undo(remainingMs).then(
          () => null,
          (error: unknown) => error,
        ),
        late,
      ]);
      if (problem !== null) problems.push(problem);
    }
    return problems;
  }

  return {
    onStop: (undo) => undos.push(undo),
    stop: () => (stopped ??= undoAll()),
    isStopping: () => stopped !== null,
  };
}
