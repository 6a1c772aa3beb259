import { setTimeout } from 'node:timers/promises';
import {
  AbortedTransactionError,
  type ConnectionProvider,
  type DatabaseConnection,
  Kysely,
  type KyselyProps,
  PostgresDialect,
  type RawBuilder,
  sql,
  Transaction,
} from 'kysely';
import pg from 'pg';
import { startStatementSpan } from '../process/tracing.ts';
import { settleConnection } from './connection.ts';
import { isStalePlan, plannedMark, type PreparedStatements, preparedStatements } from './prepared.ts';
import { type QueryWatch, watchAnswers } from './query-watch.ts';
import type { Database } from './schema.ts';

/** A handle to the database or to a running transaction. */
export type Db = Kysely<Database>;

// A birth date is a calendar day, not a moment, so it stays text.
const readDay = (text: string) => text;

interface PoolOptions {
  max?: number;
  onError?: (error: Error) => void;
  /** When to give up on waiting for a connection, a free or a new one. */
  connectTimeoutMs?: number;
  /** When to give up on a connection whose query is not answered; the query fails with "Connection terminated". */
  giveUpMs?: number;
  /** When the server cancels a statement; slightly before `giveUpMs` by default. */
  statementTimeoutMs?: number;
  /** When the server cancels a statement that waits for a lock; null: with the statement's own limit. */
  lockTimeoutMs?: number | null;
  /** Commits do not wait for the disk: only for data that may be lost when the machine fails. */
  asyncCommit?: boolean;
  /** False: each statement is planned whenever it runs, because a pooler may send the next one to another connection. */
  preparedStatements?: boolean;
  /** Statements of a transaction are sent without waiting for earlier ones that weren't awaited. Excludes COPY, and poolers may not support it. */
  pipeline?: boolean;
  /** Hears of statements that took longer than `slowMs`, by `statementName`. */
  onSlow?: (statement: string, ms: number) => void;
  slowMs?: number;
}

/**
 * A pool of at most `max` connections to `url`, each with the settings that we rely on. A connection that breaks is reported to `onError` and replaced;
 * without the listener on each client, node-postgres ends the process when a checked-out one breaks (its issue 3083).
 */
export function createPool(url: string, options: PoolOptions = {}): pg.Pool {
  const onError = options.onError ?? (() => undefined);
  const giveUpMs = options.giveUpMs ?? 9000;
  const connectTimeoutMs = options.connectTimeoutMs ?? 5000;
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max ?? 10,
    connectionTimeoutMillis: connectTimeoutMs,
    // The driver waits for the promise, which its types don't say.
    onConnect: (client): unknown => settleConnection(client, connectTimeoutMs),
    // A new connection has to plan every statement again, which is expensive under load.
    idleTimeoutMillis: 600_000,
    statement_timeout: options.statementTimeoutMs ?? Math.round(giveUpMs * 0.9),
    ...(options.lockTimeoutMs ? { lock_timeout: options.lockTimeoutMs } : {}),
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
    pipeline: options.pipeline ?? false,
    ...(options.asyncCommit === true ? { options: '-c synchronous_commit=off' } : {}),
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === pg.types.builtins.DATE
          ? readDay
          : (pg.types.getTypeParser(oid, format) as (text: string) => unknown)) as typeof pg.types.getTypeParser,
    },
  });
  const watch = watchAnswers(giveUpMs, onError);
  const prepared = options.preparedStatements === false ? null : preparedStatements();
  pool.on('error', onError);
  pool.on('connect', (client) => {
    client.on('error', onError);
    watchQueries(client, { ...options, prepared, watch });
  });
  return pool;
}

/**
 * A `limit` for the part of a prepared statement that unnests these rows. With it, the planner, which does not see the
 * value, expects one row. Without it, the planner expects ten, considers the generic plan too expensive and plans the
 * statement every time.
 */
export const planHint = (rows: readonly unknown[]) => sql`limit ${rows.length}`;

/**
 * For conditions whose best plan depends on how rare their value is, such as a searched word or a city: the statement is planned each time,
 * not once per connection for values it doesn't see.
 */
