import pg from 'pg';
import { clientClass } from './client.ts';
import { settleConnection } from './connection.ts';
import { preparedStatements } from './prepared.ts';

const defaultSlowMs = 500;

// A birth date is a calendar day, not a point in time, so it stays text.
const readDay = (text: string) => text;

interface PoolOptions {
  max?: number;
  onError?: (error: Error) => void;
  /** When to give up waiting for a free or a new connection. */
  connectTimeoutMs?: number;
  /** When to give up on a connection whose query is not answered; the query fails with "Connection terminated". */
  giveUpMs?: number;
  /** When the server cancels a statement; slightly before `giveUpMs` by default. */
  statementTimeoutMs?: number;
  /** When the server cancels a statement that waits for a lock; null to use the statement's own limit. */
  lockTimeoutMs?: number | null;
  /** Commits don't wait for the disk. Only for data that may be lost when the machine fails. */
  asyncCommit?: boolean;
  /**
   * If false, each statement is planned whenever it runs, because a pooler may send the next one to another connection.
   */
  preparedStatements?: boolean;
  /** Called for statements slower than `slowMs`, with their `statementName`. */
  onSlow?: (statement: string, ms: number) => void;
  slowMs?: number;
}

/**
 * A pool of at most `max` connections to `url`, each with the settings that we rely on. A broken connection is reported
 * to `onError` and replaced. Without the listener on each client, node-postgres would end the process when a
 * checked-out connection breaks (its issue 3083).
 */
export function createPool(url: string, options: PoolOptions = {}): pg.Pool {
  const onError = options.onError ?? (() => undefined);
  const giveUpMs = options.giveUpMs ?? 9000;
  const connectTimeoutMs = options.connectTimeoutMs ?? 5000;
  const prepared = options.preparedStatements === false ? null : preparedStatements();
  const pool = new pg.Pool({
    connectionString: url,
    Client: clientClass({
      giveUpMs,
      onError,
      onSlow: options.onSlow,
      slowMs: options.slowMs ?? defaultSlowMs,
      prepared,
    }),
    max: options.max ?? 10,
    connectionTimeoutMillis: connectTimeoutMs,
    // The driver waits for the promise, although its types don't say so.
    onConnect: (client): unknown => settleConnection(client, connectTimeoutMs),
    // A new connection has to plan every statement again, which is expensive under load.
    idleTimeoutMillis: 600_000,
    statement_timeout: options.statementTimeoutMs ?? Math.round(giveUpMs * 0.9),
    ...(options.lockTimeoutMs ? { lock_timeout: options.lockTimeoutMs } : {}),
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
    ...(options.asyncCommit === true ? { options: '-c synchronous_commit=off' } : {}),
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === pg.types.builtins.DATE
          ? readDay
          : (pg.types.getTypeParser(oid, format) as (text: string) => unknown)) as typeof pg.types.getTypeParser,
    },
  });
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}
