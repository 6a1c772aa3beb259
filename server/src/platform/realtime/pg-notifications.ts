import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';

/** Notifications that triggers send to every process; see the SQL function `tell_processes`. */
export type PgNotification =
  | { what: 'session-ended'; id: string }
  /** Statistics or reports have changed. */
  | { what: 'statistics' | 'reports' }
  /** This account has a new notification. */
  | { what: 'news'; id: string }
  /** A case was assigned to this account by a colleague. */
  | { what: 'assigned'; id: string; caseId: string; by: string }
  | { what: 'match' | 'match-ended'; id: string; low: string; high: string };

interface Handlers {
  pass: (notification: PgNotification) => void;
  /** Called after a reconnect: notifications may have been missed. */
  missed: () => Promise<void>;
}

const againAfterMs = 500;

/** Listens on its own connection, and reconnects when it breaks. */
export function listenToDatabase(pool: pg.Pool, { pass, missed }: Handlers, log: FastifyBaseLogger) {
  let client: pg.PoolClient | null = null;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  async function connect(isAgain: boolean): Promise<void> {
    try {
      const fresh = await pool.connect();
      if (isStopped) return fresh.release(true);
      client = fresh;
      fresh.on('notification', ({ payload }) => {
        if (payload !== undefined) pass(JSON.parse(payload) as PgNotification);
      });
      fresh.once('error', () => {
        fresh.release(true);
        client = null;
        again();
      });
      await fresh.query('listen heartwood');
      if (isAgain) await missed();
    } catch (error) {
      log.warn({ err: error }, 'the connection that listens for database notifications broke');
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
