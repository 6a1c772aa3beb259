import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLog } from '../process/log.ts';
import { startTicker } from './jobs.ts';

const log = createLog('silent');
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('periodic work', () => {
  it('repeats after each pause, even after a failure', async () => {
    let runs = 0;
    const ticker = startTicker(
      'work',
      1000,
      async () => {
        runs += 1;
        if (runs === 2) throw new Error('once');
      },
      log,
    );
    await vi.advanceTimersByTimeAsync(4500);
    expect(runs).toBe(4);
    await ticker.stop();
  });

  it('never overlaps, and waits for the current run when stopped', async () => {
    let running = 0;
    let most = 0;
    let finish = () => undefined as void;
    const ticker = startTicker(
      'slow',
      1000,
      async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        running -= 1;
      },
      log,
    );
    await vi.advanceTimersByTimeAsync(5000);
    expect(most).toBe(1);
    const stopped = ticker.stop();
    finish();
    await stopped;
    expect(running).toBe(0);
    await vi.advanceTimersByTimeAsync(5000);
    expect(running).toBe(0);
  });
});
