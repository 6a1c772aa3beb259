import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Database } from './schema.ts';

/** A handle to the database or to a running transaction. */
export type Db = Kysely<Database>;

// A birth date is a calendar day, not a moment: keep its text.
const readDay = (text: string) => text;

export interface PoolOptions {
  max?: number;
  onError?: (error: Error) => void;
  /** When a query without an answer is given up; a server that still listens ends it a little before. */
  giveUpMs?: number;
  /** A commit does not wait for the disk: for what may be lost when the machine fails. */
  isHasty?: boolean;
}

/**
 * A pool of at most `max` connections to `url`. A connection that breaks is reported to `onError` and replaced;
 * without the listener on each client, node-postgres ends the process when a checked-out one breaks (its issue 3083).
 */
export function createPool(url: string, options: PoolOptions = {}): pg.Pool {
  const onError = options.onError ?? (() => undefined);
  const giveUpMs = options.giveUpMs ?? 9000;
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max ?? 10,
    connectionTimeoutMillis: 5000,
    // A new connection plans everything anew, which is dear just when there is much to do.
    idleTimeoutMillis: 600_000,
    statement_timeout: Math.round(giveUpMs * 0.9),
    query_timeout: giveUpMs,
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
    ...(options.isHasty === true ? { options: '-c synchronous_commit=off' } : {}),
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === pg.types.builtins.DATE
          ? readDay
          : (pg.types.getTypeParser(oid, format) as (text: string) => unknown)) as typeof pg.types.getTypeParser,
    },
  });
  pool.on('error', onError);
  pool.on('connect', (client) => {
    client.on('error', onError);
    closeWhenGivenUp(client);
  });
  return pool;
}

/**
 * Ends a part of a prepared statement that unnests arrays of these rows. The planner, which does not see the limit's value, expects
 * a row; without it ten, which it finds so dear that it plans such a statement anew each time.
 */
export const few = (rows: readonly unknown[]) => sql`limit ${rows.length}`;

/** A statement that begins so is planned once for each connection, not each time: where planning takes longer than running. */
const preparedMark = '/* prepared */';
/** Texts that differ each time would fill the server's memory. */
const mostPrepared = 100;
const preparedNames = new Map<string, string>();

function asPrepared(args: unknown[]): unknown[] {
  const [text, values, ...others] = args;
  if (typeof text !== 'string' || !text.startsWith(preparedMark) || typeof values === 'function') return args;
  const name = preparedNames.get(text) ?? `prepared-${preparedNames.size}`;
  if (preparedNames.size < mostPrepared) preparedNames.set(text, name);
  return preparedNames.has(text) ? [{ name, text, values }, ...others] : args;
}

/**
 * Closes a connection when a query on it is given up. It may hang for good, and whoever borrowed it next would wait behind
 * that query, as would the rollback of the transaction it was part of.
 */
function closeWhenGivenUp(client: pg.PoolClient): void {
  client.query = new Proxy(client.query, {
    apply(query, self, args) {
      const running: unknown = Reflect.apply(query, self, asPrepared(args));
      if (running instanceof Promise) {
        running.catch((error: unknown) => {
          if (error instanceof Error && error.message === 'Query read timeout') void client.end();
        });
      }
      return running;
    },
  });
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

/** How work is put together; see `inBatches`. */
export interface BatchOptions<Item> {
  /** So many batches are under way at once before what comes next waits, to be done together. */
  atOnce: number;
  /** The largest batch. */
  most: number;
  /** Of items with the same key a batch holds one. */
  keyOf?: (item: Item) => string;
}

interface Waiting<Item, Answer> {
  item: Item;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/**
 * Does one thing for many askers: at once while there is little to do, and together what has come meanwhile when there is much, so
 * that each costs less the more there are. `work` answers its items in their order. When what one of several brought is refused, each
 * is tried by itself, so that nobody's request fails for another's: it must be such as may be tried again.
 */
export function inBatches<Item, Answer>(
  work: (items: Item[]) => Promise<Answer[]>,
  { atOnce, most, keyOf }: BatchOptions<Item>,
): (item: Item) => Promise<Answer> {
  let waiting: Waiting<Item, Answer>[] = [];
  let running = 0;

  function take(): Waiting<Item, Answer>[] {
    const taken: Waiting<Item, Answer>[] = [];
    const left: Waiting<Item, Answer>[] = [];
    const keys = new Set<string>();
    for (const one of waiting) {
      const key = keyOf?.(one.item);
      if (taken.length === most || (key !== undefined && keys.has(key))) left.push(one);
      else {
        taken.push(one);
        if (key !== undefined) keys.add(key);
      }
    }
    waiting = left;
    return taken;
  }

  async function run(batch: Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await work(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(answers[index] as Answer));
    } catch (error) {
      if (batch.length > 1 && isRefusal(error)) for (const one of batch) await run([one]);
      else for (const { reject } of batch) reject(error);
    }
  }

  async function start(): Promise<void> {
    while (running < atOnce && waiting.length > 0) {
      running += 1;
      await run(take());
      running -= 1;
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (running < atOnce) void start();
    });
}

/** Whether the database did not like what it was given, or that two waited for each other; and not that it was out of reach. */
function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(22|23|40)/.test(error.code ?? '');
}