export const plannedForValues = sql.raw(plannedMark);

const defaultSlowMs = 500;
const namedTables = 4;

/** What a statement does to which tables, such as `select account, session`: never a value, which could stand in its text. */
export function statementName(query: unknown): string {
  const text = typeof query === 'string' ? query : String((query as { text?: unknown } | null)?.text);
  const plain = text.replaceAll(/\/\*[^*]*\*\//g, '').trimStart();
  const [verb = ''] = /^[a-z]+/i.exec(plain) ?? [];
  const tables = [...plain.matchAll(/\b(?:from|join|into|update)\s{1,20}"?([a-z]\w{0,62})/gi)].map(([, name]) => name);
  return `${verb.toLowerCase()} ${[...new Set(tables)].slice(0, namedTables).join(', ')}`.trim();
}

/** The driver's errors have the stack of the socket's reader; this is the caller's. */
function withStackOfCaller(error: Error): never {
  Error.captureStackTrace(error);
  throw error;
}

interface WatchOptions extends Pick<PoolOptions, 'onSlow' | 'slowMs'> {
  prepared: PreparedStatements | null;
  watch: QueryWatch;
}

/** Prepares statements, reports slow ones, and has `watch` close the connection when a query on it isn't answered. */
function watchQueries(client: pg.PoolClient, { prepared, watch, onSlow, slowMs = defaultSlowMs }: WatchOptions): void {
  let answeredAt = 0;
  let unanswered = 0;
  client.query = new Proxy(client.query, {
    apply(query, self, args: unknown[]): unknown {
      // COPY isn't watched: it takes as long as its source.
      if (typeof (args[0] as { submit?: unknown } | null)?.submit === 'function')
        return Reflect.apply(query, self, args) as unknown;
      const from = performance.now();
      const span = startStatementSpan(() => statementName(args[0]));
      let isWatched = true;
      let ms = 0;
      // The driver calls back twice when a value can't be sent.
      const answered = () => {
        if (!isWatched) return;
        watch.end(client);
        unanswered -= 1;
        isWatched = false;
        // A statement that was sent along with others only runs once those are answered.
        ms = performance.now() - Math.max(from, answeredAt);
        answeredAt = performance.now();
      };
      const report = (error?: unknown) => {
        span?.end(error instanceof Error);
        if (ms > slowMs) onSlow?.(statementName(args[0]), Math.round(ms));
      };
      const asked = prepared?.withName(args) ?? args;
      // Within a transaction, it would be refused or run after the end.
      const mayRunAgain = asked !== args && unanswered === 0 && client.getTransactionStatus() === 'I';
      const runsAgain = (error: unknown) => {
        if (asked === args || !isStalePlan(error)) return false;
        prepared?.stop(args[0] as string);
        return mayRunAgain;
      };
      watch.begin(client);
      unanswered += 1;
      // The pool's own `query` passes a callback last.
      const done: unknown = asked.at(-1);
      if (typeof done === 'function') {
        const whenDone = (...results: unknown[]): unknown => {
          answered();
          report(results[0]);
          if (runsAgain(results[0])) return Reflect.apply(client.query, self, args) as unknown;
          return Reflect.apply(done, undefined, results);
        };
        return Reflect.apply(query, self, [...asked.slice(0, -1), whenDone]) as unknown;
      }
      // With promises of the driver, results would survive minor garbage collections.
      const answer = new Promise((resolve, reject) => {
        const whenDone = (error: Error | null, result: unknown) => {
          answered();
          if (error === null) resolve(result);
          else reject(error);
        };
        Reflect.apply(query, self, [asked[0], asked[1], whenDone]);
      });
      // Here, a log line carries the caller's request; in the driver's callback, the one that opened the connection.
      return answer.then(
        (result) => {
          report();
          return result;
        },
        (error: Error) => {
          answered();
          report(error);
          if (runsAgain(error)) return Reflect.apply(client.query, self, args) as unknown;
          return withStackOfCaller(error);
        },
      );
    },
  });
}

/** What the handle of a transaction is made of besides its connection, and whether its pool pipelines. */
const handles = new WeakMap<Db, { props: Omit<KyselyProps, 'executor'>; pipeline: boolean }>();

/** Kysely over `pool`. */
export function createDb(pool: pg.Pool): Db {
  const dialect = new PostgresDialect({ pool });
  const db = new Kysely<Database>({ dialect });
  const props = { config: { dialect }, dialect, driver: dialect.createDriver() };
  handles.set(db, { props, pipeline: pool.options.pipeline === true });
  return db;
}

/**
 * Begins, runs `work` and commits. Statements of `work` that aren't awaited, such as those in a `Promise.all`, are sent at once and run in
 * order if the pool pipelines; Kysely alone waits for each. Once one fails, those behind it do, and the transaction ends with the first error. Statements
 * that are sent once `work` has settled are refused.
 */
async function transact<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  const handle = handles.get(db);
  if (handle === undefined) return await db.transaction().execute(work);
  let isOver = false;
  let firstError: { error: unknown } | undefined;
  const send = async <R>(connection: DatabaseConnection, use: (connection: DatabaseConnection) => Promise<R>) => {
    if (isOver) throw new Error('This transaction is over');
    return await use(connection).catch((error: unknown) => {
      firstError ??= { error };
      throw error;
    });
  };
  const runOver = async (tx: Db, provideConnection: ConnectionProvider['provideConnection']): Promise<T> => {
    const executor = tx.getExecutor().withConnectionProvider({ provideConnection });
    try {
      return await work(new Transaction<Database>({ ...handle.props, executor }));
    } finally {
      isOver = true;
    }
  };
  const run = (tx: Db) => {
    const inTurn = tx.getExecutor();
    return handle.pipeline
      ? inTurn.provideConnection((connection) => runOver(tx, (use) => send(connection, use)))
      : runOver(tx, (use) => inTurn.provideConnection((connection) => send(connection, use)));
  };
  try {
    return await db.transaction().execute(run);
  } catch (error) {
    // Which of several errors arrives first depends on how many promises each passes.
    throw isAborted(error) && firstError !== undefined ? firstError.error : error;
  }
}

/** Whether this error only says that the transaction had failed before. */
const isAborted = (error: unknown): boolean =>
  error instanceof AbortedTransactionError || (error instanceof pg.DatabaseError && error.code === '25P02');

const retries = 3;
const firstPauseMs = 20;

/**
 * Runs `work` in one transaction; use only the handle it receives. If the database ends it because of a deadlock, it
 * runs again, up to three times, so `work` must have no effect outside the database.
 */
export async function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  if (db.isTransaction) return await work(db);
  for (let tries = 0; ; tries += 1) {
    try {
      return await transact(db, work);
    } catch (error) {
      if (tries === retries || !canSucceedAgain(error)) throw error;
      // At different times, or the two would collide again.
      await setTimeout(firstPauseMs * 2 ** tries * (0.5 + Math.random()));
    }
  }
}

/** Whether the same work can succeed in another transaction: after a deadlock, a serialization failure, or a plan that has become stale. */
function canSucceedAgain(error: unknown): boolean {
  if (isStalePlan(error)) return true;
  return error instanceof pg.DatabaseError && (error.code === '40P01' || error.code === '40001');
}

/** These columns of the table `alias`, constants of the code, for a select list; text, since a reference each takes time per statement. */
export const columnsOf = (alias: string, columns: readonly string[]) =>
  sql.raw(columns.map((column) => `${alias}.${column}`).join(', '));

/** The number of rows of `from` (tables and conditions), counted up to `most`; null counts them all. */
export async function countRows(db: Db, from: RawBuilder<unknown>, most: number | null = null): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select from ${from} limit ${most}) counted`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The name of the constraint that a write violated, or null for any other error. */
export function refusedConstraint(error: unknown): string | null {
  return error instanceof pg.DatabaseError && error.code?.startsWith('23') === true ? (error.constraint ?? null) : null;
}

/** Whether this database was filled with demo data, by this process or an earlier one. */
export async function hasDemoData(db: Db): Promise<boolean> {
  const row = await db.selectFrom('installation').select('name').where('name', '=', 'demo').executeTakeFirst();
  return row !== undefined;
}
