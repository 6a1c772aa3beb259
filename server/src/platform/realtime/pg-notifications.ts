import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';

/** What triggers tell every process; see the function `tell_processes`. */
export type Told =
  | { what: 'session-ended'; id: string }
  /** Figures, or reports, have changed. */
  | { what: 'statistics' | 'reports' }
  /** There is news for this account. */
  | { what: 'news'; id: string }
  | { what: 'match' | 'match-ended'; id: string; low: string; high: string };

interface Ears {
  pass: (told: Told) => void;
  /** The line was cut: something may have been told meanwhile. */
  missed: () => Promise<void>;
}

const againAfterMs = 500;

/** Listens on a connection of its own, which is opened anew whenever it breaks. */
export function listenToDatabase(pool: pg.Pool, { pass, missed }: Ears, log: FastifyBaseLogger) {
  let client: pg.PoolClient | null = null;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  async function connect(isAgain: boolean): Promise<void> {
    try {
      const fresh = await pool.connect();
      if (isStopped) return fresh.release(true);
      client = fresh;
      fresh.on('notification', ({ payload }) => {
        if (payload !== undefined) pass(JSON.parse(payload) as Told);
      });
      fresh.once('error', () => {
        fresh.release(true);
        client = null;
        again();
      });
      await fresh.query('listen heartwood');
      if (isAgain) await missed();
    } catch (error) {
      log.warn({ err: error }, 'the line to the database that tells of ends is cut');
      again();
    }
  }

  function again(): void {
    if (!isStopped) timer = setTimeout(() => void connect(true), againAfterMs);
  }

  void connect(false);
  return {
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      client?.removeAllListeners('notification');
      client?.release(true);
      client = null;
      await Promise.resolve();
    },
  };
}
