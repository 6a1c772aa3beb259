import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database } from './schema.ts';

/** A handle to the database or to a running transaction. */
export type Db = Kysely<Database>;

// A birth date is a calendar day, not a moment: keep its text.
const readDay = (text: string) => text;

/**
 * A pool of at most `max` connections to `url`. A connection that breaks is reported to `onError` and replaced;
 * without the listener on each client, node-postgres ends the process when a checked-out one breaks (its issue 3083).
 */
export function createPool(url: string, options: { max?: number; onError?: (error: Error) => void } = {}): pg.Pool {
  const onError = options.onError ?? (() => undefined);
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max ?? 10,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 8000,
    query_timeout: 9000,
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === pg.types.builtins.DATE ? readDay : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  });
  pool.on('error', onError);
  pool.on('connect', (client) => {
    client.on('error', onError);
  });
  return pool;
}

/** Kysely over `pool`. */
export function createDb(pool: pg.Pool): Db {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}

/** Runs `work` in one transaction; the argument is the only handle to reach for inside. */
export function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}

/** The name of the constraint that refused a write, or null if `error` is anything else. */
export function refusedConstraint(error: unknown): string | null {
  return error instanceof pg.DatabaseError && error.code?.startsWith('23') === true ? (error.constraint ?? null) : null;
}
