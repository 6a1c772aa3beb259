import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import { createDb, type Db } from './db.ts';
import { createPool } from './pool.ts';

/** How far behind a replica may be to be used for reads, in milliseconds. */
export const staleMaxMs = 2000;
const checkEveryMs = 500;
/** A replica that is further behind than this counts as lost, because older positions of the primary are forgotten. */
const knownMaxMs = 120_000;
const catchUpPollMs = 50;
/** A hanging replica must leave enough time to query the primary. */
const giveUpMs = 4000;

/** Reads of data that may be two seconds old: from replicas if there are any, otherwise from the primary. */
export interface Reads {
  /**
   * Runs `work`, which only reads, on a replica that contains everything committed two seconds ago. If that fails for
   * any reason, it runs again on the primary: a replica may cancel a query that conflicts with its replay, or not have
   * the newest migration yet.
   */
  from<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** The replica that `from` would use, or the primary. */
  reader(): Reader;
  /**
   * A replica that contains everything committed until now, if one catches up within two seconds; otherwise the
   * primary.
   */
  upToDate(): Promise<Reader>;
  /** How many seconds each replica is known to be behind, by its position in the list; a promoted one is no longer included. */
  secondsBehind(): Map<string, number>;
  close(): Promise<void>;
}

export interface Reader {
  db: Db;
  pool: pg.Pool;
  isPrimary: boolean;
}

/** Positions in the write-ahead log as byte counts, which are exact up to 9 PB. */
const writtenSql = `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as position`;
/** Null on a server that is not a replica, such as one that was promoted. */
const replayedSql = `
  select case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 end as position`;

async function positionOf(pool: pg.Pool, query: string): Promise<number | null> {
  const { rows } = await pool.query<{ position: number | null }>(query);
  return rows[0]?.position ?? null;
}

interface Replica extends Reader {
  /** A connection used only for checks. */
  checks: pg.Pool;
  /** -1 if unknown, null if the server is not a replica. */
  replayed: number | null;
  isAsked: boolean;
}

/**
 * Reads from the replicas at `urls`, each the URL of one server. Every half second the position of the primary's
 * write-ahead log is recorded with the time. What a replica has replayed shows which of these times it has reached, so
 * neither differing clocks nor an idle primary mislead. Failures are logged once until the replica answers again.
 */
export function createReads(
  { db, pool: primary }: { db: Db; pool: pg.Pool },
  urls: readonly string[],
  options: { preparedStatements: boolean; log: FastifyBaseLogger; now?: () => number },
): Reads {
  const { log, preparedStatements, now = () => performance.now() } = options;
  const home: Reader = { db, pool: primary, isPrimary: true };
  // Checks queued behind other work would be late, which looks like a lag: under load, all reads would move to the
  // primary.
  const checksOf = (url: string) => createPool(url, { max: 1, giveUpMs, preparedStatements });
  const primaryChecks = checksOf(primary.options.connectionString ?? '');
  const replicas = urls.map((url): Replica => {
    // The checks notice and log a broken connection.
    const pool = createPool(url, { giveUpMs, preparedStatements });
    return { pool, db: createDb(pool), checks: checksOf(url), isPrimary: false, replayed: -1, isAsked: false };
  });
  /** Recorded positions of the primary, oldest first, each with the time before it was read. */
  let noted: { at: number; position: number }[] = [];

  /** The last recorded time that the replica has reached: it contains everything committed before. */
  const reachedAt = ({ replayed }: Replica) =>
    noted.findLast(({ position }) => position <= (replayed ?? -1))?.at ?? Number.NEGATIVE_INFINITY;
  const behindMs = (replica: Replica) => now() - reachedAt(replica);

  async function ask(replica: Replica): Promise<void> {
    if (replica.isAsked) return;
    replica.isAsked = true;
    try {
      replica.replayed = await positionOf(replica.checks, replayedSql);
    } catch (error) {
      if (replica.replayed !== -1) log.warn({ err: error, replica: replicas.indexOf(replica) }, 'a replica failed');
      replica.replayed = -1;
    } finally {
      replica.isAsked = false;
    }
  }

  async function note(): Promise<number> {
    const at = now();
    const position = (await positionOf(primaryChecks, writtenSql)) ?? Number.POSITIVE_INFINITY;
    noted = [...noted.filter((one) => at - one.at <= knownMaxMs), { at, position }];
    return position;
  }

  async function check(): Promise<void> {
    // Without the primary there are no new positions, so all replicas become stale.
    await note().catch(() => undefined);
    await Promise.all(replicas.map(ask));
  }

  const timer = replicas.length === 0 ? undefined : setInterval(() => void check(), checkEveryMs).unref();

  function reader(): Reader {
    const fresh = replicas.filter((replica) => behindMs(replica) <= staleMaxMs);
    return fresh[Math.floor(Math.random() * fresh.length)] ?? home;
  }

  return {
    reader,
    async from(work) {
      const chosen = reader();
      if (chosen.isPrimary) return await work(home.db);
      try {
        return await work(chosen.db);
      } catch {
        return await work(home.db);
      }
    },
    async upToDate() {
      if (replicas.length === 0) return home;
      const position = await note();
      for (const until = performance.now() + staleMaxMs; performance.now() < until; await pause(catchUpPollMs)) {
        await Promise.all(replicas.map(ask));
        const caughtUp = replicas.find(({ replayed }) => (replayed ?? -1) >= position);
        if (caughtUp !== undefined) return caughtUp;
      }
      return home;
    },
    secondsBehind: () =>
      new Map(
        replicas.flatMap((replica, index) =>
          replica.replayed === null ? [] : [[String(index), behindMs(replica) / 1000]],
        ),
      ),
    async close() {
      clearInterval(timer);
      await Promise.all(
        [primaryChecks, ...replicas.flatMap(({ pool, checks }) => [pool, checks])].map((one) => one.end()),
      );
    },
  };
}
