import type { FastifyBaseLogger } from 'fastify';

/** Work that a process repeats. */
export interface Ticker {
  name: string;
  everyMs: number;
  run: () => Promise<void>;
}

/** Repeats `work` every `everyMs`, one run at a time; a failed run is logged and does not stop the next one. */
export function startTicker(
  name: string,
  everyMs: number,
  work: () => Promise<void>,
  log: FastifyBaseLogger,
): { stop(): Promise<void> } {
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    running ??= work()
      .catch((error: unknown) => {
        log.warn({ err: error, ticker: name }, 'a periodic task failed');
      })
      .finally(() => {
        running = null;
      });
  }, everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
