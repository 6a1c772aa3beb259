import { accessSync, constants, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { OwnedDatabase } from '../server/src/open-database.ts';
import { StartError } from '#platform/process/lifecycle.ts';
import { findEmbeddedDatabase, startEmbeddedDatabase } from './embedded-database/embedded-database.ts';
import { prepareRoles, servingUrlOf } from './embedded-database/roles.ts';
import { lockHolder, takeLock, type LockHolder } from './process-lock.ts';

/**
 * Starts the embedded database in `folder`, with PostgreSQL `settings` that override the product's, and locks the folder
 * until `close`. Throws a `StartError` with the reason if it cannot.
 */
export async function openEmbedded(
  folder: string,
  holder: string,
  log: FastifyBaseLogger,
  settings: Record<string, string> = {},
): Promise<OwnedDatabase> {
  const { dataDir, release } = lockDataDir(folder, holder);
  const database = await startEmbeddedDatabase({ dataDir, log, settings }).catch((error: unknown) => {
    release();
    const { syscall, message } = error as NodeJS.ErrnoException;
    throw syscall === undefined ? error : new StartError(`The embedded database could not be set up: ${message}.`);
  });
  const close = async (graceMs?: number) => {
    await database.stop(graceMs);
    release();
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
export function runningDatabase(folder: string): Pick<OwnedDatabase, 'url' | 'ownerUrl'> | null {
  const dataDir = makeDataDir(folder);
  if (holderOf(dataDir) === null) return null;
  const ownerUrl = findEmbeddedDatabase(dataDir);
  return { url: servingUrlOf(ownerUrl), ownerUrl };
}

/** Throws the `StartError` that `openEmbedded` would throw about the folder, before anything is started. */
export function checkDataDir(folder: string): void {
  const dataDir = makeDataDir(folder);
  const holder = holderOf(dataDir);
  if (holder !== null) throw inUse(dataDir, holder);
}

/**
 * Locks the folder until `release` and returns its path without links, or throws the `StartError` that `openEmbedded` would throw about
 * it. `holder` describes this process to others.
 */
export function lockDataDir(folder: string, holder: string): { dataDir: string; release(): void } {
  const dataDir = makeDataDir(folder);
  const { heldBy, release } = asStartError(dataDir, () => takeLock(lockFile(dataDir), holder));
  if (heldBy !== null) throw inUse(dataDir, heldBy);
  return { dataDir, release };
}

const lockFile = (dataDir: string) => join(dataDir, 'heartwood.lock');
const holderOf = (dataDir: string) => asStartError(dataDir, () => lockHolder(lockFile(dataDir)));

function asStartError<T>(dataDir: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new StartError(
      `The data folder ${dataDir} cannot be locked: ${(error as Error).message}. Set DATA_DIR to a folder on another disk.`,
    );
  }
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
