import { accessSync, constants, mkdirSync, realpathSync } from 'node:fs';
import type { FastifyBaseLogger } from 'fastify';
import type { OwnedDatabase } from '../server/src/open-database.ts';
import { StartError } from '../server/src/platform/process/lifecycle.ts';
import { findEmbeddedDatabase, startEmbeddedDatabase } from './embedded-database/embedded-database.ts';
import { prepareRoles, servingUrlOf } from './embedded-database/roles.ts';
import { lockHolder, takeLock, type LockHolder } from './process-lock.ts';

/**
 * Starts the embedded database in `folder`, with PostgreSQL's `settings` that differ from the product's, and locks the
 * folder until `close`; a `StartError` says why it cannot.
 */
export async function openEmbedded(
  folder: string,
  holder: string,
  log: FastifyBaseLogger,
  settings: Record<string, string> = {},
): Promise<OwnedDatabase> {
  const dataDir = makeDataDir(folder);
  const lock = await takeLock(dataDir, holder);
  if (lock.heldBy !== null) throw inUse(dataDir, lock.heldBy);
  const database = await startEmbeddedDatabase({ dataDir, log, settings }).catch((error: unknown) => {
    lock.release();
    const { syscall, message } = error as NodeJS.ErrnoException;
    throw syscall === undefined ? error : new StartError(`The embedded database could not be set up: ${message}.`);
  });
  const close = async (graceMs?: number) => {
    await database.stop(graceMs);
    lock.release();
  };
  try {
    await prepareRoles(database);
  } catch (error) {
    await close();
    throw error;
  }
  const url = servingUrlOf(database.url);
  return { url, directUrl: url, ownerUrl: database.url, outside: database.outside, close };
}

/** The addresses of the embedded database that another process runs in `folder`, or null. */
export async function runningDatabase(folder: string): Promise<Pick<OwnedDatabase, 'url' | 'ownerUrl'> | null> {
  const dataDir = makeDataDir(folder);
  if ((await lockHolder(dataDir)) === null) return null;
  const ownerUrl = findEmbeddedDatabase(dataDir);
  return { url: servingUrlOf(ownerUrl), ownerUrl };
}

/** Throws the `StartError` that `openEmbedded` would throw about the folder, before anything is started. */
export async function checkDataDir(folder: string): Promise<void> {
  const dataDir = makeDataDir(folder);
  const holder = await lockHolder(dataDir);
  if (holder !== null) throw inUse(dataDir, holder);
}

function inUse(dataDir: string, { pid, name }: LockHolder): StartError {
  return new StartError(
    `Heartwood already runs on ${dataDir} (process ${pid}, ${name}). Stop it, or set DATA_DIR and PORT for a second one.`,
  );
}

/** The folder with its links resolved, so that all its paths mean the same lock and the same database. */
function makeDataDir(dataDir: string): string {
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.W_OK | constants.X_OK);
    return realpathSync(dataDir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(
      `The data folder ${dataDir} cannot be written to (${code}). Allow it, or set DATA_DIR to another folder.`,
    );
  }
}
