import { accessSync, constants, mkdirSync, realpathSync } from 'node:fs';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../server/src/platform/config/config.ts';
import { checkDatabase } from '../server/src/platform/db/database-check.ts';
import { findEmbeddedDatabase, startEmbeddedDatabase } from './embedded-database/embedded-database.ts';
import { lockHolder, takeLock, type LockHolder } from './process-lock.ts';
import { StartError } from '../server/src/platform/process/start-error.ts';

export interface OpenDatabase {
  url: string;
  /** Where the embedded database had to live outside `dataDir`, or null. */
  outside: string | null;
  /** Ends the embedded database, in good order if that takes no longer than `graceMs`; an own server is left alone. */
  close(graceMs?: number): Promise<void>;
}

/**
 * The database the configuration names, checked; or the embedded one, started, with the lock on `dataDir` held until `close`.
 * `holder` is what a second start on the same folder is told is running there.
 */
export async function openDatabase(config: Config, holder: string, log: FastifyBaseLogger): Promise<OpenDatabase> {
  if (config.databaseUrl !== null) {
    await checkDatabase(config.databaseUrl, { production: config.production });
    return { url: config.databaseUrl, outside: null, close: () => Promise.resolve() };
  }
  const dataDir = makeDataDir(config.dataDir);
  const lock = await takeLock(dataDir, holder);
  if (lock.heldBy !== null) throw inUse(dataDir, lock.heldBy);
  const database = await startEmbeddedDatabase({ dataDir, log }).catch((error: unknown) => {
    lock.release();
    const { syscall, message } = error as NodeJS.ErrnoException;
    throw syscall === undefined ? error : new StartError(`The embedded database could not be set up: ${message}.`);
  });
  const close = async (graceMs?: number) => {
    await database.stop(graceMs);
    lock.release();
  };
  return { url: database.url, outside: database.outside, close };
}

/** Refuses, with a `StartError`, what `openDatabase` would refuse about the data folder, before anything is begun. */
export async function checkDataDir(config: Config): Promise<void> {
  if (config.databaseUrl !== null) return;
  const dataDir = makeDataDir(config.dataDir);
  const holder = await lockHolder(dataDir);
  if (holder !== null) throw inUse(dataDir, holder);
}

/** As `openDatabase`, but joins the embedded database of a server that is running: for commands beside it. */
export async function joinDatabase(config: Config, log: FastifyBaseLogger): Promise<OpenDatabase> {
  if (config.databaseUrl === null && (await lockHolder(makeDataDir(config.dataDir))) !== null) {
    const url = findEmbeddedDatabase(makeDataDir(config.dataDir));
    await checkDatabase(url, { production: false });
    return { url, outside: null, close: () => Promise.resolve() };
  }
  return await openDatabase(config, 'a command', log);
}

function inUse(dataDir: string, { pid, name }: LockHolder): StartError {
  return new StartError(
    `Heartwood already runs on ${dataDir} (process ${pid}, ${name}): stop it, or set DATA_DIR and PORT for a second one.`,
  );
}

/** The folder with its links resolved, so that each of its names means the same lock and the same database. */
function makeDataDir(dataDir: string): string {
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.W_OK | constants.X_OK);
    return realpathSync(dataDir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(
      `The data folder ${dataDir} cannot be written to (${code}): allow it, or set DATA_DIR to another.`,
    );
  }
}
